/** What validating addresses needs, put together. */
import type { Database } from '../database/database.ts';
import { isPublicAddress } from '../dns/public-address.ts';
import { createResolver } from '../dns/resolver.ts';
import { SANDBOX_DOMAIN } from '../resources/organizations/bootstrap.ts';
import { suppressionReasons } from '../resources/suppressions/reasons.ts';
import type { PastTrouble } from '../resources/validation/assess.ts';
import { loadLists } from '../resources/validation/lists.ts';
import type { ValidationDeps } from '../resources/validation/service.ts';
import { readOwnLists } from '../resources/validation/settings.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Config } from '../runtime/config.ts';
import type { Service } from '../runtime/lifecycle.ts';
import { SIMULATOR_DOMAIN } from '../sandbox/simulator.ts';

export interface AddressValidation extends ValidationDeps {
  /** Ends lookups that are still under way. */
  readonly lookups: Service;
}

/** Somebody waits for the answer, so a server that is silent for long is given up sooner than in delivery. */
const LOOKUP = { timeoutMs: 1_000, tries: 2 };

export function createAddressValidation(deps: {
  readonly config: Config;
  readonly clock: Clock;
  readonly db: Database;
}): AddressValidation {
  const { config, clock, db } = deps;
  const resolver = createResolver({ clock, servers: config.dnsServers, ...LOOKUP });
  return {
    clock,
    resolver,
    lists: loadLists(),
    routable: config.allowPrivateDestinations ? () => true : isPublicAddress,
    sandboxDomains: new Set(config.mode === 'sandbox' ? [SANDBOX_DOMAIN, SIMULATOR_DOMAIN] : []),
    ownLists: (organizationId) => readOwnLists(db, organizationId),
    pastTroubles: async (organizationId, keys) => {
      const reasons = await suppressionReasons(db, organizationId, keys);
      return new Map([...reasons].map(([key, reason]) => [key, troubleOf(reason)]));
    },
    lookups: { name: 'validation lookups', start: async () => {}, stop: async () => resolver.close() },
  };
}

function troubleOf(reason: string): PastTrouble {
  return reason === 'hard_bounce' ? 'hard_bounce' : 'suppressed';
}
