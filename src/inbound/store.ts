/** The one writer of `inbound_messages`. */

import { notMigrating } from '../database/organization-freezes.ts';
import { type Sql, sql } from '../database/sql.ts';
import { joined, joinPieces, type ValuePiece } from '../database/value-pieces.ts';
import type { DeliveryRef } from '../protocols/message/return-path.ts';
import { uuidv7 } from '../runtime/ids.ts';
import { exceeding, type InboundKind, KEPT_CAPS, type WaitingCount } from './caps.ts';
import type { Received } from './smtp/inbound-dialogue.ts';
import { ownerOf } from './smtp/mailboxes.ts';

export interface NewInbound extends Received {
  readonly receivedAtMs: number;
}

/** Identifies a message. Mail to a public address belongs to the installation. */
export interface InboundKey {
  readonly organizationId: string;
  readonly id: string;
}

export interface WaitingMessage extends InboundKey {
  readonly receivedAtMs: number;
  /** The delivery of the return path that received it; null for a public address. */
  readonly delivery: DeliveryRef | null;
  /** The domain that it reports about, `UNNAMED_DOMAIN` if only the report names it; null for other mail. */
  readonly domainId: string | null;
  /** The name of the mailbox; `b` for return paths. */
  readonly mailbox: string;
  readonly raw: Buffer;
  readonly tries: number;
}

interface WaitingRow {
  id: string;
  received_at: Date;
  organization_id: string;
  email_id: string | null;
  position: number | null;
  domain_id: string | null;
  mailbox: string;
  raw: Buffer;
  tries: number;
}

/** For a report to the address without a token. */
export const UNNAMED_DOMAIN = '';

/** Kept mail is untrusted input, so its retention is limited. For its volume, see caps.ts. */
const KEPT_DAYS = 14;

/** All messages travel as one binary parameter that is split here: an array of bytea would travel as hex. */
const insert = sql(
  'inbound.insert',
  `INSERT INTO inbound_messages (id, received_at, mailbox, organization_id, email_id, position, mail_from,
                                 remote_address, size, domain_id, raw)
   SELECT i, to_timestamp(at / 1000.0), box, o, e, p, sender, remote, whole, d,
          substring($1::bytea FROM start FOR part)
   FROM unnest($2::uuid[], $3::float8[], $4::text[], $5::text[], $6::uuid[], $7::smallint[], $8::text[], $9::text[],
               $10::int[], $11::int[], $12::int[], $13::text[])
        AS new(i, at, box, o, e, p, sender, remote, whole, start, part, d)`,
  { home: 'cell', organization: '$5' },
);

const WAITING_COLUMNS = 'id, received_at, organization_id, email_id, position, domain_id, mailbox, tries';

const claim = sql<WaitingRow>(
  'inbound.claim',
  `SELECT ${WAITING_COLUMNS}, raw FROM inbound_messages
   WHERE state = 'waiting' AND due_at <= now() AND domain_id IS NULL AND ${notMigrating()}
   ORDER BY due_at LIMIT $1
   FOR UPDATE SKIP LOCKED`,
  { home: 'cell' },
);

const selectReports = sql<Omit<WaitingRow, 'raw'>>(
  'inbound.waiting_reports',
  `SELECT ${WAITING_COLUMNS} FROM inbound_messages
   WHERE state = 'waiting' AND due_at <= now() AND domain_id IS NOT NULL AND ${notMigrating()}
   ORDER BY due_at LIMIT $1`,
  { home: 'cell' },
);

/** In pieces: a report may have 4 MiB, and the driver decodes each value in one go. */
const selectRaw = sql<ValuePiece>(
  'inbound.raw',
  `SELECT pieces.place, pieces.piece FROM inbound_messages m ${joinPieces('m.raw')}
   WHERE m.organization_id = $1 AND m.id = $2`,
  { home: 'cell', organization: '$1' },
);

const claimThese = sql<{ id: string }>(
  'inbound.claim_these',
  `SELECT m.id FROM inbound_messages m
   JOIN unnest($1::text[], $2::uuid[]) AS these(organization_id, id)
     ON m.organization_id = these.organization_id AND m.id = these.id
   WHERE m.state = 'waiting' AND m.due_at <= now() AND ${notMigrating('m.organization_id')}
   ORDER BY m.due_at FOR UPDATE OF m SKIP LOCKED`,
  { home: 'cell', organization: '$1' },
);

