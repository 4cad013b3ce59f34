/**
 * Recording: what attempts found out becomes the truth, in batches. Each flush is one transaction over the
 * deliveries and, where its health changed, the endpoint. While the database is away the batch in hand is tried
 * until it works. What cannot be recorded for another reason is tried again alone, beside the others: given back, it would
 * be sent a second time.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../kit/database/database.ts';
import { isInternal, isUnavailable } from '../../kit/database/errors.ts';
import type { Sql } from '../../kit/database/sql.ts';
import { DAY_MS, MINUTE_MS } from '../../kit/runtime/durations.ts';
import { GrowingPause } from '../../kit/runtime/growing-pause.ts';
import type { Log } from '../../kit/runtime/log.ts';
import { Batcher } from '../../kit/work-loop/batcher.ts';
import { disableEndpoints, endpointsFail, endpointsWork, type FailedCall } from '../endpoints/store.ts';
import { type EndpointName, settleWebhooks, type WebhookSettlement } from '../queue.ts';
import type { DispatchEndpoint } from './directory.ts';

export interface Attempted extends WebhookSettlement {
  /** As it was known when the attempt was made; null when it was deleted. */
  readonly endpoint: DispatchEndpoint | null;
  readonly atMs: number;
  readonly gone: boolean;
  /** False when the endpoint was not even asked. */
  readonly asked: boolean;
}

const LINGER_MS = 5;
const MAX_BATCH = 1_000;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_ALONE_MS = MINUTE_MS;
const PATIENCE_MS = 5 * DAY_MS;

export interface WebhookRecorderOptions {
  readonly db: Database;
  readonly log: Log;
  readonly epoch: number;
  /** How much faster than real time an endpoint's failing ages. */
  readonly speed: number;
}

export class WebhookRecorder {
  readonly #options: WebhookRecorderOptions;
  readonly #batcher: Batcher<Attempted, undefined>;

  constructor(options: WebhookRecorderOptions) {
    this.#options = options;
    this.#batcher = new Batcher({
      flush: (attempted) => this.#flush(attempted),
      maxBatchItems: MAX_BATCH,
      maxQueuedItems: Number.POSITIVE_INFINITY, // bounded by the work in hand
      lingerMs: LINGER_MS,
      retryAlone: () => true,
    });
  }

  /** Resolves when it is in the database, and never rejects. */
  async record(attempted: Attempted): Promise<void> {
    const pause = new GrowingPause(FIRST_PAUSE_MS, LONGEST_PAUSE_ALONE_MS);
    for (;;) {
      try {
        await this.#batcher.add(attempted);
        return;
      } catch (error) {
        const { endpointId, eventId } = attempted.claim;
        this.#options.log.error(
          { err: error, webhook: endpointId, eventId },
          'a webhook attempt cannot be recorded, trying again',
        );
      }
      await sleep(pause.next());
    }
  }

  drained(): Promise<void> {
    return this.#batcher.drained();
  }

  async #flush(attempted: readonly Attempted[]): Promise<readonly undefined[]> {
    const { db, log } = this.#options;
    const pause = new GrowingPause(FIRST_PAUSE_MS, LONGEST_PAUSE_MS);
    for (;;) {
      try {
        await db.transactionOnce((tx) => this.#settle(tx, attempted));
        return attempted.map(() => undefined);
      } catch (error) {
        if (!isUnavailable(error) || isInternal(error)) throw error; // perhaps because of one of them
        const retryMs = pause.next();
        log.warn({ err: error, retryMs }, 'cannot record webhook attempts, trying again');
        await sleep(retryMs);
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

/**
 * Whether something got through is written down whatever was known of the endpoint before: what was known may be a
 * second old, and a stale `failing_since` would disable it one day. In order of ids, so that two flushes never wait
 * for each other in a circle.
 */
function healthOf(attempted: readonly Attempted[], patientUntilMs: number) {
  const asked = attempted.filter((one) => one.asked && one.endpoint !== null);
  const working = endpointsOf(asked.filter((one) => one.state === 'delivered'));
  const bad = asked.filter((one) => !working.has(one.claim.endpointId));
  const isLong = ({ endpoint }: Attempted) =>
    (endpoint?.failing_since?.getTime() ?? Number.POSITIVE_INFINITY) <= patientUntilMs;
  return {
    working: inOrderOfIds(working),
    failing: inOrderOfIds(failedOf(bad)),
    longFailing: inOrderOfIds(endpointsOf(bad.filter(isLong))),
    gone: inOrderOfIds(endpointsOf(asked.filter((one) => one.gone))),
  };
}

function endpointsOf(attempted: readonly Attempted[]): ReadonlyMap<string, EndpointName> {
  return new Map(attempted.map(({ claim }) => [claim.endpointId, claim]));
}

/** The last error of each. */
function failedOf(attempted: readonly Attempted[]): ReadonlyMap<string, FailedCall> {
  return new Map(
    attempted.map(({ claim: { organizationId, endpointId }, attempt }) => [
      endpointId,
      { organizationId, endpointId, error: attempt.error ?? 'failed' },
    ]),
  );
}

function inOrderOfIds<E extends EndpointName>(endpoints: ReadonlyMap<string, E>): E[] {
  return [...endpoints.values()].sort((a, b) => (a.endpointId < b.endpointId ? -1 : 1));
}
