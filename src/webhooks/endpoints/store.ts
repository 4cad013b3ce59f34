/** The one writer of `webhook_endpoints`. */

import { sealedColumn } from '../../database/sealed-column.ts';
import { type Sql, sql } from '../../database/sql.ts';
import type { EventType } from '../../events/append.ts';
import type { AttentionEventType } from '../../events/attention-events.ts';
import type { CanaryEventType } from '../../events/canary-events.ts';
import type { DomainEventType } from '../../events/domain-events.ts';
import type { SuppressionEventType } from '../../events/suppression-events.ts';
import type { EndpointName } from '../queue.ts';

export const DISABLED_REASONS = ['manual', 'gone', 'failing'] as const;
type DisabledReason = (typeof DISABLED_REASONS)[number];

/** The format of an endpoint's messages: see formats.ts. */
export const WEBHOOK_FORMATS = ['postrider', 'resend', 'sendgrid', 'postmark'] as const;
export type WebhookFormat = (typeof WEBHOOK_FORMATS)[number];

/** Email events are stored without the prefix `email.`. */
export type StoredType =
  | EventType
  | DomainEventType
  | SuppressionEventType
  | AttentionEventType
  | CanaryEventType;

export interface EndpointRow {
  id: string;
  organization_id: string;
  url: string;
  description: string | null;
  /** The event types enqueued for it. */
  event_types: readonly StoredType[] | null;
  /** The streams whose mail it gets events of; null for all. */
  streams: readonly string[] | null;
  format: WebhookFormat;
  secret: Buffer;
  previous_secret: Buffer | null;
  previous_until: Date | null;
  enabled: boolean;
  disabled_reason: DisabledReason | null;
  disabled_at: Date | null;
  failing_since: Date | null;
  /** The error of the last failed call, however old. */
  last_error: string | null;
  last_error_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

/** A failed call, with the event that it was for. */
export interface FailedCall extends EndpointName {
  readonly error: string;
}

const MAX_ERROR_CHARS = 500;

/** The settings that users can change. */
export type EndpointSettings = Pick<
  EndpointRow,
  'url' | 'description' | 'event_types' | 'streams' | 'format' | 'enabled'
>;

const countOf = sql<{ count: number }>(
  'webhook_endpoints.count',
  'SELECT count(*) AS count FROM webhook_endpoints WHERE organization_id = $1',
  { home: 'cell', organization: '$1' },
);

const insert = sql<EndpointRow>(
  'webhook_endpoints.insert',
  `INSERT INTO webhook_endpoints (id, organization_id, url, description, event_types, secret, enabled,
                                  disabled_reason, disabled_at, created_at, updated_at, format, streams)
   VALUES ($1, $2, $3, $4, $5, $6, $7, CASE WHEN $7 THEN NULL ELSE 'manual' END,
           CASE WHEN $7 THEN NULL ELSE $8::timestamptz END, $8, $8, $9, $10)
   RETURNING *`,
  { home: 'cell', organization: '$2' },
);

const list = sql<EndpointRow>(
  'webhook_endpoints.list',
  'SELECT * FROM webhook_endpoints WHERE organization_id = $1 ORDER BY created_at DESC, id DESC',
  { home: 'cell', organization: '$1' },
);

const byId = sql<EndpointRow>(
  'webhook_endpoints.by_id',
  'SELECT * FROM webhook_endpoints WHERE organization_id = $1 AND id = $2',
  { home: 'cell', organization: '$1' },
);

const lockById = sql<EndpointRow>(
  'webhook_endpoints.lock',
  'SELECT * FROM webhook_endpoints WHERE organization_id = $1 AND id = $2 FOR UPDATE',
  { home: 'cell', organization: '$1' },
);

const byIds = sql<EndpointRow>(
  'webhook_endpoints.by_ids',
  'SELECT * FROM webhook_endpoints WHERE id = ANY ($1::text[])',
  { home: 'cell' },
);

/** Enabling an endpoint again resets its failures. A disabled endpoint keeps its reason. */
const update = sql<EndpointRow>(
  'webhook_endpoints.update',
  `UPDATE webhook_endpoints SET
     url = $3, description = $4, event_types = $5, enabled = $6,
     disabled_reason = CASE WHEN $6 THEN NULL ELSE coalesce(disabled_reason, 'manual') END,
     disabled_at = CASE WHEN $6 THEN NULL ELSE coalesce(disabled_at, $7::timestamptz) END,
     failing_since = CASE WHEN $6 AND NOT enabled THEN NULL ELSE failing_since END,
     updated_at = $7, format = $8, streams = $9
   WHERE organization_id = $1 AND id = $2 RETURNING *`,
  { home: 'cell', organization: '$1' },
);

const rotate = sql<EndpointRow>(
  'webhook_endpoints.rotate',
  `UPDATE webhook_endpoints SET previous_secret = secret, previous_until = $4, secret = $3, updated_at = $5
   WHERE organization_id = $1 AND id = $2 RETURNING *`,
  { home: 'cell', organization: '$1' },
);

const remove = sql(
  'webhook_endpoints.delete',
  'DELETE FROM webhook_endpoints WHERE organization_id = $1 AND id = $2',
  { home: 'cell', organization: '$1' },
);

const NAMED = 'unnest($1::text[], $2::text[]) AS named(organization_id, id)';
const IS_NAMED = 'w.organization_id = named.organization_id AND w.id = named.id';

const markWorking = sql(
  'webhook_endpoints.working',
  `UPDATE webhook_endpoints w SET failing_since = NULL
   FROM ${NAMED} WHERE ${IS_NAMED} AND w.failing_since IS NOT NULL`,
  { home: 'cell', organization: '$1' },
);

/** The minimum time between writes of the same error: an unreachable endpoint fails many times a second. */
const SAME_ERROR_EVERY = "interval '5 seconds'";

const markFailing = sql(
  'webhook_endpoints.failing',
  `UPDATE webhook_endpoints w
   SET failing_since = coalesce(w.failing_since, $3), last_error = failed.error, last_error_at = $3
   FROM unnest($1::text[], $2::text[], $4::text[]) AS failed(organization_id, id, error)
   WHERE w.organization_id = failed.organization_id AND w.id = failed.id
     AND (w.failing_since IS NULL OR w.last_error IS DISTINCT FROM failed.error
          OR w.last_error_at < $3::timestamptz - ${SAME_ERROR_EVERY})`,
  { home: 'cell', organization: '$1' },
);

const disable = sql<{ id: string }>(
  'webhook_endpoints.disable',
  `UPDATE webhook_endpoints w SET enabled = false, disabled_reason = $3, disabled_at = $4, updated_at = $4
   FROM ${NAMED} WHERE ${IS_NAMED} AND w.enabled AND ($5::timestamptz IS NULL OR w.failing_since <= $5)
   RETURNING w.id`,
  { home: 'cell', organization: '$1' },
);

const countGivenUp = sql<{ count: number }>(
  'webhook_endpoints.count_given_up',
  `SELECT count(*) FROM webhook_endpoints WHERE disabled_reason IN ('gone', 'failing')`,
  { home: 'cell' },
);

export const sealedSecrets = sealedColumn('webhook_endpoints', 'secret', { ofOrganizations: true });
export const sealedPreviousSecrets = sealedColumn('webhook_endpoints', 'previous_secret', {
  ofOrganizations: true,
});

export async function countEndpoints(tx: Sql, organizationId: string): Promise<number> {
  return (await tx.one(countOf, [organizationId])).count;
}

export function insertEndpoint(
  db: Sql,
  row: EndpointSettings & Pick<EndpointRow, 'id' | 'organization_id' | 'secret' | 'created_at'>,
): Promise<EndpointRow> {
  return db.one(insert, [
    row.id,
    row.organization_id,
    row.url,
    row.description,
    row.event_types,
    row.secret,
    row.enabled,
    row.created_at,
    row.format,
    row.streams,
  ]);
}

export function listEndpoints(db: Sql, organizationId: string): Promise<EndpointRow[]> {
  return db.many(list, [organizationId]);
}

export function findEndpoint(db: Sql, organizationId: string, id: string): Promise<EndpointRow | undefined> {
  return db.maybeOne(byId, [organizationId, id]);
}

/** Returns the current row, locked until the transaction ends. */
export function lockEndpoint(tx: Sql, organizationId: string, id: string): Promise<EndpointRow | undefined> {
  return tx.maybeOne(lockById, [organizationId, id]);
}

/** Endpoints of any organization: for delivery. */
export function endpointsByIds(db: Sql, ids: readonly string[]): Promise<EndpointRow[]> {
  return db.many(byIds, [ids]);
}

export function updateEndpoint(
  db: Sql,
  { organization_id, id }: Pick<EndpointRow, 'organization_id' | 'id'>,
  settings: EndpointSettings,
  at: Date,
): Promise<EndpointRow | undefined> {
  const { url, description, event_types, enabled, format, streams } = settings;
  const told = [description, event_types, enabled, at, format, streams];
  return db.maybeOne(update, [organization_id, id, url, ...told]);
}

export function rotateSecret(
  db: Sql,
  { organization_id, id }: Pick<EndpointRow, 'organization_id' | 'id'>,
  secret: Buffer,
  { previousUntil, at }: { readonly previousUntil: Date; readonly at: Date },
): Promise<EndpointRow | undefined> {
  return db.maybeOne(rotate, [organization_id, id, secret, previousUntil, at]);
}

export async function deleteEndpoint(db: Sql, organizationId: string, id: string): Promise<boolean> {
  return (await db.exec(remove, [organizationId, id])) === 1;
}

export async function endpointsWork(db: Sql, named: readonly EndpointName[]): Promise<void> {
  await db.exec(markWorking, nameColumns(named));
}

export async function endpointsFail(db: Sql, failed: readonly FailedCall[], at: Date): Promise<void> {
  const errors = failed.map(({ error }) => error.slice(0, MAX_ERROR_CHARS));
  await db.exec(markFailing, [...nameColumns(failed), at, errors]);
}

/** Disables the given endpoints that are enabled; with `failingSince`, only those that have failed since then or longer. */
export async function disableEndpoints(
  db: Sql,
  named: readonly EndpointName[],
  { reason, at, failingSince }: { reason: DisabledReason; at: Date; failingSince?: Date },
): Promise<string[]> {
  const rows = await db.many(disable, [...nameColumns(named), reason, at, failingSince ?? null]);
  return rows.map(({ id }) => id);
}

function nameColumns(named: readonly EndpointName[]): [string[], string[]] {
  return [named.map((one) => one.organizationId), named.map((one) => one.endpointId)];
}

/** Endpoints of all organizations that were disabled because of their answers. */
export async function countDisabledEndpoints(db: Sql): Promise<number> {
  return (await db.one(countGivenUp)).count;
}