const remove = sql(
  'inbound.remove',
  `DELETE FROM inbound_messages m USING unnest($1::text[], $2::uuid[]) AS done(organization_id, id)
   WHERE m.organization_id = done.organization_id AND m.id = done.id`,
  { home: 'cell', organization: '$1' },
);

const postpone = sql(
  'inbound.postpone',
  `UPDATE inbound_messages m SET tries = tries + 1,
     due_at = (now() AT TIME ZONE 'UTC' + later.s * interval '1 second') AT TIME ZONE 'UTC'
   FROM unnest($1::text[], $2::uuid[], $3::float8[]) AS later(organization_id, id, s)
   WHERE m.organization_id = later.organization_id AND m.id = later.id`,
  { home: 'cell', organization: '$1' },
);

const moveDue = sql(
  'inbound.set_back',
  `UPDATE inbound_messages
   SET due_at = greatest(now(), CASE WHEN tries > 0
     THEN (due_at AT TIME ZONE 'UTC' - $1 * interval '1 millisecond') AT TIME ZONE 'UTC' END)
   WHERE state = 'waiting' AND due_at > now()`,
  { home: 'cell' },
);

const keep = sql(
  'inbound.keep',
  `UPDATE inbound_messages m SET state = 'kept', note = kept.note
   FROM unnest($1::text[], $2::uuid[], $3::text[]) AS kept(organization_id, id, note)
   WHERE m.organization_id = kept.organization_id AND m.id = kept.id`,
  { home: 'cell', organization: '$1' },
);

const forget = sql(
  'inbound.delete_kept',
  `DELETE FROM inbound_messages WHERE state = 'kept'
     AND received_at < now() - ${KEPT_DAYS} * interval '1 day'`,
  { home: 'cell' },
);

const numberWaiting = sql<{ count: number }>(
  'inbound.number_waiting',
  `SELECT count(*) FROM inbound_messages WHERE state = 'waiting'`,
  { home: 'cell' },
);

interface CountedRow {
  kind: InboundKind;
  remote_address: string;
  delivery: string | null;
  messages: number;
  bytes: number;
}

const WHAT_FOR = `CASE WHEN mailbox = 'b' THEN 'signed' WHEN domain_id IS NULL THEN 'open' ELSE 'report' END AS kind,
          remote_address, coalesce(domain_id, email_id || ' ' || position) AS delivery`;

const selectWaiting = sql<CountedRow>(
  'inbound.count_waiting',
  `SELECT ${WHAT_FOR}, count(*) AS messages,
          sum(octet_length(raw))::bigint AS bytes
   FROM inbound_messages WHERE state = 'waiting' GROUP BY 1, 2, 3`,
  { home: 'cell' },
);

/** The length of an out-of-line value is known without reading it. */
const selectKept = sql<CountedRow & { organization_id: string; id: string }>(
  'inbound.list_kept',
  `SELECT organization_id, id, ${WHAT_FOR},
          1::bigint AS messages, octet_length(raw)::bigint AS bytes
   FROM inbound_messages WHERE state = 'kept' ORDER BY received_at DESC, id DESC`,
  { home: 'cell' },
);

export async function insertInbound(db: Sql, messages: readonly NewInbound[]): Promise<void> {
  let end = 1;
  const starts = messages.map(({ head }) => {
    const start = end;
    end += head.length;
    return start;
  });
  const deliveries = messages.map(({ mailbox }) =>
    mailbox.kind === 'return_path' ? mailbox.delivery : null,
  );
  const domains = messages.map(({ mailbox }) => (mailbox.kind === 'report' ? mailbox.domain : null));
  await db.exec(insert, [
    Buffer.concat(messages.map((one) => one.head)),
    messages.map((one) => uuidv7(one.receivedAtMs)),
    messages.map((one) => one.receivedAtMs),
    messages.map(({ mailbox }) => (mailbox.kind === 'return_path' ? 'b' : mailbox.name)),
    messages.map(({ mailbox }) => ownerOf(mailbox)),
    deliveries.map((one) => one?.emailId ?? null),
    deliveries.map((one) => one?.position ?? null),
    messages.map((one) => one.mailFrom),
    messages.map((one) => one.remoteAddress),
    messages.map((one) => one.size),
    starts,
    messages.map((one) => one.head.length),
    messages.map(({ mailbox }, i) =>
      mailbox.kind === 'report' ? (domains[i]?.domainId ?? UNNAMED_DOMAIN) : null,
    ),
  ]);
}

