/** Assembles domain checks in the same way for the API and the worker. */

import type { Database } from '../database/database.ts';
import type { CheckDeps } from '../domains/check.ts';
import type { HostSts } from '../domains/dns-records.ts';
import { type KeyPairDeps, KeyPairs, UNBOUNDED } from '../domains/key-pairs.ts';
import { createSenders } from '../domains/senders.ts';
import { DomainKeys } from '../domains/signing-keys.ts';
import { createTxtLookups } from '../domains/verify.ts';
import { ownStsPolicy } from '../protocols/dns/own-sts-policy.ts';
import { createResolver } from '../protocols/dns/resolver.ts';
import { ReportAddresses } from '../protocols/message/report-address.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Config } from '../runtime/config.ts';
import { isAddress, isLoopback } from '../runtime/host-name.ts';
import type { KeyRing } from '../runtime/key-ring.ts';
import type { Service } from '../runtime/lifecycle.ts';
import type { Log } from '../runtime/log.ts';
import { createSandboxTxtOfCells } from '../sandbox/dns.ts';
import { createHostChecking } from './tracking.ts';

export interface DomainChecking extends CheckDeps {
  /** Ends lookups still in progress. */
  readonly lookups: Service;
  /** Generates keys ahead of time, once started. */
  readonly keyPairs: Service;
}

export function createDomainChecking(deps: {
  readonly config: Config;
  readonly log: Log;
  readonly clock: Clock;
  readonly db: Database;
  readonly ring: KeyRing;
  readonly keyPairs?: Omit<KeyPairDeps, 'clock'>;
}): DomainChecking {
  const { config, log, clock, db, ring } = deps;
  const host = config.hostname.toLowerCase();
  const { mode, dnsServers: servers } = config;
  const keyPairs = new KeyPairs({ clock, ...(deps.keyPairs ?? { limits: UNBOUNDED }) });
  const keys = new DomainKeys(ring, keyPairs);
  const resolver = createResolver({ clock, servers });
  const reports = new ReportAddresses(ring.keysFor('report-addresses'), host);
  const sandboxTxt = createSandboxTxtOfCells(db.cells, { host, reports });
  const txtLookups = mode === 'sandbox' ? () => sandboxTxt : createTxtLookups(resolver, clock);
  const lookups = {
    name: 'domain lookups',
    start: async () => {},
    stop: async () => resolver.close(),
  };
  const senders = mode === 'sandbox' ? {} : { senders: createSenders(resolver, config, clock) };
  const about = { host, mode, reports, sts: hostSts(config, host), random: Math.random };
  const tracking = createHostChecking({ config, db, clock, resolver, ring });
  return { db, clock, log, keys, txtLookups, tracking, ...senders, ...about, lookups, keyPairs };
}

/** Offered when the policy is enabled and a host name can serve it. */
function hostSts({ inbound, publicUrl }: Config, host: string): HostSts | null {
  const servedBy = new URL(publicUrl).hostname;
  if (inbound.sts.mode === 'none' || isAddress(servedBy) || isLoopback(servedBy)) return null;
  return { policy: ownStsPolicy(host, inbound.sts), servedBy };
}
