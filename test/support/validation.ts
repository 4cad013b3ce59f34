/** Validation with a loopback DNS zone and without a database: nothing is suppressed, and there are no custom lists by default. */
import { isPublicAddress } from '../../src/protocols/dns/public-address.ts';
import { createResolver } from '../../src/protocols/dns/resolver.ts';
import { type AddressKey, parseAddress } from '../../src/protocols/message/address.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import type { PastFailure } from '../../src/validation/assess.ts';
import { loadLists } from '../../src/validation/lists.ts';
import {
  type ValidationDeps,
  type ValidationResult,
  validateAddresses,
} from '../../src/validation/service.ts';
import { type DnsZone, type DnsZoneServer, dnsTimeoutMs, startDnsZone } from './dns-zone.ts';

export interface TestValidation {
  readonly deps: ValidationDeps;
  readonly zone: DnsZoneServer;
  validate(...addresses: readonly string[]): Promise<ValidationResult[]>;
  one(address: string): Promise<ValidationResult>;
  stop(): Promise<void>;
}

export interface TestValidationOptions {
  readonly past?: ReadonlyMap<AddressKey, PastFailure>;
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  readonly sandboxDomains?: readonly string[];
  readonly budgetMs?: number;
  /** The time limit of the resolver. */
  readonly timeoutMs?: number;
}

export async function startValidation(
  zone: DnsZone,
  options: TestValidationOptions = {},
): Promise<TestValidation> {
  const server = await startDnsZone(zone);
  const { budgetMs = 2 * dnsTimeoutMs(zone), timeoutMs = dnsTimeoutMs(zone) } = options;
  const resolver = createResolver({
    clock: systemClock,
    servers: [server.address],
    timeoutMs,
    tries: 1,
  });
  const deps: ValidationDeps = {
    clock: systemClock,
    resolver,
    lists: loadLists(),
    routable: isPublicAddress,
    sandboxDomains: new Set(options.sandboxDomains),
    ownLists: async () => ({ allow: new Set(options.allow), deny: new Set(options.deny) }),
    pastFailures: async () => options.past ?? new Map(),
  };
  const validate = (...addresses: readonly string[]) =>
    validateAddresses(deps, 'org_test', addresses.map(parseAddress), { budgetMs });
  return {
    deps,
    zone: server,
    validate,
    one: async (address) => (await validate(address))[0] as ValidationResult,
    async stop() {
      resolver.close();
      await server.stop();
    },
  };
}

/** A domain that accepts mail, with a public address. */
export const TAKES_MAIL = { MX: [[10, 'mx.mail-host.com']], A: ['93.184.216.34'] } as const;
export const MAIL_HOST = { 'mx.mail-host.com': { A: ['93.184.216.35'] } } as const;
