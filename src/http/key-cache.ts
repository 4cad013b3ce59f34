/**
 * Caches lookups of API keys and sessions for a moment, so that a busy client does not cost one query per
 * request.
 *
 * Owns two bounded maps from the SHA-256 of a token to a result with an expiry: known and unknown keys are
 * kept apart, so that a flood of guesses cannot evict real keys. A third map holds lookups in flight, so that
 * many requests with one key share one query. The lifetime starts before the query, so a revoked key is
 * refused at most `TTL_MS` after its revocation was committed. Failed lookups are not cached, nor are lookups
 * that were in flight when the cache was cleared.
 *
 * The number of unknown keys per minute and address is limited. A recently valid key is always looked up: one
 * guessing client does not lock out the other clients of its address.
 */
import { type Clock, steadyClock } from '../runtime/clock.ts';
import { DAY_MS } from '../runtime/durations.ts';
import { TtlCache } from '../runtime/ttl-cache.ts';
import type { Principal } from './principal.ts';
import type { UnauthenticatedQuotas } from './unauthenticated-quotas.ts';

/** Revocations must take effect within 1 s; the rest of the second is for the query and the handler. */
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

  /**
   * Needs a monotonic clock: with a wall clock, a revoked key would stay valid for as long as the clock was
   * set back.
   */
  constructor(find: FindPrincipal, clock: Clock = steadyClock, quotas?: UnauthenticatedQuotas) {
    this.#find = find;
    this.#clock = clock;
    this.#quotas = quotas;
    this.#goodLately = new TtlCache({ keepMs: GOOD_LATELY_MS, max: MAX_KEYS, clock });
    this.#known = new TtlCache({ keepMs: TTL_MS, max: MAX_KEYS, clock });
    this.#unknown = new TtlCache({ keepMs: TTL_MS, max: MAX_KEYS, clock });
  }

  /** Throws when the address has sent too many unknown keys. */
  lookUp(tokenHash: Buffer, address?: string): Principal | null | Promise<Principal | null> {
    const key = tokenHash.toString('base64');
    const answer = this.#known.get(key) ?? this.#unknown.get(key);
    if (answer !== undefined) return answer;
    const running = this.#underWay.get(key);
    if (running) return running;
    const asked = this.#goodLately.get(key) ? undefined : address;
    // Counted before the lookup, so that many concurrent requests cannot exceed the limit.
    if (asked !== undefined) this.#quotas?.take(asked, 'keyLookUps');
    const started = this.#ask(key, () => this.#findCounted(tokenHash, asked)).finally(() => {
      if (this.#underWay.get(key) === started) this.#underWay.delete(key);
    });
    this.#underWay.set(key, started);
    return started;
  }

  /** Makes a revocation through this process take effect at once. */
  forgetAll(): void {
    this.#generation += 1;
    this.#known.clear();
    this.#unknown.clear();
    this.#underWay.clear();
  }

  /** The next lookup of this one asks the database. */
  forget(tokenHash: Buffer): void {
    const key = tokenHash.toString('base64');
    this.#known.delete(key);
    this.#underWay.delete(key);
  }

  /** Only lookups of unknown keys stay counted: an unavailable database is not the client's fault. */
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
