/**
 * One moment of an installation while mail flows: a transaction that sees the database as it was then, and what the
 * workers' journals said at that moment.
 *
 * An acceptance that a worker had written down and not settled is a claimed row in the snapshot, and a line in its
 * journal. A journal is emptied when everything in it is settled, and that may be right after the snapshot. So the
 * journals are read on both sides of it: where each has only grown in between, the later reading has every line that
 * the snapshot does not know of. Otherwise another snapshot is taken.
 */
import type pg from 'pg';
import { type CellIdentity, identityOf } from '../../cells/identity.ts';
import { onClient } from '../../database/database.ts';
import { isUndefinedTable } from '../../database/errors.ts';
import { UNFINISHED_RESTORE } from '../../database/migrate.ts';
import { withOwnConnection } from '../../database/own-connection.ts';
import { weeksBefore } from '../../database/partitions.ts';
import { type Sql, sql } from '../../database/sql.ts';
import { allJournals, haveOnlyGrown, type JournalLines } from '../../outbox/journal.ts';
import { BackupError } from './backup-error.ts';
import { quotedName, readSequences, type TableShape, tableShapes, tableSizes } from './catalog.ts';
import type { SavedSequence } from './manifest.ts';

export interface Snapshot {
  /** Everything that is read here is of that moment. */
  readonly client: pg.Client;
  readonly schema: number;
  readonly cell: CellIdentity | undefined;
  readonly postgresql: string;
  readonly tables: readonly TableShape[];
  /** About how much there is to read of each. */
  readonly sizes: ReadonlyMap<string, number>;
  readonly weeks: readonly string[];
  /** Read after the journals: none of them is of an epoch that will be given again. */
  readonly sequences: readonly SavedSequence[];
  readonly journals: ReadonlyMap<number, JournalLines>;
}

/** Each takes milliseconds, and a journal is emptied a few times in a second at most. */
const MAX_TRIES = 100;

/** Whatever this session, the server or a pooler is set to: it takes as long as it takes, and writes the same text everywhere. */
const BEGIN = `
  BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
  SET LOCAL statement_timeout = 0;
  SET LOCAL idle_in_transaction_session_timeout = 0;
  SET LOCAL lock_timeout = '60s';
  SET LOCAL row_security = off;
  SET LOCAL synchronize_seqscans = off;
  SET LOCAL max_parallel_workers_per_gather = 0;
  SET LOCAL TimeZone = 'UTC';
  SET LOCAL DateStyle = 'ISO, YMD';
  SET LOCAL IntervalStyle = 'postgres';
  SET LOCAL bytea_output = 'hex';
  SET LOCAL extra_float_digits = 1;`;

/** The first that is read: the snapshot is of its moment. */
const selectVersions = sql<{ schema: number; postgresql: string }>(
  'backup.versions',
  `SELECT coalesce(max(version), 0)::int AS schema, current_setting('server_version') AS postgresql
   FROM schema_migrations`,
  { home: 'either' },
);

export function withSnapshot<T>(
  url: string,
  dataDir: string,
  work: (snapshot: Snapshot) => Promise<T>,
): Promise<T> {
  return withOwnConnection(url, 'postrider-backup', async (client) =>
    work(await takeSnapshot(client, dataDir)),
  );
}

async function takeSnapshot(client: pg.Client, dataDir: string): Promise<Snapshot> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const snapshot = await tryToTake(client, dataDir);
    if (snapshot !== null) return snapshot;
    await client.query('ROLLBACK');
  }
  throw new BackupError('The tables change all the time: is the schema being brought up to date? Try again.');
}

/** Null where something changed in between. */
async function tryToTake(client: pg.Client, dataDir: string): Promise<Snapshot | null> {
  const db = onClient(client);
  const known = await tableShapes(db);
  await client.query(BEGIN);
  if (!(await lockTables(client, known))) return null;
  const before = allJournals(dataDir);
  const versions = await db.one(selectVersions);
  const journals = allJournals(dataDir);
  if (!haveOnlyGrown(before, journals)) return null;
  if (JSON.stringify(await tableShapes(db)) !== JSON.stringify(known)) return null;
  return {
    ...versions,
    cell: known.some(({ name }) => name === 'cell_identity') ? await identityOf(db) : undefined,
    client,
    journals,
    tables: known,
    sizes: await tableSizes(db),
    weeks: await firstDays(db),
    sequences: await readSequences(db),
  };
}

/**
 * Retention empties and drops partitions, which no snapshot protects from. A lock does not take the snapshot. False where a
 * table is gone already.
 */
async function lockTables(client: pg.Client, tables: readonly TableShape[]): Promise<boolean> {
  if (tables.length === 0) throw new BackupError('The database has no tables: there is nothing to back up.');
  if (tables.some(({ name }) => name === UNFINISHED_RESTORE))
    throw new BackupError('A restore into this database was not finished: it is no backup of anything.');
  try {
    const names = tables.map(({ name }) => quotedName(name)).join(', ');
    await client.query(`LOCK TABLE ${names} IN ACCESS SHARE MODE`);
    return true;
  } catch (error) {
    if (isUndefinedTable(error)) return false;
    throw error;
  }
}

async function firstDays(db: Sql): Promise<string[]> {
  const weeks = await weeksBefore(db, Number.POSITIVE_INFINITY);
  return weeks.map(({ startMs }) => new Date(startMs).toISOString().slice(0, 10));
}
