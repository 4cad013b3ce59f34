/**
 * The cache of DNS answers. It owns a bounded map, least recently used out first, from a question to its last
 * answer. An answer goes through these states:
 *
 *   fresh  → handed out without asking again
 *   aging  → handed out, and asked again meanwhile: the last fifth of being fresh, so that nobody waits for what is in use
 *   stale  → only a positive one: handed out when asking again gave no answer, for up to STALE_MS
 *   gone   → as if it had never been asked
 *
 * Stale is for positive answers only, because a stale "does not exist" would end deliveries for good on the
 * word of a server that is not there to ask.
 */
import { BoundedMap } from '../../runtime/bounded-map.ts';
import type { Clock } from '../../runtime/clock.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../runtime/durations.ts';
import type { Answer, Timed } from './answer.ts';

/** Node tells the TTL of addresses only; MX and TXT rest this long. */
const UNKNOWN_TTL_MS = 5 * MINUTE_MS;
const MAX_TTL_MS = HOUR_MS;
/** A TTL of 0 must not turn every message to a busy domain into queries. */
const MIN_TTL_MS = 5 * SECOND_MS;
/** Short, so that a mended domain is seen mended soon. */
const NEGATIVE_MS = MINUTE_MS;
const UNAVAILABLE_MS = 30 * SECOND_MS;
/** Most outages of a domain's DNS are over within hours; the hosts behind it rarely move in that time. */
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

  get size(): number {
    return this.#entries.size;
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

  /** `askedAtMs` keeps a slow, old question from overwriting what a later one has learned. */
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
