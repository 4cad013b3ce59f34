/**
 * Validates addresses: looks up DNS, the organization's lists and its past failures, once per distinct domain, then
 * assesses each address separately. DNS answers that exceed the budget are unknown, and unknown never counts as a
 * failure.
 */
import type { Resolver } from '../protocols/dns/resolver.ts';
import type { Address, AddressKey, AddressProblem, MailDomain } from '../protocols/message/address.ts';
import type { Clock } from '../runtime/clock.ts';
import { type Assessment, assess, type PastFailure } from './assess.ts';
import type { OwnLists } from './checks/disposable.ts';
import { type DomainFacts, lookUpDomain, type Routable } from './domain-facts.ts';
import type { ValidationLists } from './lists.ts';
import { isSpecialUse } from './special-use.ts';

export interface ValidationDeps {
  readonly clock: Clock;
  readonly resolver: Resolver;
  readonly lists: ValidationLists;
  /** Decides which addresses of mail hosts are reachable. */
  readonly routable: Routable;
  /** Reserved names that accept mail: those of the sandbox while it is enabled. */
  readonly sandboxDomains: ReadonlySet<string>;
  /** The organization's allow and deny lists. */
  readonly ownLists: (organizationId: string) => Promise<OwnLists>;
  /** Past failures by `Address.key`; mailboxes without failures are omitted. */
  readonly pastFailures: (
    organizationId: string,
    keys: readonly AddressKey[],
  ) => Promise<ReadonlyMap<AddressKey, PastFailure>>;
}

/** The parsed input, or the reason why it is no address. */
type ReadAddress = Address | AddressProblem;

export interface ValidationResult<Of extends ReadAddress = ReadAddress> extends Assessment {
  readonly address: Of;
  readonly atMs: number;
}

interface ValidationOptions {
  /** The DNS time limit for all addresses together. */
  readonly budgetMs: number;
}

const PARALLEL_LOOKUPS = 32;

/** One result per address, in the same order. */
export async function validateAddresses<Of extends ReadAddress>(
  deps: ValidationDeps,
  organizationId: string,
  addresses: readonly Of[],
  { budgetMs }: ValidationOptions,
): Promise<ValidationResult<Of>[]> {
  const good = addresses.filter((address): address is Of & Address => address.ok);
  const [own, failures, facts] = await Promise.all([
    deps.ownLists(organizationId),
    deps.pastFailures(organizationId, [...new Set(good.map((address) => address.key))]),
    factsOf(deps, new Set(good.map((address) => address.domain)), budgetMs),
  ]);
  const atMs = deps.clock.nowMs();
  return addresses.map((address) => {
    const past = address.ok ? (failures.get(address.key) ?? null) : null;
    const known = (address.ok && facts.get(address.domain)) || LITERAL;
    const assessment = assess(address, { lists: deps.lists, own, facts: known, past });
    return { address, atMs, ...assessment };
  });
}

const LITERAL: DomainFacts = { kind: 'literal' };

/** A fixed number of concurrent lookups, so that a batch of unresponsive domains does not flood the resolver. */
async function factsOf(
  deps: ValidationDeps,
  domains: ReadonlySet<MailDomain>,
  budgetMs: number,
): Promise<ReadonlyMap<MailDomain, DomainFacts>> {
  const facts = new Map<MailDomain, DomainFacts>();
  const waiting: MailDomain[] = [];
  for (const domain of domains) {
    const decided = decideOffline(domain, deps.sandboxDomains);
    if (decided === null) waiting.push(domain);
    else facts.set(domain, decided);
  }
  // Elapsed real time rather than `clock`, because the limit bounds the caller's actual wait.
  const until = performance.now() + budgetMs;
  const leftMs = () => until - performance.now();
  const take = async () => {
    for (let domain = waiting.pop(); domain !== undefined; domain = waiting.pop()) {
      facts.set(domain, await lookUpDomain(deps.resolver, domain, deps.routable, leftMs));
    }
  };
  await Promise.all(Array.from({ length: Math.min(PARALLEL_LOOKUPS, waiting.length) }, take));
  return facts;
}

function decideOffline(domain: MailDomain, sandboxDomains: ReadonlySet<string>): DomainFacts | null {
  if (domain.startsWith('[')) return LITERAL;
  if (sandboxDomains.has(domain)) return { kind: 'sandbox' };
  return isSpecialUse(domain) ? { kind: 'special_use' } : null;
}
