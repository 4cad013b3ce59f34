/** An endpoint's deliveries: reading, testing and replaying them. */

import type { Sql } from '../../database/sql.ts';
import { parseEventId } from '../../events/read.ts';
import type { Clock } from '../../runtime/clock.ts';
import { uuidv7 } from '../../runtime/ids.ts';
import { ServiceError } from '../../runtime/service-error.ts';
import {
  findDelivery,
  pageOfDeliveries,
  type Replayed,
  type ReplayedState,
  replayDeliveries,
  replayDelivery,
  type WebhookDeliveryRow,
  type WholeDeliveryRow,
} from '../log.ts';
import { type WebhookStatsRow, webhookStats } from '../log-stats.ts';
import { type WithMail, withMail } from '../mail-of-deliveries.ts';
import { addWebhookDelivery, type EndpointName, type WebhookClaim, type WebhookKey } from '../queue.ts';
import type { DeliveriesQuery } from './delivery-schema.ts';
import type { DeliveryWithRequest, DescribeRequest } from './described-request.ts';
import { includesAnyType } from './formats.ts';
import { TEST_TYPE } from './schema.ts';
import type { WebhookService } from './service.ts';
import type { EndpointRow, StoredType } from './store.ts';

interface DeliveriesDeps {
  readonly db: Sql;
  readonly clock: Clock;
  readonly endpoints: Pick<WebhookService, 'find'>;
  readonly describe: DescribeRequest;
  /** Notifies the dispatchers of new work. */
  readonly wake: () => void;
}

export class WebhookDeliveries {
  readonly #deps: DeliveriesDeps;

  constructor(deps: DeliveriesDeps) {
    this.#deps = deps;
  }

  /** Returns one more than requested if there are more. */
  async page(
    { organizationId, endpointId }: EndpointName,
    query: DeliveriesQuery,
  ): Promise<WithMail<WebhookDeliveryRow>[]> {
    const { db, endpoints } = this.#deps;
    await endpoints.find(organizationId, endpointId);
    const beforeEventId = query.cursor === undefined ? null : cursorOf(query.cursor);
    const filter = { beforeEventId, limit: query.limit + 1, state: query.status ?? null };
    const rows = await pageOfDeliveries(db, { organizationId, endpointId }, filter);
    return withMail(db, organizationId, rows);
  }

  /** One delivery, with its request as it would be sent now. */
  async one(of: EndpointName, deliveryId: string): Promise<DeliveryWithRequest> {
    const { db, endpoints, describe } = this.#deps;
    const endpoint = await endpoints.find(of.organizationId, of.endpointId);
    const { key, row } = await this.#find(of, deliveryId);
    const [[told], request] = await Promise.all([
      withMail(db, of.organizationId, [row]),
      describe(claimOf(key, row), endpoint),
    ]);
    return { row: told as WithMail<WholeDeliveryRow>, url: endpoint.url, request };
  }

  async stats({ organizationId, endpointId }: EndpointName): Promise<WebhookStatsRow> {
    const { db, endpoints } = this.#deps;
    await endpoints.find(organizationId, endpointId);
    return webhookStats(db, { organizationId, endpointId });
  }

  /** Sends a sample event like any other, whatever types the endpoint subscribes to. */
  async test(
    { organizationId, endpointId }: EndpointName,
    type: StoredType | typeof TEST_TYPE,
  ): Promise<WithMail<WebhookDeliveryRow>> {
    const { db, clock, wake, endpoints } = this.#deps;
    const endpoint = await endpoints.find(organizationId, endpointId);
    mustBeEnabled(endpoint);
    if (type !== TEST_TYPE) requireSupportedType(endpoint, type);
    const nowMs = clock.nowMs();
    const key = { organizationId, endpointId, eventId: uuidv7(nowMs) };
    await addWebhookDelivery(db, { ...key, eventType: type, createdAt: new Date(nowMs) });
    wake();
    const row = await findDelivery(db, key);
    if (row === undefined) throw new Error('A test delivery is gone as soon as it was made.');
    return { ...row, recipient: null, subject: null };
  }

  async replay(of: EndpointName, deliveryId: string): Promise<WithMail<WebhookDeliveryRow>> {
    const { db, wake, endpoints } = this.#deps;
    const endpoint = await endpoints.find(of.organizationId, of.endpointId);
    const { key } = await this.#find(of, deliveryId);
    mustBeEnabled(endpoint);
    const row = await replayDelivery(db, key);
    if (row === undefined)
      throw new ServiceError(
        'CONFLICT',
        'This delivery is already being sent. GET /webhooks/:id/deliveries shows its outcome.',
      );
    wake();
    const [told] = await withMail(db, of.organizationId, [row]);
    return told as WithMail<WebhookDeliveryRow>;
  }

  /** A delivery that fails while this runs is not sent a second time. */
  async replayRange(
    { organizationId, endpointId }: EndpointName,
    which: ReplayedState,
    { sinceMs, untilMs }: { readonly sinceMs: number; readonly untilMs: number | null },
  ): Promise<Replayed> {
    const { db, clock, wake, endpoints } = this.#deps;
    mustBeEnabled(await endpoints.find(organizationId, endpointId));
    const endMs = Math.min(clock.nowMs(), untilMs ?? Number.POSITIVE_INFINITY) + 1;
    const range = { fromMs: sinceMs, endMs };
    const replayed = await replayDeliveries(db, { organizationId, endpointId }, which, range);
    wake();
    return replayed;
  }

  async #find(
    { organizationId, endpointId }: EndpointName,
    deliveryId: string,
  ): Promise<{ readonly key: WebhookKey; readonly row: WholeDeliveryRow }> {
    const eventId = parseEventId(deliveryId);
    const key = { organizationId, endpointId, eventId: eventId ?? '' };
    const row = eventId === null ? undefined : await findDelivery(this.#deps.db, key);
    if (row === undefined)
      throw new ServiceError(
        'NOT_FOUND',
        'No delivery of this webhook has this id. GET /webhooks/:id/deliveries lists the deliveries.',
      );
    return { key, row };
  }
}

function claimOf(key: WebhookKey, row: WholeDeliveryRow): WebhookClaim {
  return {
    organizationId: key.organizationId,
    endpointId: key.endpointId,
    eventId: key.eventId,
    emailId: row.email_id,
    eventType: row.event_type,
    tries: row.tries,
    createdAt: row.created_at,
    payload: row.payload,
  };
}

function cursorOf(text: string): string {
  const eventId = parseEventId(text);
  if (eventId !== null) return eventId;
  throw new ServiceError('VALIDATION_ERROR', undefined, {
    problems: [
      { field: 'cursor', message: 'is not a cursor of this list: use a next_cursor that this list returned' },
    ],
  });
}

function requireSupportedType({ format }: EndpointRow, type: StoredType): void {
  if (includesAnyType(format, [type])) return;
  const problems = [
    { field: 'type', message: `is an event that the format ${format} cannot express: choose another event` },
  ];
  throw new ServiceError('VALIDATION_ERROR', undefined, { problems });
}

function mustBeEnabled({ enabled }: EndpointRow): void {
  if (!enabled)
    throw new ServiceError('CONFLICT', 'The webhook is disabled. Enable it with PATCH /webhooks/:id first.');
}
