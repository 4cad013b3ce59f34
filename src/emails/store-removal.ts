/** Removes emails past their retention, a few at a time. Undelivered mail stays with its content, whatever its age. */

import { removeFromCounts } from '../counters/email-counts.ts';
import type { RenamedAddress } from '../database/renamed-address.ts';
import { type Sql, sql } from '../database/sql.ts';
import { removeAttempts } from '../events/attempts.ts';
import { removeEvents } from '../events/remove.ts';
import { storedEmail, storedText } from '../protocols/message/stored.ts';
import { removeBatchAttachmentsOf } from './batch-attachments.ts';
import { deleteCollapseKeys } from './collapse.ts';
import type { Addresses, NamedAddress, Tag } from './email.ts';
import { idsOf, type Span } from './lists/list-window.ts';
import { searchTokens, searchTokensOf } from './lists/search-tokens.ts';
import { removeMoved } from './moved/store-moved.ts';
import type { EmailStatus } from './status.ts';
import { OWN_TAGS, STREAM } from './stream.ts';

/** About the number that one transaction removes in a few milliseconds. */
const EMAILS_PER_STEP = 500;
/** Content may be large: every row takes its attachments along. */
const CONTENTS_PER_STEP = 100;

interface SettledRow {
  id: string;
  status: EmailStatus;
  created_at: Date;
}

const lockSettled = sql<SettledRow>(
  'emails.lock_settled',
  `SELECT id, status, created_at FROM emails
   WHERE organization_id = $1 AND id >= $2 AND id < $3 AND status <> 'queued'
   ORDER BY id LIMIT $4 FOR UPDATE`,
  { home: 'cell', organization: '$1' },
);

const deleteEach = (['email_attachments', 'email_contents', 'recipients'] as const).map((table) =>
  sql(
    `${table}.remove`,
    `DELETE FROM ${table} WHERE organization_id = $1 AND email_id = ANY ($2::uuid[]) AND email_id BETWEEN $3 AND $4`,
    { home: 'cell', organization: '$1' },
  ),
);

const deleteEmails = sql(
  'emails.remove',
  'DELETE FROM emails WHERE organization_id = $1 AND id = ANY ($2::uuid[]) AND id BETWEEN $3 AND $4',
  { home: 'cell', organization: '$1' },
);

const settledContents = sql<{ email_id: string }>(
  'email_contents.settled',
  `SELECT c.email_id FROM email_contents c
   WHERE c.organization_id = $1 AND c.email_id >= $2 AND c.email_id < $3
     AND NOT EXISTS (SELECT FROM emails e WHERE e.organization_id = c.organization_id AND e.id = c.email_id
                     AND e.status = 'queued' AND e.id >= $2 AND e.id < $3)
   ORDER BY c.email_id LIMIT $4`,
  { home: 'cell', organization: '$1' },
);

const anyQueued = sql<{ found: boolean }>(
  'emails.any_queued',
  `SELECT EXISTS (SELECT FROM emails WHERE id >= $1 AND id < $2 AND status = 'queued') AS found`,
  { home: 'cell' },
);

/** Removes the oldest settled emails of a span with all related rows. Returns how many. */
export async function removeEmailsStep(
  tx: Sql,
  organizationId: string,
  span: Span,
  nowMs: number,
): Promise<number> {
  const { from, before } = idsOf(span);
  const rows = await tx.many(lockSettled, [organizationId, from, before, EMAILS_PER_STEP]);
  if (rows.length === 0) return 0;
  const ids = rows.map(({ id }) => id);
  const which = [organizationId, ids, ids[0], ids.at(-1)];
  await removeEvents(tx, organizationId, ids);
  await removeAttempts(tx, organizationId, ids);
  for (const statement of deleteEach) await tx.exec(statement, which);
  await removeMoved(tx, organizationId, ids, nowMs);
  await tx.exec(deleteEmails, which);
  await removeFromCounts(
    tx,
    rows.map(({ status, created_at }) => ({
      organizationId,
      status,
      createdAtMs: created_at.getTime(),
      by: 1,
    })),
  );
  return rows.length;
}

