/** Assembles the TLS policies of recipients' domains from the configuration, for all routers of a worker. */

import type { Database } from '../database/database.ts';
import { createPolicyStore, deleteOldStsPolicies } from '../delivery/tls/sts-store.ts';
import type { MxRouterOptions } from '../delivery/transports/router.ts';
import type { Chore } from '../operations/housekeeper.ts';
import { StsPolicies } from '../protocols/dns/mta-sts.ts';
import { createPolicyFetch } from '../protocols/dns/mta-sts-fetch.ts';
import { isPublicAddress } from '../protocols/dns/public-address.ts';
import { createResolver, type Resolver } from '../protocols/dns/resolver.ts';
import { createValidatingResolver, type ValidatingResolver } from '../protocols/dns/validating-resolver.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Config } from '../runtime/config.ts';
import { HOUR_MS, MINUTE_MS } from '../runtime/durations.ts';

export interface TlsPolicyDeps extends MailDns {
  readonly config: Config;
  readonly clock: Clock;
  readonly db: Database;
  readonly trust?: TrustForTests | undefined;
}

/** Resolvers for recipients' domains. */
export interface MailDns {
  readonly resolver: Resolver;
  /** The same with DNSSEC, where the operator trusts the DNS servers. */
  readonly dane?: ValidatingResolver | undefined;
}

export function createMailDns(config: Config, clock: Clock): MailDns {
  const options = { clock, servers: config.dnsServers };
  if (!config.dane) return { resolver: createResolver(options) };
  const dane = createValidatingResolver(options);
  return { resolver: dane, dane };
}

/** For tests, which have neither public authorities nor port 443. */
export interface TrustForTests {
  /** PEM; replaces the built-in authorities. */
  readonly certificates: string;
  readonly policyPort: number;
}

export interface TlsPolicies extends Pick<MailDns, 'dane'>, Pick<MxRouterOptions, 'onUnsecured'> {
  readonly sts: StsPolicies;
}

export function createTlsPolicies(deps: TlsPolicyDeps): TlsPolicies {
  const { config, clock, db, resolver, dane, trust } = deps;
  const fetch = createPolicyFetch({
    resolver,
    accepts: (address) => config.allowPrivateDestinations || isPublicAddress(address),
    port: trust?.policyPort,
    trustedCertificates: trust?.certificates,
  });
  return { sts: new StsPolicies({ resolver, clock, fetch, store: createPolicyStore(db) }), dane };
}

const REFRESH_MS = 10 * MINUTE_MS;

export function tlsPolicyChores({ db }: Pick<TlsPolicyDeps, 'db'>, { sts }: TlsPolicies): readonly Chore[] {
  return [
    {
      name: 'MTA-STS policies',
      everyMs: REFRESH_MS,
      run: (signal) => sts.refreshDue(signal),
      inBackground: true,
    },
    {
      name: 'old MTA-STS policies',
      everyMs: HOUR_MS,
      run: () => deleteOldStsPolicies(db),
      inBackground: true,
    },
  ];
}
