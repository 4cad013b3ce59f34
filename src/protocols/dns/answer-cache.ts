/**
 * The cache of DNS answers. Owns a bounded LRU map from a question to its last answer. States of an answer:
 *
 *   fresh  → returned without a query
 *   aging  → returned, and refreshed in the background: the last fifth of its lifetime
 *   stale  → positive answers only: returned for up to STALE_MS when a new query got no answer
 *   gone   → as if never queried
 *
 * Negative answers never become stale, because a stale "does not exist" would permanently fail deliveries
 * while the server is unreachable.
 */
import { BoundedMap } from '../../runtime/bounded-map.ts';
import type { Clock } from '../../runtime/clock.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../runtime/durations.ts';
import type { Answer, Timed } from './answer.ts';

/** Node reports TTLs of addresses only; MX and TXT are kept this long. */
const UNKNOWN_TTL_MS = 5 * MINUTE_MS;
const MAX_TTL_MS = HOUR_MS;
/** A TTL of 0 must not cause a query for every message to a busy domain. */
const MIN_TTL_MS = 5 * SECOND_MS;
/** Short, so that a repaired domain is noticed soon. */
const NEGATIVE_MS = MINUTE_MS;
const UNAVAILABLE_MS = 30 * SECOND_MS;
/** Most DNS outages end within hours; the hosts rarely move in that time. */
const STALE_MS = 6 * HOUR_MS;
const AGING_PART = 0.2;

interface Entry {
  readonly answer: Answer<unknown>;
  readonly askedAtMs: number;
  readonly agingFromMs: number;
  readonly freshUntilMs: number;
  readonly staleUntilMs: number;
}

export class AnswerCache {
  readonly #clock: Clock;
  readonly #entries: BoundedMap<string, Entry>;

  constructor(clock: Clock, maxEntries: number) {
    this.#clock = clock;
    this.#entries = new BoundedMap(maxEntries);
  }

  fresh(question: string): Answer<unknown> | undefined {
    const entry = this.#entries.get(question);
    if (!entry || entry.freshUntilMs <= this.#clock.nowMs()) return undefined;
    this.#entries.use(question);
    return entry.answer;
  }

  isAging(question: string): boolean {
    const entry = this.#entries.get(question);
    if (entry === undefined || entry.answer.kind === 'unavailable') return false;
    return entry.agingFromMs <= this.#clock.nowMs();
  }

  stale(question: string): Answer<unknown> | undefined {
    const entry = this.#entries.get(question);
    if (entry?.answer.kind !== 'found' || entry.staleUntilMs <= this.#clock.nowMs()) return undefined;
    return entry.answer;
  }

  /** `askedAtMs` prevents a slow, older query from overwriting the answer of a later one. */
  learn(question: string, timed: Timed<unknown>, askedAtMs: number): void {
    const known = this.#entries.get(question);
    if (known && known.askedAtMs > askedAtMs) return;
    const nowMs = this.#clock.nowMs();
    const freshMs = keepMs(timed);
    const freshUntilMs = nowMs + freshMs;
    const agingFromMs = freshUntilMs - freshMs * AGING_PART;
    if (timed.answer.kind === 'unavailable' && known && this.stale(question)) {
      this.#entries.set(question, {
        ...known,
        agingFromMs,
        freshUntilMs: Math.min(freshUntilMs, known.staleUntilMs),
        askedAtMs,
      });
      return;
    }
    this.#entries.set(question, {
      answer: timed.answer,
      askedAtMs,
      agingFromMs,
      freshUntilMs,
      staleUntilMs: freshUntilMs + STALE_MS,
    });
  }
}

function keepMs({ answer, ttlMs }: Timed<unknown>): number {
  switch (answer.kind) {
    case 'found':
      return Math.min(Math.max(ttlMs ?? UNKNOWN_TTL_MS, MIN_TTL_MS), MAX_TTL_MS);
    case 'none':
    case 'nxdomain':
      return NEGATIVE_MS;
    case 'unavailable':
      return UNAVAILABLE_MS;
  }
}
