import type { Database } from '../database/database.ts';
import { SANDBOX_DOMAIN } from '../domains/sandbox-domain.ts';
import { lazily } from '../http/lazily.ts';
import { readOwnLists } from '../organizations/settings/disposable-domains.ts';
import { isPublicAddress } from '../protocols/dns/public-address.ts';
import { createResolver } from '../protocols/dns/resolver.ts';
import { createValidatingResolver, type ValidatingResolver } from '../protocols/dns/validating-resolver.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Config } from '../runtime/config.ts';
import type { Service } from '../runtime/lifecycle.ts';
import { SIMULATOR_DOMAIN } from '../sandbox/simulator.ts';
import { suppressionReasons } from '../suppressions/suppression.ts';
import type { PastFailure } from '../validation/assess.ts';
import { loadLists } from '../validation/lists.ts';
import type { ValidationDeps } from '../validation/service.ts';

export interface AddressValidation extends ValidationDeps {
  /** The same resolver with DNSSEC, where the operator trusts the DNS servers. */
  readonly dane: ValidatingResolver | undefined;
  /** Ends lookups still in progress. */
  readonly lookups: Service;
}

/** A client waits for the result, so a slow server is given up sooner than in delivery. */
const LOOKUP = { timeoutMs: 1_000, tries: 2 };

/** Shared by all APIs of a process; tests create hundreds. */
const lists = lazily(loadLists);

export function createAddressValidation(deps: {
  readonly config: Config;
  readonly clock: Clock;
  readonly db: Database;
}): AddressValidation {
  const { config, clock, db } = deps;
  const options = { clock, servers: config.dnsServers, ...LOOKUP };
  const dane = config.dane ? createValidatingResolver(options) : undefined;
  const resolver = dane ?? createResolver(options);
  return {
    clock,
    resolver,
    dane,
    lists: lists(),
    routable: config.allowPrivateDestinations ? () => true : isPublicAddress,
    sandboxDomains: new Set(config.mode === 'sandbox' ? [SANDBOX_DOMAIN, SIMULATOR_DOMAIN] : []),
    ownLists: (organizationId) => readOwnLists(db, organizationId),
    pastFailures: async (organizationId, keys) => {
      const reasons = await suppressionReasons(db, organizationId, keys);
      return new Map([...reasons].map(([key, reason]) => [key, pastFailureOf(reason)]));
    },
    lookups: { name: 'validation lookups', start: async () => {}, stop: async () => resolver.close() },
  };
}

function pastFailureOf(reason: string): PastFailure {
  return reason === 'hard_bounce' ? 'hard_bounce' : 'suppressed';
}
