/**
 * Finds the MTA-STS policy of a domain. Owns a bounded cache of policies and the lookups in flight; behind it
 * is a persistent store shared by all processes.
 *
 * A domain is checked again after LOOK_AGAIN_MS with one TXT query. Its policy is fetched when the id in DNS
 * has changed; in addition, `refreshDue` fetches it daily in the background. After any failure (DNS, HTTPS,
 * an unreadable policy) the known state stays: a policy until it expires, or none. So an attacker who blocks
 * the fetch gains nothing against a domain that was mailed before, which is all that MTA-STS promises.
 */
import { BoundedMap } from '../../runtime/bounded-map.ts';
import type { Clock } from '../../runtime/clock.ts';
import { HOUR_MS, MINUTE_MS } from '../../runtime/durations.ts';
import { parsePolicy, policyId, type StsPolicy } from './mta-sts-policy.ts';
import type { Resolver } from './resolver.ts';

/** The text of a domain's policy, or null when it is unavailable. */
export type FetchPolicy = (domain: string) => Promise<string | null>;

export interface KnownPolicy {
  /** The id in DNS at that time. */
  readonly id: string;
  readonly policy: StsPolicy;
  readonly fetchedAtMs: number;
}

/**
 * The store of policies, shared by all senders. Rejects when it is unavailable: a domain's policy is then
 * unknown.
 */
export interface PolicyStore {
  find(domain: string): Promise<KnownPolicy | null>;
  save(domain: string, known: KnownPolicy): Promise<void>;
  /** Domains whose policy must be refreshed, each assigned to one caller. */
  takeDue(limit: number): Promise<readonly string[]>;
}

interface StsPoliciesOptions {
  readonly resolver: Pick<Resolver, 'txt'>;
  readonly clock: Clock;
  readonly fetch: FetchPolicy;
  readonly store: PolicyStore;
  readonly maxEntries?: number;
}

const LOOK_AGAIN_MS = 5 * MINUTE_MS;
/** Another process may have fetched a newer policy. */
const READ_AGAIN_MS = HOUR_MS;
/** Short, because mail waits for this query and most domains have no such record. */
const TXT_DEADLINE_MS = 3_000;
const DEFAULT_MAX_ENTRIES = 20_000;
const REFRESHED_AT_ONCE = 20;

interface Entry {
  readonly known: KnownPolicy | null;
  /** DNS and HTTPS gave conclusive answers. */
  readonly isSure: boolean;
  readonly lookAgainAtMs: number;
  readonly readAgainAtMs: number;
}

export class StsPolicies {
  readonly #options: StsPoliciesOptions;
  readonly #entries: BoundedMap<string, Entry>;
  readonly #underWay = new Map<string, Promise<StsPolicy | null>>();

  constructor(options: StsPoliciesOptions) {
    this.#options = options;
    this.#entries = new BoundedMap(options.maxEntries ?? DEFAULT_MAX_ENTRIES);
  }

  /** Synchronous for a known domain, because this is called for every message. */
  policyFor(domain: string): StsPolicy | null | Promise<StsPolicy | null> {
    if (domain.startsWith('[')) return null;
    const entry = this.#entries.get(domain);
    if (entry !== undefined && entry.lookAgainAtMs > this.#nowMs())
      return this.#valid(entry.known)?.policy ?? null;
    const underWay = this.#underWay.get(domain);
    if (underWay !== undefined) return underWay;
    const look = this.#look(domain, entry).finally(() => this.#underWay.delete(domain));
    this.#underWay.set(domain, look);
    return look;
  }

  /** False when there may be a policy that could not be fetched. Call after `policyFor`. */
  isSure(domain: string): boolean {
    return this.#entries.get(domain)?.isSure ?? true;
  }

  /**
   * A chore: refreshes policies that were fetched a day ago, regardless of mail. Ends early when the signal
   * aborts.
   */
  async refreshDue(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const domains = await this.#options.store.takeDue(REFRESHED_AT_ONCE);
      await Promise.all(domains.map((domain) => this.#refresh(domain)));
      if (domains.length < REFRESHED_AT_ONCE) return;
    }
  }

  async #look(domain: string, entry: Entry | undefined): Promise<StsPolicy | null> {
    const isRead = entry !== undefined && entry.readAgainAtMs > this.#nowMs();
    const [id, stored] = await Promise.all([
      this.#idOf(domain),
      isRead ? null : this.#options.store.find(domain),
    ]);
    const known = this.#valid(newer(entry?.known ?? null, stored));
    const isNew = typeof id === 'string' && known?.id !== id;
    const fetched = isNew ? await this.#fetch(domain, id) : null;
    const found = fetched ?? known;
    const isSure = id !== undefined && (!isNew || fetched !== null);
    this.#learn(domain, found, isSure, isRead ? entry.readAgainAtMs : this.#nowMs() + READ_AGAIN_MS);
    return found?.policy ?? null;
  }

  async #refresh(domain: string): Promise<void> {
    const id = await this.#idOf(domain);
    const found = typeof id === 'string' ? await this.#fetch(domain, id) : null;
    if (found !== null) this.#learn(domain, found, true, this.#nowMs() + READ_AGAIN_MS);
  }

  /** Null without a policy, undefined when DNS did not answer. */
  async #idOf(domain: string): Promise<string | null | undefined> {
    const txt = await this.#options.resolver.txt(`_mta-sts.${domain}`, { deadlineMs: TXT_DEADLINE_MS });
    if (txt.kind === 'unavailable') return undefined;
    return txt.kind === 'found' ? policyId(txt.records) : null;
  }

  async #fetch(domain: string, id: string): Promise<KnownPolicy | null> {
    const text = await this.#options.fetch(domain);
    const policy = text === null ? null : parsePolicy(text);
    if (policy === null) return null;
    const known = { id, policy, fetchedAtMs: this.#nowMs() };
    await this.#options.store.save(domain, known);
    return known;
  }

  #learn(domain: string, known: KnownPolicy | null, isSure: boolean, readAgainAtMs: number): void {
    this.#entries.set(domain, { known, isSure, readAgainAtMs, lookAgainAtMs: this.#nowMs() + LOOK_AGAIN_MS });
  }

  #valid(known: KnownPolicy | null): KnownPolicy | null {
    return known !== null && known.fetchedAtMs + known.policy.maxAgeMs > this.#nowMs() ? known : null;
  }

  #nowMs(): number {
    return this.#options.clock.nowMs();
  }
}

function newer(one: KnownPolicy | null, other: KnownPolicy | null): KnownPolicy | null {
  if (one === null || other === null) return one ?? other;
  return other.fetchedAtMs > one.fetchedAtMs ? other : one;
}
