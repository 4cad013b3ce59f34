/** Reads the mail that is kept for the operator. `store.ts` writes it. */
import { type Sql, sql } from '../database/sql.ts';

export interface KeptMessage {
  readonly organization_id: string;
  readonly id: string;
  readonly received_at: Date;
  readonly mailbox: string;
  readonly mail_from: string;
  readonly remote_address: string;
  readonly note: string | null;
  readonly raw: Buffer;
}

const KEPT_COLUMNS = 'organization_id, id, received_at, mailbox, mail_from, remote_address, note, raw';

const selectKeptMail = sql<KeptMessage>(
  'inbound.kept_mail',
  `SELECT ${KEPT_COLUMNS} FROM inbound_messages WHERE state = 'kept' ORDER BY received_at DESC, id DESC LIMIT $1`,
  { home: 'cell' },
);

const selectKeptOne = sql<KeptMessage>(
  'inbound.kept_one',
  `SELECT ${KEPT_COLUMNS} FROM inbound_messages WHERE state = 'kept' AND id = $1`,
  { home: 'cell' },
);

const numberKept = sql<{ count: number }>(
  'inbound.number_kept',
  `SELECT count(*) FROM inbound_messages WHERE state = 'kept'`,
  { home: 'cell' },
);

/** The newest first. */
export function keptMail(db: Sql, limit: number): Promise<KeptMessage[]> {
  return db.many(selectKeptMail, [limit]);
}

export function keptMessage(db: Sql, id: string): Promise<KeptMessage | undefined> {
  return db.maybeOne(selectKeptOne, [id]);
}

export async function countKept(db: Sql): Promise<number> {
  return (await db.one(numberKept)).count;
}
