/**
 * Which MTA-STS policy a domain has. Owns a bounded cache of policies and the lookups under way.
 *
 * A domain is looked at again after LOOK_AGAIN_MS: one TXT question. Its policy is fetched when the id in DNS is not
 * the one that is known, and once a day besides. Whatever fails on the way (DNS, HTTPS, a policy that cannot be read)
 * leaves what is known: a policy until its time is over, or none. So an attacker who can stop the fetch gains nothing
 * against a domain that was written to before, which is all that MTA-STS promises.
 */
import { BoundedMap } from '../runtime/bounded-map.ts';
import type { Clock } from '../runtime/clock.ts';
import { DAY_MS, MINUTE_MS } from '../runtime/durations.ts';
import { parsePolicy, policyId, type StsPolicy } from './mta-sts-policy.ts';
import type { Resolver } from './resolver.ts';

/** The text of a domain's policy, or null where it could not be had. */
export type FetchPolicy = (domain: string) => Promise<string | null>;

export interface StsPoliciesOptions {
  readonly resolver: Pick<Resolver, 'txt'>;
  readonly clock: Clock;
  readonly fetch: FetchPolicy;
  readonly maxEntries?: number;
}

const LOOK_AGAIN_MS = 5 * MINUTE_MS;
const REFRESH_MS = DAY_MS;
/** Mail must not wait long for a question that most domains have no answer to. */
const TXT_DEADLINE_MS = 3_000;
const DEFAULT_MAX_ENTRIES = 20_000;

interface Known {
  readonly id: string;
  readonly policy: StsPolicy;
  readonly fetchedAtMs: number;
}

interface Entry {
  readonly known: Known | null;
  readonly lookAgainAtMs: number;
}

export class StsPolicies {
  readonly #options: StsPoliciesOptions;
  readonly #entries: BoundedMap<string, Entry>;
  readonly #underWay = new Map<string, Promise<StsPolicy | null>>();

  constructor(options: StsPoliciesOptions) {
    this.#options = options;
    this.#entries = new BoundedMap(options.maxEntries ?? DEFAULT_MAX_ENTRIES);
  }

  /** At once where it is known: this is asked for every message. */
  policyFor(domain: string): StsPolicy | null | Promise<StsPolicy | null> {
    if (domain.startsWith('[')) return null;
    const entry = this.#entries.get(domain);
    if (entry !== undefined && entry.lookAgainAtMs > this.#options.clock.nowMs())
      return this.#valid(entry)?.policy ?? null;
    const underWay = this.#underWay.get(domain);
    if (underWay !== undefined) return underWay;
    const look = this.#look(domain, entry).finally(() => this.#underWay.delete(domain));
    this.#underWay.set(domain, look);
    return look;
  }

  async #look(domain: string, entry: Entry | undefined): Promise<StsPolicy | null> {
    const { resolver } = this.#options;
    const known = this.#valid(entry);
    const txt = await resolver.txt(`_mta-sts.${domain}`, { deadlineMs: TXT_DEADLINE_MS });
    const id = txt.kind === 'found' ? policyId(txt.records) : null;
    const found =
      id === null || this.#isCurrent(known, id) ? known : ((await this.#fetch(domain, id)) ?? known);
    this.#entries.set(domain, { known: found, lookAgainAtMs: this.#options.clock.nowMs() + LOOK_AGAIN_MS });
    return found?.policy ?? null;
  }

  async #fetch(domain: string, id: string): Promise<Known | null> {
    const text = await this.#options.fetch(domain);
    const policy = text === null ? null : parsePolicy(text);
    return policy === null ? null : { id, policy, fetchedAtMs: this.#options.clock.nowMs() };
  }

  #valid(entry: Entry | undefined): Known | null {
    const known = entry?.known ?? null;
    if (known === null || known.fetchedAtMs + known.policy.maxAgeMs <= this.#options.clock.nowMs())
      return null;
    return known;
  }

  #isCurrent(known: Known | null, id: string): boolean {
    if (known?.id !== id) return false;
    return this.#options.clock.nowMs() - known.fetchedAtMs < Math.min(REFRESH_MS, known.policy.maxAgeMs / 2);
  }
}
