/**
 * Counts the outcomes of mail that a canary moves, on the new and on the old path. Counted in memory and written once a second.
 * Counts that cannot be written are kept, so that a canary is never judged by half of its mail.
 */

import type { Sql } from '../../database/sql.ts';
import type { CanaryTaken } from '../../events/attempts.ts';
import { addCanaryCounts, type CountedPath } from '../../routing/canary/counts.ts';
import type { CanaryPath } from '../../routing/canary/plan.ts';
import type { Service } from '../../runtime/lifecycle.ts';
import type { Log } from '../../runtime/log.ts';
import { Rounds } from '../../runtime/work-loop/rounds.ts';
import type { TransportOutcome } from './transport-outcome.ts';

interface CanaryOutcomesOptions {
  readonly db: Sql;
  readonly log: Log;
}

/** Reasons that depend on the mailbox, on us, or on how receivers treat any new sender. */
const INDEPENDENT_OF_PATH: ReadonlySet<string> = new Set([
  ...['greylisted', 'mailbox_full', 'mailbox_unavailable', 'recipient_receives_too_fast'],
  ...['address_being_verified', 'dns_unavailable', 'interrupted', 'internal_error'],
]);

const WRITE_EVERY_MS = 1_000;
/** Counters, one for each canary, provider and path. A table has a few canaries, and there are a few dozen providers. */
const MAX_NOTED = 10_000;

type Noted = { -readonly [field in keyof CountedPath]: CountedPath[field] };

export class CanaryOutcomes implements Service {
  readonly name = 'outcomes of canaries';
  readonly #options: CanaryOutcomesOptions;
  #noted = new Map<string, Noted>();
  readonly #rounds = new Rounds(() => this.#write(), WRITE_EVERY_MS);

  constructor(options: CanaryOutcomesOptions) {
    this.#options = options;
  }

  start(): Promise<void> {
    return this.#rounds.start();
  }

  stop(): Promise<void> {
    return this.#rounds.stop();
  }

  note(attempt: TransportOutcome): void {
    const { canary } = attempt.route;
    if (canary !== undefined) this.#count(attempt, canary);
  }

  #count(attempt: TransportOutcome, { name, way, instead }: CanaryTaken): void {
    const { provider, outcome, reason, isFirstAttempt } = attempt;
    const isDeferred = outcome === 'deferred' && !INDEPENDENT_OF_PATH.has(reason ?? '');
    const taken = this.#notedOf(name, provider, way);
    if (isFirstAttempt) taken.sent += 1;
    if (isFirstAttempt && isDeferred) taken.deferred += 1;
    if (outcome === 'bounced') taken.bounced += 1;
    if (!instead || !isFirstAttempt) return;
    const missed = this.#notedOf(name, provider, 'new');
    missed.sent += 1;
    missed.deferred += 1;
  }

  #notedOf(canary: string, provider: string, way: CanaryPath): Noted {
    const key = `${canary} ${provider} ${way}`;
    const known = this.#noted.get(key);
    if (known !== undefined) return known;
    const noted = { canary, provider, way, sent: 0, deferred: 0, bounced: 0, complained: 0 };
    if (this.#noted.size < MAX_NOTED) this.#noted.set(key, noted);
    return noted;
  }

  async #write(): Promise<void> {
    if (this.#noted.size === 0) return;
    const { db, log } = this.#options;
    const noted = [...this.#noted.values()];
    this.#noted = new Map();
    await addCanaryCounts(db, noted).catch((error: unknown) => {
      log.warn({ err: error }, 'outcomes of a canary cannot be saved yet');
      for (const one of noted) this.#keep(one);
    });
  }

  #keep({ canary, provider, way, sent, deferred, bounced }: CountedPath): void {
    const known = this.#notedOf(canary, provider, way);
    known.sent += sent;
    known.deferred += deferred;
    known.bounced += bounced;
  }
}
