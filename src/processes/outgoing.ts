/** Assembles message composition, both for sending and for forecasts. */

import type { Database } from '../database/database.ts';
import type { OutgoingDeps } from '../delivery/attempt/outgoing.ts';
import { createSigner, type SigningKeys } from '../delivery/attempt/signing.ts';
import type { ReturnPathHosts } from '../domains/return-path-host.ts';
import type { Config } from '../runtime/config.ts';
import type { KeyRing } from '../runtime/key-ring.ts';
import { trackingProblem } from '../runtime/public-url.ts';
import { createOwnSigner } from './own-dkim.ts';
import { createLinkHosts } from './tracking.ts';

interface OutgoingParts {
  readonly config: Config;
  readonly db: Database;
  readonly ring: KeyRing;
  readonly keys: SigningKeys;
  /** Only in live mode: the sandbox has no DNS for return paths. */
  readonly returnPathHosts: ReturnPathHosts | undefined;
}

export function createOutgoing({ config, db, ring, keys, returnPathHosts }: OutgoingParts): OutgoingDeps {
  const returnPath = { keys: ring.keysFor('return-path'), host: config.hostname };
  return {
    returnPath: returnPathHosts
      ? { ...returnPath, hostOf: (domain) => returnPathHosts.find(domain) }
      : returnPath,
    links: {
      keys: ring.keysFor('tracking'),
      publicUrl: trackingProblem(config) === null ? config.publicUrl : null,
      mailHost: config.inbound.unsubscribeByMail ? config.hostname : null,
      hostOf: createLinkHosts(db, config),
    },
    sign: createSigner(keys, createOwnSigner({ config, db, ring })),
  };
}