/** Removes the oldest contents of settled emails of a span. Returns how many. */
export async function removeContentsStep(tx: Sql, organizationId: string, span: Span): Promise<number> {
  const { from, before } = idsOf(span);
  const rows = await tx.many(settledContents, [organizationId, from, before, CONTENTS_PER_STEP]);
  if (rows.length === 0) return 0;
  const ids = rows.map(({ email_id }) => email_id);
  for (const statement of deleteEach.slice(0, 2)) {
    await tx.exec(statement, [organizationId, ids, ids[0], ids.at(-1)]);
  }
  return rows.length;
}

/** Whether any organization still has undelivered mail that was accepted in a span. */
export async function holdsQueued(db: Sql, span: Span): Promise<boolean> {
  const { from, before } = idsOf(span);
  return (await db.one(anyQueued, [from, before])).found;
}

interface EmailRow {
  readonly id: string;
  readonly from_email: string;
  readonly from_name: string | null;
  readonly addresses: Addresses;
  readonly tags: readonly Tag[] | null;
  readonly stream: string | null;
  readonly api_key_id: string | null;
}

const MINE = 'organization_id = $1 AND email_id = ANY ($2::uuid[])';

const selectPositions = sql<{ email_id: string; position: number }>(
  'recipients.positions_of',
  `SELECT email_id, position FROM recipients WHERE ${MINE} AND lower(address) = lower($3)`,
  { home: 'cell', organization: '$1' },
);
const lock = sql<EmailRow>(
  'emails.lock_to_erase',
  `SELECT id, from_email, from_name, addresses, ${OWN_TAGS} AS tags, ${STREAM} AS stream, api_key_id FROM emails e
   WHERE organization_id = $1 AND id = ANY ($2::uuid[]) ORDER BY id FOR UPDATE`,
  { home: 'cell', organization: '$1' },
);
const update = sql(
  'emails.erase',
  `UPDATE emails SET addresses = $3, options = '{}', from_email = $4, from_name = $5, search = $6, subject = '', tags = NULL,
     stream = NULL, metadata = NULL
   WHERE organization_id = $1 AND id = $2`,
  { home: 'cell', organization: '$1' },
);
/** Finds settled mail by the search index, and the few unsettled emails in one pass for all tags. */
const tagsOfNobody = sql<Tag>(
  'emails.tags_of_nobody',
  `WITH waiting AS (
     SELECT DISTINCT t->>'name' AS name, t->>'value' AS value
     FROM emails e CROSS JOIN LATERAL jsonb_array_elements(e.tags) AS t
     WHERE e.organization_id = $1 AND (e.status = 'queued' OR e.search IS NULL)
   )
   SELECT name, value FROM unnest($2::text[], $3::text[], $4::int4[]) AS wanted(name, value, token)
   WHERE (name, value) NOT IN (SELECT name, value FROM waiting)
     AND NOT EXISTS (
       SELECT FROM emails e
       WHERE e.organization_id = $1 AND e.status <> 'queued' AND e.search @> ARRAY[wanted.token]
         AND e.tags @> jsonb_build_array(jsonb_build_object('name', wanted.name, 'value', wanted.value)))`,
  { home: 'cell', organization: '$1' },
);
const streamsOfNobody = sql<{ stream: string }>(
  'emails.streams_of_nobody',
  `SELECT stream FROM unnest($2::text[], $3::int4[]) AS wanted(stream, token)
   WHERE NOT EXISTS (
       SELECT FROM emails e
       WHERE e.organization_id = $1 AND (e.status = 'queued' OR e.search IS NULL) AND ${STREAM} = wanted.stream)
     AND NOT EXISTS (
       SELECT FROM emails e
       WHERE e.organization_id = $1 AND e.status <> 'queued' AND e.search @> ARRAY[wanted.token]
         AND ${STREAM} = wanted.stream)`,
  { home: 'cell', organization: '$1' },
);
const rename = sql(
  'recipients.erase',
  `UPDATE recipients SET address = $4 WHERE ${MINE} AND lower(address) = lower($3)`,
  { home: 'cell', organization: '$1' },
);
const removeContents = (['email_contents', 'email_attachments'] as const).map((table) =>
  sql(`${table}.erase`, `DELETE FROM ${table} WHERE ${MINE}`, { home: 'cell', organization: '$1' }),
);

