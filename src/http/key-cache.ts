/**
 * Remembers for a moment what the lookup of an API key (or of a session) said, so that a busy client does not cost a
 * query per request.
 *
 * Owns two bounded maps from the SHA-256 of a token to an answer with an end of life: known keys and unknown ones,
 * apart, so that a flood of guesses cannot push real keys out. A third map holds lookups under way: many requests
 * with one key wait for one query. Life is counted from before the query, so a revoked key is refused at most
 * `TTL_MS` after its revocation was committed. A lookup that fails is not remembered, nor is one that was under way
 * when everything was forgotten.
 *
 * Unknown keys are looked up so many times a minute for each address. A key that was good lately is looked up in any
 * case: clients behind one address are not kept out by the one among them that guesses.
 */
import { type Clock, steadyClock } from '../runtime/clock.ts';
import { DAY_MS } from '../runtime/durations.ts';
import { TtlCache } from '../runtime/ttl-cache.ts';
import type { Principal } from './principal.ts';
import type { UnauthenticatedQuotas } from './unauthenticated-quotas.ts';

/** Revocation takes effect within a second; the rest of the second is for the query and the handler. */
const TTL_MS = 800;
const MAX_KEYS = 10_000;
const GOOD_LATELY_MS = DAY_MS;

export type FindPrincipal = (tokenHash: Buffer) => Promise<Principal | null>;

export class KeyCache {
  readonly #find: FindPrincipal;
  readonly #clock: Clock;
  readonly #known: TtlCache<Principal>;
  readonly #unknown: TtlCache<null>;
  readonly #goodLately: TtlCache<true>;
  readonly #quotas: UnauthenticatedQuotas | undefined;
  readonly #underWay = new Map<string, Promise<Principal | null>>();
  #generation = 0;

  /** Its clock is never set: a revoked key would be good for as long as the clock was set back. */
  constructor(find: FindPrincipal, clock: Clock = steadyClock, quotas?: UnauthenticatedQuotas) {
    this.#find = find;
    this.#clock = clock;
    this.#quotas = quotas;
    this.#goodLately = new TtlCache({ keepMs: GOOD_LATELY_MS, max: MAX_KEYS, clock });
    this.#known = new TtlCache({ keepMs: TTL_MS, max: MAX_KEYS, clock });
    this.#unknown = new TtlCache({ keepMs: TTL_MS, max: MAX_KEYS, clock });
  }

  /** Throws where its address has brought too many unknown keys. */
  lookUp(tokenHash: Buffer, address?: string): Principal | null | Promise<Principal | null> {
    const key = tokenHash.toString('base64');
    const answer = this.#known.get(key) ?? this.#unknown.get(key);
    if (answer !== undefined) return answer;
    const running = this.#underWay.get(key);
    if (running) return running;
    const asked = this.#goodLately.get(key) ? undefined : address;
    // Counted before it is known: many at once must not slip through.
    if (asked !== undefined) this.#quotas?.take(asked, 'keyLookUps');
    const started = this.#ask(key, () => this.#findCounted(tokenHash, asked)).finally(() => {
      if (this.#underWay.get(key) === started) this.#underWay.delete(key);
    });
    this.#underWay.set(key, started);
    return started;
  }

  /** After something was revoked through this process, so that it holds here at once. */
  forgetAll(): void {
    this.#generation += 1;
    this.#known.clear();
    this.#unknown.clear();
    this.#underWay.clear();
  }

  /** Only what is found to be unknown stays counted: a database that is away is not the client's doing. */
  async #findCounted(tokenHash: Buffer, counted: string | undefined): Promise<Principal | null> {
    let isUnknown = false;
    try {
      const principal = await this.#find(tokenHash);
      isUnknown = principal === null;
      return principal;
    } finally {
      if (!isUnknown && counted !== undefined) this.#quotas?.giveBack(counted, 'keyLookUps');
    }
  }

  async #ask(key: string, find: () => Promise<Principal | null>): Promise<Principal | null> {
    const askedMs = this.#clock.nowMs();
    const generation = this.#generation;
    const principal = await find();
    if (principal !== null) this.#goodLately.set(key, true, askedMs);
    if (generation !== this.#generation) return principal;
    if (principal === null) {
      this.#known.delete(key);
      this.#unknown.set(key, null, askedMs);
    } else {
      this.#unknown.delete(key);
      this.#known.set(key, principal, askedMs);
    }
    return principal;
  }
}
