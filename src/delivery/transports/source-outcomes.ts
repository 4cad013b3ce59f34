/**
 * Counts accepted mail and objections by source address, for the warm-up of the following days. The counts are kept in memory and
 * written once a second. A killed worker loses the counts of its last second, which does no harm.
 */
import type { Sql } from '../../database/sql.ts';
import { addOutcomes } from '../../routing/source-days.ts';
import type { Service } from '../../runtime/lifecycle.ts';
import type { Log } from '../../runtime/log.ts';
import { utcDay } from '../../runtime/timestamp.ts';
import { Rounds } from '../../runtime/work-loop/rounds.ts';
import type { TransportOutcome } from './transport-outcome.ts';

interface SourceOutcomesOptions {
  readonly db: Sql;
  readonly log: Log;
}

/** Reasons that are about our address or our mail, and not about the mailbox or a temporary state. */
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

  note({ route: { source }, provider, outcome, reason, atMs }: TransportOutcome): void {
    if (source === null) return;
    const isDelivered = outcome === 'delivered';
    if (!isDelivered && !OBJECTIONS.has(reason ?? '')) return;
    const key = `${source} ${provider} ${utcDay(atMs)}`;
    const noted = this.#noted.get(key) ?? { delivered: 0, objected: 0 };
    noted[isDelivered ? 'delivered' : 'objected'] += 1;
    this.#noted.set(key, noted);
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
      log.warn({ err: error }, 'outcomes of a source address cannot be saved'),
    );
  }
}
