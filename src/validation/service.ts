/**
 * Validating addresses: the world is asked (DNS, the organization's lists, its own history), each domain once however
 * many addresses share it, then every address is assessed by itself. Whatever DNS has not answered within the budget
 * is unknown, and unknown is never a no.
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
  /** Which addresses of mail hosts can be reached. */
  readonly routable: Routable;
  /** Reserved names that take mail all the same: those of the sandbox, while it runs. */
  readonly sandboxDomains: ReadonlySet<string>;
  /** The allow and deny lists of an organization. */
  readonly ownLists: (organizationId: string) => Promise<OwnLists>;
  /** What is known of these mailboxes (by `Address.key`); those that never failed are left out. */
  readonly pastFailures: (
    organizationId: string,
    keys: readonly AddressKey[],
  ) => Promise<ReadonlyMap<AddressKey, PastFailure>>;
}

/** What was read of a text that is to be validated. */
export type ReadAddress = Address | AddressProblem;

export interface ValidationResult<Of extends ReadAddress = ReadAddress> extends Assessment {
  readonly address: Of;
  readonly atMs: number;
}

export interface ValidationOptions {
  /** How long DNS may take for all addresses together. */
  readonly budgetMs: number;
}

const PARALLEL_LOOKUPS = 32;

/** One result per address, in their order. */
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

/** A fixed number of takers share the list, so that a batch of dead domains does not flood the resolver. */
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
  // Real time, not the clock's: what is bounded is how long somebody really waits.
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
