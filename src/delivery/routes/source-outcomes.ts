/**
 * What receivers say to addresses that are being warmed up, for the days to come. Noted in memory, and written once a second:
 * what a killed worker had not written is not missed.
 */
import type { Sql } from '../../kit/database/sql.ts';
import type { Service } from '../../kit/runtime/lifecycle.ts';
import type { Log } from '../../kit/runtime/log.ts';
import { utcDay } from '../../kit/runtime/moment.ts';
import { Rounds } from '../../kit/work-loop/rounds.ts';
import { addOutcomes } from '../../routing/source-days.ts';
import type { DeliveryRecord } from '../attempt/delivery-record.ts';

export interface SourceOutcomesOptions {
  readonly db: Sql;
  readonly log: Log;
}

/** What is about us or our mail, and not about the mailbox or the moment. */
const OBJECTIONS: ReadonlySet<string> = new Set([
  ...['blocked', 'rate_limited', 'policy_deferral', 'content_refused', 'authentication_failed'],
  ...['host_refused_service', 'reverse_dns_missing', 'hostname_refused', 'sender_refused'],
]);

const WRITE_EVERY_MS = 1_000;

interface Noted {
  delivered: number;
  objected: number;
}

export class SourceOutcomes implements Service {
  readonly name = 'outcomes of addresses';
  readonly #options: SourceOutcomesOptions;
  readonly #noted = new Map<string, Noted>();
  readonly #rounds = new Rounds(() => this.#write(), WRITE_EVERY_MS);

  constructor(options: SourceOutcomesOptions) {
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
      if (record.kind !== 'finished') continue;
      const { verdict, attemptLog, labels, atMs } = record;
      const source = attemptLog?.route?.source ?? null;
      if (source === null || !labels?.site) continue;
      const isDelivered = verdict.kind === 'delivered';
      if (!isDelivered && !OBJECTIONS.has(attemptLog?.reason ?? '')) continue;
      const key = `${source} ${labels.site.provider} ${utcDay(atMs)}`;
      const noted = this.#noted.get(key) ?? { delivered: 0, objected: 0 };
      noted[isDelivered ? 'delivered' : 'objected'] += 1;
      this.#noted.set(key, noted);
    }
  }

  async #write(): Promise<void> {
    if (this.#noted.size === 0) return;
    const { db, log } = this.#options;
    const all = [...this.#noted].map(([key, noted]) => {
      const [address = '', provider = '', day = ''] = key.split(' ');
      return { address, provider, day, ...noted };
    });
    this.#noted.clear();
    await addOutcomes(db, all).catch((error: unknown) =>
      log.warn({ err: error }, 'what receivers say to an address cannot be noted'),
    );
  }
}
