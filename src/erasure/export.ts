/** Exports all of an organization's data about an address. Reads only. */

import { patternInJson, patternOf } from '../database/renamed-address.ts';
import { type Sql, sql } from '../database/sql.ts';
import type { MovedContents } from '../emails/moved/moved-contents.ts';
import type { KeptContent } from '../emails/moved/packed-content.ts';
import { OWN_TAGS, STREAM, TRANSACTIONAL } from '../emails/stream.ts';
import { attemptsWhere } from '../events/attempts.ts';
import { receivedOf } from '../received/store-removal.ts';
import { ADDRESS_OF_GROUP } from '../suppressions/store.ts';
import { type AddressToErase, BEFORE_ALL, emailsOf } from './erase.ts';

const MINE = `organization_id = $1 AND email_id = ANY ($2::uuid[])`;
type Row = Record<string, unknown>;
interface ExportedRow extends Row {
  readonly id: string;
  /** The object in the content store, for moved content. */
  readonly object_id: string | null;
  readonly seal_key: Buffer;
}

/** The oldest of these emails whose content together is within this many bytes. */
const selectWithin = sql<{ id: string }>(
  'emails.export_within',
  `SELECT id FROM (
     SELECT e.id, sum(coalesce(octet_length(c.html), 0) + coalesce(octet_length(c.text), 0)
                      + coalesce(octet_length(c.headers::text), 0) + coalesce(octet_length(c.template_data::text), 0)
                      + coalesce(octet_length(c.mime), 0) + coalesce(m.content_bytes, 0))
                  OVER (ORDER BY e.id) AS bytes
     FROM emails e LEFT JOIN email_contents c ON c.organization_id = e.organization_id AND c.email_id = e.id
     LEFT JOIN moved_contents m ON m.organization_id = e.organization_id AND m.email_id = e.id
     WHERE e.organization_id = $1 AND e.id = ANY ($2::uuid[])
   ) AS sized WHERE bytes <= $3 ORDER BY id`,
  { home: 'cell', organization: '$1' },
);
const selectEmails = sql<ExportedRow>(
  'emails.export',
  `SELECT e.id, e.status, e.created_at, e.scheduled_at, e.from_email, e.from_name, e.subject, e.addresses, ${OWN_TAGS} AS tags,
          coalesce(${STREAM}, '${TRANSACTIONAL}') AS stream,
          e.metadata, e.template_id, c.html, c.text, c.headers, c.template_data, encode(c.mime, 'base64') AS mime,
          (SELECT jsonb_agg(jsonb_build_object('filename', a.filename, 'content_type', a.content_type,
                            'size', length(a.content)) ORDER BY a.position)
           FROM attached_files a WHERE a.organization_id = e.organization_id AND a.email_id = e.id) AS attachments,
          m.object_id, m.seal_key
   FROM emails e LEFT JOIN email_contents c ON c.organization_id = e.organization_id AND c.email_id = e.id
   LEFT JOIN moved_contents m ON m.organization_id = e.organization_id AND m.email_id = e.id
   WHERE e.organization_id = $1 AND e.id = ANY ($2::uuid[]) ORDER BY e.id`,
  { home: 'cell', organization: '$1' },
);
const selectEvents = sql<Row>(
  'events.export',
  `SELECT email_id, told.type, recipient, told.created_at, told.smtp_code, told.smtp_message, told.reason, user_agent, url
   FROM events ev
   CROSS JOIN LATERAL (VALUES ('processing', ev.started_at, NULL, NULL, NULL, 1),
                              (ev.type, ev.created_at, ev.smtp_code, ev.smtp_message, ev.reason, 2))
     AS told(type, created_at, smtp_code, smtp_message, reason, turn)
   WHERE ${MINE} AND lower(recipient) = lower($3) AND told.created_at IS NOT NULL
   ORDER BY email_id, id, turn LIMIT $4`,
  { home: 'cell', organization: '$1' },
);
const selectAttempts = sql<Row>(
  'attempts.export',
  `SELECT a.email_id, NULLIF(a.attempt, 0) AS attempt, a.outcome, a.reason, a.detail, a.conversation, a.created_at
   FROM (${attemptsWhere(MINE)}) a JOIN recipients r USING (organization_id, email_id, position)
   WHERE a.organization_id = $1 AND a.email_id = ANY ($2::uuid[]) AND lower(r.address) = lower($3)
   ORDER BY a.email_id, a.id LIMIT $4`,
  { home: 'cell', organization: '$1' },
);
interface Elsewhere {
  readonly suppression: unknown;
  readonly unsubscriptions: readonly Row[];
  readonly full_mailbox: unknown;
  readonly request_logs: readonly Row[];
  readonly sandbox_messages: readonly Row[];
}
const selectReceived = sql<Row>(
  'received.export',
  `SELECT id, received_at, mail_from, recipients, from_email, from_name, subject, text, html, details FROM (
     SELECT m.*, sum(coalesce(octet_length(text), 0) + coalesce(octet_length(html), 0)) OVER (ORDER BY id) AS bytes
     FROM received_emails m WHERE organization_id = $1 AND id = ANY ($2::uuid[])
   ) AS sized WHERE bytes <= $3 ORDER BY id`,
  { home: 'cell', organization: '$1' },
);
const selectAudit = sql<{ entry: Row }>(
  'audit_log.export',
  `SELECT to_jsonb(l) - 'organization_id' AS entry FROM audit_log l
   WHERE organization_id = $1 AND (target_name ~* $2 OR details::text ~* $3) ORDER BY id LIMIT $4`,
  { home: 'control' },
);
const selectViews = sql<{ view: Row }>(
  'saved_views.export',
  `SELECT to_jsonb(v) - 'organization_id' AS view FROM saved_views v
   WHERE organization_id = $1 AND (name ~* $2 OR query::text ~* $3) ORDER BY id LIMIT $4`,
  { home: 'control' },
);
const selectElsewhere = sql<Elsewhere>(
  'recipients.export',
  `SELECT
     (SELECT to_jsonb(s) - 'organization_id' - 'key' FROM suppressions s
      WHERE s.organization_id = $1 AND s.key = $2) AS suppression,
     (SELECT coalesce(jsonb_agg(to_jsonb(s) - 'organization_id' - 'key' ORDER BY s.id), '[]') FROM suppressions s
      WHERE s.organization_id = $1 AND ${ADDRESS_OF_GROUP} = $2 AND s.unsubscribe_group IS NOT NULL) AS unsubscriptions,
     (SELECT to_jsonb(m) - 'organization_id' - 'key' FROM mailbox_failures m
      WHERE m.key = $2 AND m.organization_id = $1) AS full_mailbox,
     (SELECT coalesce(jsonb_agg(to_jsonb(q) - 'organization_id' ORDER BY q.id), '[]') FROM (
        SELECT * FROM request_logs WHERE organization_id = $1 AND (message ~* $4 OR facts::text ~* $5)
        ORDER BY id LIMIT $6) AS q) AS request_logs,
     (SELECT coalesce(jsonb_agg(jsonb_build_object('id', b.id, 'subject', b.subject, 'received_at', b.received_at)
                                ORDER BY b.id), '[]') FROM (
        SELECT id, subject, received_at FROM sandbox_messages
        WHERE organization_id = $1 AND lower(rcpt_to) = lower($3) ORDER BY id LIMIT $6) AS b) AS sandbox_messages`,
  { home: 'cell', organization: '$1' },
);

