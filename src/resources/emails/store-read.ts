/** Reads emails back: for the API's lists and single answers. Reads only. */
import { adHoc, likeText, type Sql, sql, Where } from '../../database/sql.ts';
import { uuidv7Floor } from '../../runtime/ids.ts';
import { countEmails, type EmailStatus } from '../stats/email-counts.ts';
import type { Addresses, Metadata, RecipientKind, Tag } from './email.ts';
import type { RecipientState } from './outcomes.ts';
import type { StoredContent } from './rendered-content.ts';

export interface EmailItemRow {
  id: string;
  subject: string;
  status: EmailStatus;
  priority: number;
  created_at: Date;
  updated_at: Date;
}

export interface EmailRow extends EmailItemRow {
  scheduled_at: Date | null;
  expires_in: number | null;
  from_email: string;
  from_name: string | null;
  addresses: Addresses;
  tags: readonly Tag[] | null;
  metadata: Metadata | null;
  batch_id: string | null;
  template_id: string | null;
}

export interface RecipientRow {
  position: number;
  kind: RecipientKind;
  address: string;
  state: RecipientState;
  attempts: number;
  updated_at: Date;
}

export interface ContentRow extends StoredContent {
  subject: string;
}

export interface EmailFilter {
  readonly status: EmailStatus | null;
  /** Milliseconds, both inclusive. */
  readonly fromMs: number | null;
  readonly toMs: number | null;
  /** The days those are, when they lie exactly on the borders of UTC days (or are not given). */
  readonly wholeDays: { readonly fromDay: string | null; readonly toDay: string | null } | null;
  /** A whole address, or `@` and a domain; any case. */
  readonly to: string | null;
  readonly from: string | null;
  /** Any part of the subject, any case. */
  readonly subject: string | null;
  readonly batchId: string | null;
  readonly tag: { readonly name: string; readonly value: string | null } | null;
}

const selectEmail = sql<EmailRow>(
  'emails.by_id',
  `SELECT id, subject, status, priority, created_at, updated_at, scheduled_at, expires_in, from_email, from_name,
          addresses, tags, metadata, batch_id, template_id
   FROM emails WHERE organization_id = $1 AND id = $2`,
);

const selectRecipients = sql<RecipientRow>(
  'recipients.of_email',
  `SELECT position, kind, address, state, attempts, updated_at
   FROM recipients WHERE organization_id = $1 AND email_id = $2 ORDER BY position`,
);

const selectContent = sql<ContentRow>(
  'email_contents.by_id',
  `SELECT e.subject, c.html, c.text, e.template_id, e.template_version, c.template_data
   FROM emails e JOIN email_contents c ON c.organization_id = e.organization_id AND c.email_id = e.id
   WHERE e.organization_id = $1 AND e.id = $2`,
);

const selectBatch = sql<BatchCountRow>(
  'emails.count_batch',
  `SELECT status, count(*) AS count FROM emails WHERE organization_id = $1 AND batch_id = $2 GROUP BY status`,
);

export interface BatchCountRow {
  status: EmailStatus;
  count: number;
}

export function countBatch(db: Sql, organizationId: string, batchId: string): Promise<BatchCountRow[]> {
  return db.many(selectBatch, [organizationId, batchId]);
}

export function findEmail(db: Sql, organizationId: string, id: string): Promise<EmailRow | undefined> {
  return db.maybeOne(selectEmail, [organizationId, id]);
}

export function recipientsOf(db: Sql, organizationId: string, id: string): Promise<RecipientRow[]> {
  return db.many(selectRecipients, [organizationId, id]);
}

export function findContent(db: Sql, organizationId: string, id: string): Promise<ContentRow | undefined> {
  return db.maybeOne(selectContent, [organizationId, id]);
}

/** One page, newest first. */
export function listEmails(
  db: Sql,
  organizationId: string,
  filter: EmailFilter,
  window: { readonly offset: number; readonly limit: number },
): Promise<EmailItemRow[]> {
  const where = conditions(organizationId, filter);
  const text = `SELECT e.id, e.subject, e.status, e.priority, e.created_at, e.updated_at
    FROM emails e ${where} ORDER BY e.id DESC
    LIMIT ${where.param(window.limit)} OFFSET ${where.param(window.offset)}`;
  return db.many(adHoc<EmailItemRow>(text), where.params);
}

/** How many there are in all. Without filters on text the counters know, and nothing is counted. */
export async function countMatching(db: Sql, organizationId: string, filter: EmailFilter): Promise<number> {
  const { to, from, subject, batchId, tag, wholeDays, status } = filter;
  const counted = to === null && from === null && subject === null && batchId === null && tag === null;
  if (counted && wholeDays !== null) return countEmails(db, organizationId, { status, ...wholeDays });
  const where = conditions(organizationId, filter);
  const row = await db.one(
    adHoc<{ count: number }>(`SELECT count(*) AS count FROM emails e ${where}`),
    where.params,
  );
  return row.count;
}

function conditions(organizationId: string, filter: EmailFilter): Where {
  const where = new Where().add('e.organization_id = ?', organizationId);
  if (filter.status !== null) where.add('e.status = ?', filter.status);
  if (filter.fromMs !== null) where.add('e.id >= ?', uuidv7Floor(filter.fromMs));
  if (filter.toMs !== null) where.add('e.id < ?', uuidv7Floor(filter.toMs + 1));
  if (filter.from !== null) where.add(...addressMatch('e.from_email', filter.from));
  if (filter.subject !== null) where.add('e.subject ILIKE ?', `%${likeText(filter.subject)}%`);
  if (filter.batchId !== null) where.add('e.batch_id = ?', filter.batchId);
  if (filter.tag !== null) where.add('e.tags @> ?::jsonb', JSON.stringify([tagMatch(filter.tag)]));
  if (filter.to !== null) {
    const [match, value] = addressMatch('r.address', filter.to);
    where.add(
      `EXISTS (SELECT FROM recipients r WHERE r.organization_id = e.organization_id AND r.email_id = e.id AND ${match})`,
      value,
    );
  }
  return where;
}

/** PostgreSQL lowers both sides: what it and JavaScript make of a letter may differ with the database's locale. */
function addressMatch(column: string, wanted: string): [string, string] {
  return wanted.startsWith('@')
    ? [`lower(${column}) LIKE lower(?)`, `%${likeText(wanted)}`]
    : [`lower(${column}) = lower(?)`, wanted];
}

function tagMatch(tag: { readonly name: string; readonly value: string | null }): Record<string, string> {
  return tag.value === null ? { name: tag.name } : { name: tag.name, value: tag.value };
}