/** Locks them for the rest of the transaction. Other processes skip them without waiting. */
export async function lockWaitingReports(tx: Sql, limit: number): Promise<WaitingMessage[]> {
  return (await tx.many(claim, [limit])).map(waitingView);
}

/** Waiting reports about domains, without locks: another process may be faster. */
export async function waitingReports(db: Sql, limit: number): Promise<WaitingMessage[]> {
  const waiting: WaitingMessage[] = [];
  for (const row of await db.many(selectReports, [limit])) {
    const pieces = await db.many(selectRaw, [row.organization_id, row.id]);
    // Otherwise another process has recorded and deleted the report.
    if (pieces.length > 0) waiting.push(waitingView({ ...row, raw: joined(pieces) }));
  }
  return waiting;
}

/** Those that still wait, locked as by `lockWaitingReports`. */
export async function lockReports<Message extends InboundKey>(
  tx: Sql,
  messages: readonly Message[],
): Promise<Message[]> {
  if (messages.length === 0) return [];
  const held = new Set((await tx.many(claimThese, keyColumns(messages))).map(({ id }) => id));
  return messages.filter(({ id }) => held.has(id));
}

function waitingView(row: WaitingRow): WaitingMessage {
  return {
    organizationId: row.organization_id,
    id: row.id,
    receivedAtMs: row.received_at.getTime(),
    delivery:
      row.email_id === null || row.position === null
        ? null
        : { organizationId: row.organization_id, emailId: row.email_id, position: row.position },
    domainId: row.domain_id,
    mailbox: row.mailbox,
    raw: row.raw,
    tries: row.tries,
  };
}

export async function removeInbound(tx: Sql, done: readonly InboundKey[]): Promise<void> {
  if (done.length > 0) await tx.exec(remove, keyColumns(done));
}

export async function postponeInbound(
  tx: Sql,
  later: readonly (InboundKey & { readonly seconds: number })[],
): Promise<void> {
  if (later.length > 0) await tx.exec(postpone, [...keyColumns(later), later.map((one) => one.seconds)]);
}

/** After the database's clock was set back by this much, due messages stay due. */
export async function setInboundBack(db: Sql, byMs: number): Promise<void> {
  await db.exec(moveDue, [byMs]);
}

export async function keepInbound(
  tx: Sql,
  kept: readonly (InboundKey & { readonly note: string })[],
): Promise<void> {
  if (kept.length > 0) await tx.exec(keep, [...keyColumns(kept), kept.map((one) => one.note)]);
}

function keyColumns(keys: readonly InboundKey[]): [string[], string[]] {
  return [keys.map((one) => one.organizationId), keys.map((one) => one.id)];
}

/** Removes old messages, and the oldest of those that exceed the caps. */
export async function trimKeptInbound(db: Sql): Promise<void> {
  await db.exec(forget);
  const rows = await db.many(selectKept);
  const kept = rows.map(({ organization_id: organizationId, id, ...row }) => ({
    ...countedView(row),
    ...{ organizationId, id },
  }));
  await removeInbound(db, exceeding(kept, KEPT_CAPS));
}

/** Waiting messages by sender and delivery. */
export async function countWaiting(db: Sql): Promise<WaitingCount[]> {
  return (await db.many(selectWaiting)).map(countedView);
}

function countedView({ remote_address, ...row }: CountedRow): WaitingCount {
  return { ...row, remoteAddress: remote_address };
}

export async function waitingInbound(db: Sql): Promise<number> {
  return (await db.one(numberWaiting)).count;
}

const erase = sql(
  'inbound.erase',
  'DELETE FROM inbound_messages WHERE organization_id = $1 AND email_id = ANY ($2::uuid[])',
  { home: 'cell', organization: '$1' },
);

/** Erases returned messages about these emails that are waiting or kept. */
export async function eraseFromInbound(
  tx: Sql,
  organizationId: string,
  emailIds: readonly string[],
): Promise<void> {
  await tx.exec(erase, [organizationId, emailIds]);
}