interface ExportLimits {
  readonly emails: number;
  /** The total size of content. */
  readonly bytes: number;
  /** The maximum number of rows of each other kind. */
  readonly rows: number;
}

/** Bounds the memory of one response. An address with more data is exported with the command. */
const ANSWERED: ExportLimits = { emails: 1_000, bytes: 16 * 1024 * 1024, rows: 5_000 };
export const UNLIMITED: ExportLimits = {
  emails: Number.MAX_SAFE_INTEGER - 1,
  bytes: Number.MAX_SAFE_INTEGER,
  rows: Number.MAX_SAFE_INTEGER,
};

interface Exported {
  readonly email: string;
  /** Whether data was left out because of the limits. */
  readonly truncated: boolean;
  readonly emails: readonly Row[];
  readonly events: readonly Row[];
  readonly attempts: readonly Row[];
  readonly suppression: unknown;
  readonly unsubscriptions: readonly Row[];
  readonly full_mailbox: unknown;
  readonly audit_log: readonly Row[];
  readonly saved_views: readonly Row[];
  readonly request_logs: readonly Row[];
  readonly sandbox_messages: readonly Row[];
  /** Mail received from the address, and mail sent to the address and us together. */
  readonly received: readonly Row[];
}

export async function exportAddress(
  db: Sql,
  moved: MovedContents,
  { organizationId, email, key }: AddressToErase,
  limits: ExportLimits = ANSWERED,
  onPart: (part: string, share: number) => void = () => undefined,
): Promise<Exported> {
  onPart('emails', 0);
  const found = await emailsOf(db, organizationId, email, BEFORE_ALL, limits.emails + 1);
  const within = await db.many(selectWithin, [organizationId, found.slice(0, limits.emails), limits.bytes]);
  const ids = within.map(({ id }) => id);
  onPart('suppressions and logs', 0.2);
  const patterns = [patternOf({ email }), patternInJson({ email })];
  const elsewhere = await db.one(selectElsewhere, [organizationId, key, email, ...patterns, limits.rows]);
  const audit = await db.many(selectAudit, [organizationId, ...patterns, limits.rows]);
  const audit_log = audit.map(({ entry }) => entry);
  const views = await db.many(selectViews, [organizationId, ...patterns, limits.rows]);
  onPart('events', 0.4);
  const events = await db.many(selectEvents, [organizationId, ids, email, limits.rows]);
  const attempts = await db.many(selectAttempts, [organizationId, ids, email, limits.rows]);
  onPart('received mail', 0.6);
  const receivedIds = await receivedOf(db, organizationId, email, limits.emails + 1);
  const received = await db.many(selectReceived, [organizationId, receivedIds, limits.bytes]);
  onPart('content', 0.8);
  const lists = [events, attempts, audit_log, views, elsewhere.request_logs, elsewhere.sandbox_messages];
  return {
    email,
    truncated:
      found.length > ids.length ||
      receivedIds.length > received.length ||
      lists.some((list) => list.length >= limits.rows),
    emails: await withMoved(moved, organizationId, await db.many(selectEmails, [organizationId, ids])),
    events,
    attempts,
    audit_log,
    saved_views: views.map(({ view }) => view),
    received,
    ...elsewhere,
  };
}

