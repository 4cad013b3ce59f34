/** Looking on while a storm is under way, and waiting at its end until nothing is queued or nothing moves any more. */
import { setTimeout as sleep } from 'node:timers/promises';
import { adHoc } from '../../src/database/sql.ts';
import { flush } from '../../src/outbox/make-due.ts';
import type { StormContext } from './scenario.ts';

const EVERY_MS = 10_000;
const POLL_MS = 500;
const LOOK_WITHIN_MS = 3_000;

interface Queued {
  readonly mail: number;
  readonly claimed: number;
  readonly webhooks: number;
}

const selectQueued = adHoc<Queued>(
  `SELECT (SELECT count(*) FROM outbox) AS mail, (SELECT count(*) FROM outbox WHERE worker IS NOT NULL) AS claimed,
          (SELECT count(*) FROM webhook_deliveries WHERE state = 'pending') AS webhooks`,
);

export class Progress {
  readonly #context: StormContext;
  readonly #timer: NodeJS.Timeout;
  readonly #beganMs = performance.now();

  constructor(context: StormContext) {
    this.#context = context;
    // A line that cannot be told, because everything is being ended, is nobody's failure.
    this.#timer = setInterval(() => void this.#tell().catch(() => undefined), EVERY_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async #tell(): Promise<void> {
    const { ledger, log, outside, options, sender } = this.#context;
    const { taken, hooked } = await outside.count();
    const queued = await look(this.#context);
    const seconds = Math.round((performance.now() - this.#beganMs) / 1_000);
    const queue =
      queued === null ? 'the database does not answer' : `${queued.mail} queued (${queued.claimed} claimed)`;
    options.say(
      `${String(seconds).padStart(5)} s  ${ledger.emails('accepted')} accepted, ${taken} delivered, ${queue}, ` +
        `${hooked} webhooks, ${sender.underWay} requests open, ` +
        `${log.strikes('kill-')} kills, ${log.strikes('freeze-')} freezes, ${log.strikes('end-')} sessions ended`,
    );
  }
}

/** Null while the database does not answer. */
export async function look({ installation }: StormContext): Promise<Queued | null> {
  const late = sleep(LOOK_WITHIN_MS, null);
  return Promise.race([installation.db.one(selectQueued).catch(() => null), late]);
}

/** As `postrider queue flush` does: what was deferred is tried again now, not in a minute. */
export async function hurry({ installation }: StormContext): Promise<void> {
  await flush(installation.db, { domains: null, organizationId: null }).catch(() => 0);
}

/** The same for webhooks, for which there is no command; and what is blocked is tried again. */
const hurryWebhooks = adHoc(
  `UPDATE webhook_deliveries SET due_at = now() WHERE state = 'pending' AND worker IS NULL AND due_at > now()`,
);

/** False when there was no change for so long that what is left must be stuck. With `waitsMs` nothing is hurried. */
export async function drain(context: StormContext, waitsMs?: number): Promise<boolean> {
  const stuckAfterMs = waitsMs ?? context.options.stuckAfterMs;
  let last = '';
  let changedMs = performance.now();
  for (;;) {
    const queued = await look(context);
    if (queued !== null && queued.mail === 0 && queued.webhooks === 0) return true;
    const { taken, hooked } = await context.outside.count();
    const now = JSON.stringify([queued, taken, hooked]);
    if (now !== last) changedMs = performance.now();
    last = now;
    if (performance.now() - changedMs > stuckAfterMs) {
      context.options.say(`Nothing moves any more: ${JSON.stringify(queued)}`);
      return false;
    }
    if (waitsMs === undefined) await hurry(context);
    await context.installation.db.exec(hurryWebhooks).catch(() => 0);
    await sleep(POLL_MS);
  }
}
