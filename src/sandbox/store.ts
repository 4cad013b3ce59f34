/** The one writer of `sandbox_messages` and `sandbox_greylist`. */
import { type Sql, sql } from '../database/sql.ts';

export interface CapturedMessage {
  readonly organizationId: string;
  readonly id: string;
  readonly emailId: string;
  readonly position: number;
  readonly receivedAt: Date;
  readonly mailFrom: string;
  readonly rcptTo: string;
  readonly fromEmail: string;
  readonly fromName: string | null;
  readonly subject: string;
  readonly raw: Buffer;
}

export interface MessageRow {
  readonly id: string;
  readonly email_id: string;
  readonly size: number;
  readonly received_at: Date;
  readonly rcpt_to: string;
  readonly from_email: string;
  readonly from_name: string | null;
  readonly subject: string;
}

export interface FullMessageRow extends MessageRow {
  readonly mail_from: string;
  readonly raw: Buffer;
}

export interface DeliveryKey {
  readonly emailId: string;
  readonly position: number;
}

export const KEPT_MESSAGES = 1_000;
/** A delivery that was turned away once and has not come back in this time never will. */
const GREYLIST_KEPT = '14 days';

/**
 * All bodies travel as one binary parameter that is cut up again here: an array of bytea would be sent as
 * escaped hex, twice the bytes and many times the work.
 */
const insertRows = sql(
  'sandbox.insert',
  `INSERT INTO sandbox_messages (organization_id, id, email_id, position, received_at, mail_from, rcpt_to,
                                 from_email, from_name, subject, size, raw)
   SELECT m.organization_id, m.id, m.email_id, m.position, m.received_at, m.mail_from, m.rcpt_to,
          m.from_email, m.from_name, m.subject, m.size, substring($1::bytea FROM m.start FOR m.size)
   FROM unnest($2::text[], $3::uuid[], $4::uuid[], $5::smallint[], $6::timestamptz[], $7::text[], $8::text[],
               $9::text[], $10::text[], $11::text[], $12::integer[], $13::integer[])
     AS m (organization_id, id, email_id, position, received_at, mail_from, rcpt_to,
           from_email, from_name, subject, size, start)`,
);

const trimOrganization = sql(
  'sandbox.trim',
  `DELETE FROM sandbox_messages
   WHERE organization_id = $1
     AND id <= (SELECT id FROM sandbox_messages WHERE organization_id = $1 ORDER BY id DESC OFFSET $2 LIMIT 1)`,
);

const listPage = sql<MessageRow>(
  'sandbox.list',
  `SELECT id, email_id, size, received_at, rcpt_to, from_email, from_name, subject
   FROM sandbox_messages WHERE organization_id = $1 ORDER BY id DESC LIMIT $2 OFFSET $3`,
);

const listPageTo = sql<MessageRow>(
  'sandbox.list_to',
  `SELECT id, email_id, size, received_at, rcpt_to, from_email, from_name, subject
   FROM sandbox_messages WHERE organization_id = $1 AND lower(rcpt_to) = lower($4)
   ORDER BY id DESC LIMIT $2 OFFSET $3`,
);

const countAll = sql<{ count: number }>(
  'sandbox.count',
  'SELECT count(*) FROM sandbox_messages WHERE organization_id = $1',
);

const countTo = sql<{ count: number }>(
  'sandbox.count_to',
  'SELECT count(*) FROM sandbox_messages WHERE organization_id = $1 AND lower(rcpt_to) = lower($2)',
);

const findOne = sql<FullMessageRow>(
  'sandbox.find',
  `SELECT id, email_id, size, received_at, mail_from, rcpt_to, from_email, from_name, subject, raw
   FROM sandbox_messages WHERE organization_id = $1 AND id = $2`,
);

const deleteAll = sql('sandbox.delete_all', 'DELETE FROM sandbox_messages WHERE organization_id = $1');

const rememberGreylisted = sql(
  'sandbox.greylist',
  'INSERT INTO sandbox_greylist (email_id, position) VALUES ($1, $2) ON CONFLICT DO NOTHING',
);

const forgetGreylisted = sql(
  'sandbox.forget_greylisted',
  `DELETE FROM sandbox_greylist AS g USING unnest($1::uuid[], $2::smallint[]) AS d (email_id, position)
   WHERE g.email_id = d.email_id AND g.position = d.position`,
);

const forgetStaleGreylisted = sql(
  'sandbox.forget_stale_greylisted',
  `DELETE FROM sandbox_greylist WHERE seen_at < now() - interval '${GREYLIST_KEPT}'`,
);

export async function insertMessages(db: Sql, messages: readonly CapturedMessage[]): Promise<void> {
  const column = <T>(read: (message: CapturedMessage) => T): T[] => messages.map(read);
  await db.exec(insertRows, [
    Buffer.concat(column((message) => message.raw)),
    column((message) => message.organizationId),
    column((message) => message.id),
    column((message) => message.emailId),
    column((message) => message.position),
    column((message) => message.receivedAt.toISOString()),
    column((message) => message.mailFrom),
    column((message) => message.rcptTo),
    column((message) => message.fromEmail),
    column((message) => message.fromName),
    column((message) => message.subject),
    column((message) => message.raw.length),
    startsOf(messages),
  ]);
}

/** Keeps the newest messages of one organization; nobody else's are touched. */
export async function trimMessages(db: Sql, organizationId: string): Promise<number> {
  return db.exec(trimOrganization, [organizationId, KEPT_MESSAGES]);
}

export async function listMessages(
  db: Sql,
  organizationId: string,
  query: { readonly to?: string | undefined; readonly limit: number; readonly offset: number },
): Promise<{ rows: MessageRow[]; total: number }> {
  const { to, limit, offset } = query;
  const [rows, { count }] = await Promise.all(
    to === undefined
      ? [db.many(listPage, [organizationId, limit, offset]), db.one(countAll, [organizationId])]
      : [db.many(listPageTo, [organizationId, limit, offset, to]), db.one(countTo, [organizationId, to])],
  );
  return { rows, total: count };
}

export async function findMessage(
  db: Sql,
  organizationId: string,
  id: string,
): Promise<FullMessageRow | undefined> {
  return db.maybeOne(findOne, [organizationId, id]);
}

export async function deleteMessages(db: Sql, organizationId: string): Promise<number> {
  return db.exec(deleteAll, [organizationId]);
}

/** True the first time this delivery is seen. */
export async function isFirstSight(db: Sql, delivery: DeliveryKey): Promise<boolean> {
  return (await db.exec(rememberGreylisted, [delivery.emailId, delivery.position])) === 1;
}

export async function forgetDeliveries(db: Sql, deliveries: readonly DeliveryKey[]): Promise<void> {
  await db.exec(forgetGreylisted, [
    deliveries.map((delivery) => delivery.emailId),
    deliveries.map((delivery) => delivery.position),
  ]);
}

export async function forgetStaleDeliveries(db: Sql): Promise<void> {
  await db.exec(forgetStaleGreylisted);
}

/** Where each body starts in all of them together; SQL counts from one. */
function startsOf(messages: readonly CapturedMessage[]): number[] {
  let next = 1;
  return messages.map((message) => {
    const start = next;
    next += message.raw.length;
    return start;
  });
}
