/**
 * Remembers for a moment what the look-up of an API key (or of a session) said, so that a busy client does not cost a
 * query per request.
 *
 * Owns two bounded maps from the SHA-256 of a token to an answer with an end of life: known keys and unknown ones,
 * apart, so that a flood of guesses cannot push real keys out. A third map holds look-ups under way: many requests
 * with one key wait for one query. Life is counted from before the query, so a revoked key is refused at most
 * `TTL_MS` after its revocation was committed. A look-up that fails is not remembered, nor is one that was under way
 * when everything was forgotten.
 */
import { type Clock, steadyClock } from '../runtime/clock.ts';
import type { Principal } from './principal.ts';

/** Revocation takes effect within a second; the rest of the second is for the query and the handler. */
const TTL_MS = 800;
const MAX_KEYS = 10_000;

export type FindPrincipal = (tokenHash: Buffer) => Promise<Principal | null>;

interface Answer {
  readonly principal: Principal | null;
  readonly untilMs: number;
}

export class KeyCache {
  readonly #find: FindPrincipal;
  readonly #clock: Clock;
  readonly #known = new Map<string, Answer>();
  readonly #unknown = new Map<string, Answer>();
  readonly #underWay = new Map<string, Promise<Principal | null>>();
  #generation = 0;

  /** Its clock is never set: a revoked key would be good for as long as the clock was set back. */
  constructor(find: FindPrincipal, clock: Clock = steadyClock) {
    this.#find = find;
    this.#clock = clock;
  }

  lookUp(tokenHash: Buffer): Principal | null | Promise<Principal | null> {
    const key = tokenHash.toString('base64');
    const answer = this.#known.get(key) ?? this.#unknown.get(key);
    if (answer && this.#clock.nowMs() < answer.untilMs) return answer.principal;
    const running = this.#underWay.get(key);
    if (running) return running;
    const started = this.#ask(key, tokenHash).finally(() => {
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

  async #ask(key: string, tokenHash: Buffer): Promise<Principal | null> {
    const untilMs = this.#clock.nowMs() + TTL_MS;
    const generation = this.#generation;
    const principal = await this.#find(tokenHash);
    if (generation !== this.#generation) return principal;
    const [into, outOf] = principal ? [this.#known, this.#unknown] : [this.#unknown, this.#known];
    outOf.delete(key);
    into.delete(key); // set again at the end: the oldest are the first to go
    into.set(key, { principal, untilMs });
    if (into.size > MAX_KEYS) into.delete(into.keys().next().value as string);
    return principal;
  }
}