/** The deliveries of these emails that go to the address. */
export async function deliveriesTo(
  db: Sql,
  organizationId: string,
  emailIds: readonly string[],
  email: string,
): Promise<{ organizationId: string; emailId: string; position: number }[]> {
  const rows = await db.many(selectPositions, [organizationId, emailIds, email]);
  return rows.map(({ email_id: emailId, position }) => ({ organizationId, emailId, position }));
}

/** Names that senders gave, which counters have, too. */
interface Names {
  readonly tags: readonly Tag[];
  readonly streams: readonly string[];
}

/** Returns the tags and streams of the emails. */
export async function eraseFromEmails(
  tx: Sql,
  organizationId: string,
  emailIds: readonly string[],
  renamed: RenamedAddress,
  nowMs: number,
): Promise<Names> {
  const rows = await tx.many(lock, [organizationId, emailIds]);
  for (const row of rows) await tx.exec(update, withoutRecipient(organizationId, row, renamed));
  await tx.exec(rename, [organizationId, emailIds, renamed.email, renamed.shownAs]);
  for (const statement of removeContents) await tx.exec(statement, [organizationId, emailIds]);
  await removeMoved(tx, organizationId, emailIds, nowMs);
  await removeBatchAttachmentsOf(tx, organizationId, emailIds);
  await deleteCollapseKeys(tx, organizationId, emailIds);
  return {
    tags: distinct(rows.flatMap(({ tags }) => tags ?? [])),
    streams: [...new Set(rows.flatMap(({ stream }) => stream ?? []))],
  };
}

/** Tags and streams that no email has any longer. */
export async function unusedNames(tx: Sql, organizationId: string, { tags, streams }: Names): Promise<Names> {
  return {
    tags: await unusedTags(tx, organizationId, tags),
    streams: await unusedStreams(tx, organizationId, streams),
  };
}

const NOTHING_WANTED = { to: null, from: null, subject: null, tag: null } as const;

async function unusedTags(tx: Sql, organizationId: string, tags: readonly Tag[]): Promise<Tag[]> {
  if (tags.length === 0) return [];
  const tokens = tags.map((tag) => searchTokens(organizationId, { ...NOTHING_WANTED, tag })[0]);
  const names = tags.map(({ name }) => name);
  return tx.many(tagsOfNobody, [organizationId, names, tags.map(({ value }) => value), tokens]);
}

async function unusedStreams(tx: Sql, organizationId: string, streams: readonly string[]): Promise<string[]> {
  if (streams.length === 0) return [];
  const tokens = streams.map((stream) => searchTokens(organizationId, { ...NOTHING_WANTED, stream })[0]);
  const rows = await tx.many(streamsOfNobody, [organizationId, streams, tokens]);
  return rows.map(({ stream }) => stream);
}

function distinct(tags: readonly Tag[]): Tag[] {
  return [...new Map(tags.map((tag) => [JSON.stringify([tag.name, tag.value]), tag])).values()];
}

const NOTHING_ELSE = { tags: null, metadata: null, template: null, subject: '' } as const;

function withoutRecipient(
  organizationId: string,
  row: EmailRow,
  { email, shownAs }: RenamedAddress,
): unknown[] {
  const masked = <T extends NamedAddress | null>(one: T): T | NamedAddress =>
    one !== null && one.email.toLowerCase() === email.toLowerCase() ? { email: shownAs, name: null } : one;
  const { to, cc, bcc, reply_to, reply_to_more } = row.addresses;
  const addresses = {
    to: to.map(masked),
    cc: cc.map(masked),
    bcc: bcc.map(masked),
    reply_to: masked(reply_to),
    reply_to_more: reply_to_more?.map(masked),
  };
  const from = masked({ email: storedEmail(row.from_email), name: storedText(row.from_name) });
  const search = searchTokensOf({ organizationId, from, addresses, keyId: row.api_key_id, ...NOTHING_ELSE });
  return [organizationId, row.id, JSON.stringify(addresses), from.email, from.name, search];
}
