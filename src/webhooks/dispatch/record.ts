/**
 * Records the outcomes of webhook attempts, in batches (database/durable-writer.ts). Each batch is one transaction over
 * the deliveries and the endpoints whose health changed. An attempt is retried until it is recorded: a released delivery
 * would be sent a second time.
 */
import type { Database } from '../../database/database.ts';
import { DurableWriter } from '../../database/durable-writer.ts';
import type { Sql } from '../../database/sql.ts';
import { DAY_MS } from '../../runtime/durations.ts';
import type { Log } from '../../runtime/log.ts';
import { disableEndpoints, endpointsFail, endpointsWork, type FailedCall } from '../endpoints/store.ts';
import { type EndpointName, settleWebhooks, type WebhookSettlement } from '../queue.ts';
import type { DispatchEndpoint } from './directory.ts';

export interface Attempted extends WebhookSettlement {
  /** The endpoint at the time of the attempt; null when it was deleted. */
  readonly endpoint: DispatchEndpoint | null;
  readonly atMs: number;
  readonly gone: boolean;
  /** False when no request was made. */
  readonly asked: boolean;
}

const LINGER_MS = 5;
/** An endpoint that fails for this long is disabled. */
const MAX_FAILING_MS = 5 * DAY_MS;

interface WebhookRecorderOptions {
  readonly db: Database;
  readonly log: Log;
  readonly epoch: number;
  /** How much faster than real time MAX_FAILING_MS passes. */
  readonly speed: number;
}

export class WebhookRecorder {
  readonly #options: WebhookRecorderOptions;
  readonly #writer: DurableWriter<Attempted>;

  constructor(options: WebhookRecorderOptions) {
    const { db, log } = options;
    this.#options = options;
    this.#writer = new DurableWriter({
      log,
      write: (attempted) => db.transactionOnce((tx) => this.#settle(tx, attempted)),
      lingerMs: LINGER_MS,
      unavailableMessage: 'cannot record webhook attempts, trying again',
      failedMessage: 'a webhook attempt cannot be recorded, trying again',
      fieldsOf: ({ claim: { endpointId, eventId } }) => ({ webhook: endpointId, eventId }),
    });
  }

  /** Resolves when the attempt is in the database, and never rejects. */
  record(attempted: Attempted): Promise<void> {
    return this.#writer.write(attempted);
  }

  drained(): Promise<void> {
    return this.#writer.drained();
  }

  async #settle(tx: Sql, attempted: readonly Attempted[]): Promise<void> {
    const { epoch, log, speed } = this.#options;
    const settled = await settleWebhooks(tx, epoch, attempted);
    if (settled < attempted.length)
      log.warn(
        { deliveries: attempted.length - settled },
        'webhook attempts arrived too late to be recorded',
      );
    const at = new Date(attempted.reduce((max, one) => Math.max(max, one.atMs), 0));
    const { working, failing, longFailing, gone } = healthOf(
      attempted,
      at.getTime() - MAX_FAILING_MS / speed,
    );
    if (working.length > 0) await endpointsWork(tx, working);
    if (failing.length > 0) await endpointsFail(tx, failing, at);
    const disabled = gone.length === 0 ? [] : await disableEndpoints(tx, gone, { reason: 'gone', at });
    if (longFailing.length > 0) {
      const failingSince = new Date(at.getTime() - MAX_FAILING_MS / speed);
      disabled.push(...(await disableEndpoints(tx, longFailing, { reason: 'failing', at, failingSince })));
    }
    if (disabled.length > 0) log.warn({ webhooks: disabled }, 'disabled webhooks');
  }
}

/**
 * A success is always written, whatever the known state of the endpoint: that state may be a second old, and a stale
 * `failing_since` would disable the endpoint one day. Sorted by id, so that two batches never deadlock.
 */
function healthOf(attempted: readonly Attempted[], failingBeforeMs: number) {
  const asked = attempted.filter((one) => one.asked && one.endpoint !== null);
  const working = endpointsOf(asked.filter((one) => one.state === 'delivered'));
  const bad = asked.filter((one) => !working.has(one.claim.endpointId));
  const isLong = ({ endpoint }: Attempted) =>
    (endpoint?.failing_since?.getTime() ?? Number.POSITIVE_INFINITY) <= failingBeforeMs;
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

/** The last error of each endpoint. */
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
