/**
 * What becomes of mail that a canary moves, on both ways. Noted in memory, and written once a second; while that does not work it is
 * kept, so that a canary does not rise on half of the truth.
 */
import type { CanaryTaken } from '../../events/attempts.ts';
import type { Sql } from '../../kit/database/sql.ts';
import type { Service } from '../../kit/runtime/lifecycle.ts';
import type { Log } from '../../kit/runtime/log.ts';
import { Rounds } from '../../kit/work-loop/rounds.ts';
import { addCanaryCounts, type CountedWay } from '../../routing/canary/counts.ts';
import type { CanaryWay } from '../../routing/canary/plan.ts';
import type { DeliveryRecord, Finished } from '../attempt/delivery-record.ts';

export interface CanaryOutcomesOptions {
  readonly db: Sql;
  readonly log: Log;
}

/** What is about the mailbox, about us, or a habit of receivers with whoever is new to them. */
const NOT_OF_THE_WAY: ReadonlySet<string> = new Set([
  ...['greylisted', 'mailbox_full', 'mailbox_unavailable', 'recipient_receives_too_fast'],
  ...['address_being_verified', 'dns_unavailable', 'interrupted', 'internal_error'],
]);

const WRITE_EVERY_MS = 1_000;
/** Of each canary, provider and way; a table has a few canaries, and there are a few dozen providers. */
const MAX_NOTED = 10_000;

type Noted = { -readonly [field in keyof CountedWay]: CountedWay[field] };

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

  note(records: readonly DeliveryRecord[]): void {
    for (const record of records) {
      const canary = record.kind === 'finished' ? record.attemptLog?.route?.canary : undefined;
      if (canary !== undefined) this.#count(record as Finished, canary);
    }
  }

  #count({ delivery, verdict, attemptLog, labels }: Finished, { name, way, instead }: CanaryTaken): void {
    if (!labels?.site) return;
    const { provider } = labels.site;
    const isFirst = delivery.attempt === 1;
    const isDeferred = verdict.kind === 'deferred' && !NOT_OF_THE_WAY.has(attemptLog?.reason ?? '');
    const taken = this.#notedOf(name, provider, way);
    if (isFirst) taken.sent += 1;
    if (isFirst && isDeferred) taken.deferred += 1;
    if (verdict.kind === 'bounced') taken.bounced += 1;
    if (!instead || !isFirst) return;
    const missed = this.#notedOf(name, provider, 'new');
    missed.sent += 1;
    missed.deferred += 1;
  }

  #notedOf(canary: string, provider: string, way: CanaryWay): Noted {
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
      log.warn({ err: error }, 'what becomes of mail of a canary cannot be noted yet');
      for (const one of noted) this.#keep(one);
    });
  }

  #keep({ canary, provider, way, sent, deferred, bounced }: CountedWay): void {
    const known = this.#notedOf(canary, provider, way);
    known.sent += sent;
    known.deferred += deferred;
    known.bounced += bounced;
  }
}