/**
 * Adds content from the content store. If the store is unavailable, the export fails, because a partial export would
 * look complete.
 */
async function withMoved(
  moved: MovedContents,
  organizationId: string,
  rows: readonly ExportedRow[],
): Promise<Row[]> {
  const elsewhere = rows.flatMap(({ id, object_id, seal_key }) =>
    object_id === null ? [] : [{ email_id: id, object_id, seal_key }],
  );
  const opened = await moved.openEach(organizationId, elsewhere);
  const contents = new Map(elsewhere.map(({ email_id }, index) => [email_id, opened[index] ?? null]));
  return rows.map(({ object_id: _, seal_key: __, ...row }) => {
    const content = contents.get(row.id as string) ?? null;
    return content === null ? row : { ...row, ...exportedContent(content, row.attachments) };
  });
}

function exportedContent({ html, text, headers, template_data, mime, files }: KeptContent, ofBatch: unknown) {
  return {
    ...{ html, text, headers: parsed(headers), template_data: parsed(template_data) },
    mime: mime?.toString('base64') ?? null,
    attachments:
      files.length === 0
        ? ofBatch
        : files.map(({ filename, content_type, content }) => ({
            filename,
            content_type,
            size: content.length,
          })),
  };
}

function parsed(json: string | null): unknown {
  return json === null ? null : JSON.parse(json);
}
