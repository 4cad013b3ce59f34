/** A cell that an organization leaves or comes to, on a connection of its own: what is done here takes long, and is about one database. */
import pg from 'pg';
import { onClient } from '../../database/database.ts';
import { writableUrl } from '../../database/host-finder.ts';
import type { Sql } from '../../database/sql.ts';

export interface CellPlace {
  readonly name: string;
  /** Past poolers, which may not let a session do what this one has to. */
  readonly url: string;
}

export interface CellEnd extends CellPlace {
  readonly client: pg.Client;
  readonly db: Sql;
}

/** Both write the same text for the same value, whatever they are set to; and it takes as long as it takes. */
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
  client.on('error', () => {}); // the query in hand reports it
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
    await client.query('ROLLBACK').catch(() => undefined); // the first error says why
    throw error;
  }
}

/** In a transaction that is rolled back, whatever comes of it. */
export async function transactionRolledBack<T>({ client }: CellEnd, work: () => Promise<T>): Promise<T> {
  await client.query('BEGIN');
  try {
    return await work();
  } finally {
    await client.query('ROLLBACK').catch(() => undefined); // a session that has ended took it back, too
  }
}
