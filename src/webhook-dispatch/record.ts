/**
 * Recording: what attempts found out becomes the truth, in batches. Each flush is one transaction over the
 * deliveries and, where its health changed, the endpoint. While the database is away the batch in hand is tried
 * until it works.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../database/database.ts';
import { isUnavailable } from '../database/errors.ts';
import type { Sql } from '../database/sql.ts';
import { settleWebhooks, type WebhookSettlement } from '../events/webhook-queue.ts';
import { disableEndpoints, endpointsFail, endpointsWork } from '../resources/webhooks/store.ts';
import type { Log } from '../runtime/log.ts';
import { Batcher } from '../work-loop/batcher.ts';
import type { Endpoint } from './directory.ts';

export interface Attempted extends WebhookSettlement {
  /** As it was known when the attempt was made; null when it was deleted. */
  readonly endpoint: Endpoint | null;
  readonly atMs: number;
  readonly gone: boolean;
  /** False when the endpoint was not even asked. */
  readonly asked: boolean;
}

const LINGER_MS = 5;
const MAX_BATCH = 1_000;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;
const PATIENCE_MS = 5 * 86_400_000;

export interface RecorderOptions {
  readonly db: Database;
  readonly log: Log;
  readonly epoch: number;
  /** How much faster than real time an endpoint's failing ages. */
  readonly speed: number;
}

export class WebhookRecorder {
  readonly #options: RecorderOptions;
  readonly #batcher: Batcher<Attempted, undefined>;

  constructor(options: RecorderOptions) {
    this.#options = options;
    this.#batcher = new Batcher({
      flush: (attempted) => this.#flush(attempted),
      maxBatchItems: MAX_BATCH,
      maxQueuedItems: Number.POSITIVE_INFINITY, // bounded by the work in hand
      lingerMs: LINGER_MS,
    });
  }

  /** Resolves when it is in the database. */
  async record(attempted: Attempted): Promise<void> {
    await this.#batcher.add(attempted);
  }

  drained(): Promise<void> {
    return this.#batcher.drained();
  }

  async #flush(attempted: readonly Attempted[]): Promise<readonly undefined[]> {
    const { db, log } = this.#options;
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      try {
        await db.transaction((tx) => this.#settle(tx, attempted));
        return attempted.map(() => undefined);
      } catch (error) {
        if (!isUnavailable(error)) throw error;
        log.warn({ err: error, retryMs: pauseMs }, 'cannot record webhook attempts, trying again');
        await sleep(pauseMs);
      }
    }
  }

  async #settle(tx: Sql, attempted: readonly Attempted[]): Promise<void> {
    const { epoch, log, speed } = this.#options;
    const settled = await settleWebhooks(tx, epoch, attempted);
    if (settled < attempted.length)
      log.warn({ deliveries: attempted.length - settled }, 'webhook attempts came too late to be recorded');
    const at = new Date(attempted.reduce((max, one) => Math.max(max, one.atMs), 0));
    const { working, failing, longFailing, gone } = healthOf(attempted, at.getTime() - PATIENCE_MS / speed);
    if (working.length > 0) await endpointsWork(tx, working);
    if (failing.length > 0) await endpointsFail(tx, failing, at);
    const disabled = gone.length === 0 ? [] : await disableEndpoints(tx, gone, { reason: 'gone', at });
    if (longFailing.length > 0) {
      const failingSince = new Date(at.getTime() - PATIENCE_MS / speed);
      disabled.push(...(await disableEndpoints(tx, longFailing, { reason: 'failing', at, failingSince })));
    }
    if (disabled.length > 0) log.warn({ webhooks: disabled }, 'disabled webhooks');
  }
}

/** In order of ids, so that two flushes never wait for each other in a circle. Usually all of them are empty. */
function healthOf(attempted: readonly Attempted[], patientUntilMs: number) {
  const working = new Set<string>();
  const failing = new Set<string>();
  const longFailing = new Set<string>();
  const gone = new Set<string>();
  const good = new Set(
    attempted.filter((one) => one.state === 'delivered').map((one) => one.claim.endpointId),
  );
  for (const { endpoint, asked, gone: isGone } of attempted) {
    if (endpoint === null || !asked) continue;
    const since = endpoint.failing_since?.getTime();
    if (isGone) gone.add(endpoint.id);
    if (good.has(endpoint.id)) {
      if (since !== undefined) working.add(endpoint.id);
    } else if (since === undefined) failing.add(endpoint.id);
    else if (since <= patientUntilMs) longFailing.add(endpoint.id);
  }
  return {
    working: [...working].sort(),
    failing: [...failing].sort(),
    longFailing: [...longFailing].sort(),
    gone: [...gone].sort(),
  };
}
