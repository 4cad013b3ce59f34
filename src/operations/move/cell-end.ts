/** The source or target cell of a move, on a dedicated connection: its statements take long and concern one database. */
import pg from 'pg';
import { onClient } from '../../database/database.ts';
import { writableUrl } from '../../database/host-finder.ts';
import type { Sql } from '../../database/sql.ts';

export interface CellPlace {
  readonly name: string;
  /** Bypasses poolers, which may not permit the session settings needed here. */
  readonly url: string;
}

export interface CellEnd extends CellPlace {
  readonly client: pg.Client;
  readonly db: Sql;
}

/** Both sessions use the same text format, whatever their servers' settings, and have no time limits. */
const SESSION = `
  SET statement_timeout = 0;
  SET idle_in_transaction_session_timeout = 0;
  SET row_security = off;
  SET TimeZone = 'UTC';
  SET DateStyle = 'ISO, YMD';
  SET IntervalStyle = 'postgres';
  SET bytea_output = 'hex';
  SET extra_float_digits = 1`;

const MOVES = 'postrider-move';

export async function withCellEnd<T>(place: CellPlace, work: (end: CellEnd) => Promise<T>): Promise<T> {
  const connectionString = await writableUrl(place.url);
  const client = new pg.Client({ connectionString, application_name: MOVES, keepAlive: true });
  client.on('error', () => {}); // the running query reports the error
  await client.connect();
  try {
    await client.query(SESSION);
    return await work({ ...place, client, db: onClient(client) });
  } finally {
    await client.end();
  }
}

export async function inTransaction<T>({ client }: CellEnd, work: () => Promise<T>): Promise<T> {
  await client.query('BEGIN');
  try {
    const result = await work();
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined); // the first error has the cause
    throw error;
  }
}

/** Runs in a transaction that is always rolled back. */
export async function transactionRolledBack<T>({ client }: CellEnd, work: () => Promise<T>): Promise<T> {
  await client.query('BEGIN');
  try {
    return await work();
  } finally {
    await client.query('ROLLBACK').catch(() => undefined); // the end of a session also rolls it back
  }
}
