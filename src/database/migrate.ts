/**
 * Forward-only migrations: `migrations/NNNN_name.sql`, one transaction each, under an advisory lock, so that several processes
 * may start at once.
 *
 * Two versions may use one schema during an upgrade. A migration therefore only adds, and code accepts a schema newer than its
 * own. A migration that removes something has a line `-- contract: NNNN`: code that knows schema NNNN no longer uses the
 * removed part, and older code refuses the database from then on.
 *
 * A file whose first line is `-- no-transaction` runs outside a transaction (CREATE INDEX CONCURRENTLY needs that); it must
 * contain a single repeatable statement.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { isConflict, isLockTimeout, isUndefinedTable, SchemaError } from './errors.ts';
import { writableUrl } from './host-finder.ts';
import { findPooling } from './pooler.ts';
import { type Sql, sql } from './sql.ts';
import { commandsIn } from './sql-script.ts';

/** The relative path is the same from `src/database` and from `dist/database`. */
const MIGRATIONS_DIR = fileURLToPath(new URL('../../migrations', import.meta.url));
const LOCK_KEY = 'postrider.migrations';
const TURN_EVERY_MS = 100;
/** While a migration waits for a lock, later queries queue behind it. So it gives up and retries a little later. */
const LOCK_TIMEOUT = '2s';
const TRY_AGAIN_MS = 1_000;
const TRIES = 15;
/**
 * The last migration from the time when two versions never ran at once: up to it, only code that knows the schema can use it.
 */
const LAST_FOR_ITSELF = 53;

export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly text: string;
}

export interface SchemaVersions {
  readonly version: number;
  /** The schema version that code must know to use the database. */
  readonly needs: number;
  readonly known: number;
}

export interface MigrateOptions {
  readonly log?: (line: string) => void;
  /** Called before each migration with the number already applied and the total. */
  readonly onApplying?: (name: string, done: number, total: number) => void;
  /** Refuses migrations that running processes could not continue with. */
  readonly isOnline?: boolean;
  /** Replaces this code's migrations. */
  readonly migrations?: readonly Migration[];
  /** Set by a restore, which itself brings the schema to the backup's version. */
  readonly isRestore?: boolean;
}

/** Old rows, and the old table, have no `needs`. */
const selectVersion = sql<{ version: number; needs: number }>(
  'migrations.version',
  `SELECT coalesce(max(version), 0)::int AS version,
          coalesce(max(coalesce((to_jsonb(m)->>'needs')::int, version)), 0)::int AS needs
   FROM schema_migrations m`,
  { home: 'either' },
);

/** Exists during a restore: a process must not start on an incomplete database or without the restore's hold. */
export const UNFINISHED_RESTORE = 'unfinished_restore';

const findUnfinished = sql<{ found: boolean }>(
  'migrations.unfinished_restore',
  `SELECT to_regclass('${UNFINISHED_RESTORE}') IS NOT NULL AS found`,
  { home: 'either' },
);

/** Applies the pending migrations. Returns their names. */
export async function migrate(databaseUrl: string, options: MigrateOptions = {}): Promise<string[]> {
  const client = await connect(databaseUrl);
  try {
    await refuseTransactionMode(client, () => connect(databaseUrl));
    // A role's time limits are meant for interactive queries.
    await client.query('SET statement_timeout = 0');
    await takeTurn(client);
    return await applyPending(client, options);
  } finally {
    await client.end();
  }
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: await writableUrl(url),
    application_name: 'postrider-migrate',
  });
  client.on('error', () => {}); // the running query reports the error
  await client.connect();
  return client;
}

/** The lock would remain in a session of the pooler, and exclude no other process. */
async function refuseTransactionMode(client: pg.Client, another: () => Promise<pg.Client>): Promise<void> {
  if ((await findPooling(client, another)).mode !== 'transaction') return;
  throw new SchemaError(
    'The schema cannot be brought up to date through a pooler in transaction mode, which keeps no locks. ' +
      'Set DATABASE_DIRECT_URL to the address of PostgreSQL itself.',
  );
}

/**
 * Polls instead of waiting: a concurrent index build waits for all running statements, and would wait for one that waits for
 * this lock.
 */
async function takeTurn(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ held: boolean }>(
      'SELECT pg_try_advisory_lock(hashtext($1)) AS held',
      [LOCK_KEY],
    );
    if (rows[0]?.held === true) return;
    await sleep(TURN_EVERY_MS);
  }
}

/** Throws unless this code can use the schema: its own version, or a compatible newer one. */
export async function checkSchema(db: Sql): Promise<void> {
  if ((await db.one(findUnfinished)).found) throw unfinishedRestore();
  const versions = await schemaVersions(db);
  refuseNewer(versions);
  const { version, known } = versions;
  if (version < known) {
    throw new SchemaError(
      `The database is at schema ${version}, this code needs ${known}. If Postrider is starting, wait until it is ready; otherwise run \`npx postrider migrate\`.`,
    );
  }
}

export async function schemaVersions(db: Sql): Promise<SchemaVersions> {
  const known = knownSchema();
  try {
    return { ...(await db.one(selectVersion)), known };
  } catch (error) {
    if (isUndefinedTable(error)) return { version: 0, needs: 0, known }; // never migrated
    throw error;
  }
}

export function readMigrations(): readonly Migration[] {
  return migrationFiles().map((file) => ({
    version: Number(file.slice(0, 4)),
    name: file.replace(/\.sql$/, ''),
    text: readFileSync(join(MIGRATIONS_DIR, file), 'utf8'),
  }));
}

/** The schema version that code must know after this migration; 0 if it adds no requirement. */
export function schemaNeededBy({ version, text }: Migration): number {
  const contract = /^-- contract: (\d{4})$/m.exec(text)?.[1];
  if (contract !== undefined) return Number(contract);
  return version <= LAST_FOR_ITSELF ? version : 0;
}

/** The first migration that running processes cannot continue with. */
export function firstOffline(pending: readonly Migration[], current: number): Migration | undefined {
  // No process uses a database without tables.
  return current === 0 ? undefined : pending.find((one) => schemaNeededBy(one) > current);
}

function migrationFiles(): string[] {
  return readdirSync(MIGRATIONS_DIR)
    .filter((file) => /^\d{4}_.+\.sql$/.test(file))
    .sort();
}

let known: number | undefined;

/**
 * The schema version that this code was written for. Read once: an upgrade replaces the files while this code keeps running.
 */
export function knownSchema(): number {
  known ??= Number(migrationFiles().at(-1)?.slice(0, 4) ?? 0);
  return known;
}

async function applyPending(client: pg.Client, options: MigrateOptions): Promise<string[]> {
  const { log = () => {}, isOnline = false, migrations = readMigrations() } = options;
  const { rows: marks } = await client.query<{ found: boolean }>(findUnfinished.text);
  if (marks[0]?.found === true && options.isRestore !== true) throw unfinishedRestore();
  await client.query(`CREATE TABLE IF NOT EXISTS schema_migrations (
    version integer PRIMARY KEY, name text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now(), needs integer)`);
  const { rows } = await client.query<{ version: number; needs: number }>(selectVersion.text);
  const { version: current, needs } = rows[0] ?? { version: 0, needs: 0 };
  refuseNewer({ version: current, needs, known: migrations.at(-1)?.version ?? 0 });
  const pending = migrations.filter((one) => one.version > current);
  const offline = isOnline ? firstOffline(pending, current) : undefined;
  if (offline !== undefined) throw new SchemaError(offlineWords(offline.name, current));
  if (pending.length > 0)
    await client.query('ALTER TABLE schema_migrations ADD COLUMN IF NOT EXISTS needs integer');
  const place = { client, isCitus: pending.length > 0 && (await hasCitus(client)) };
  for (const [done, migration] of pending.entries()) {
    options.onApplying?.(migration.name, done, pending.length);
    log(`Applying migration ${migration.name}`);
    await apply(place, migration, log);
  }
  return pending.map((one) => one.name);
}

/** The connection that migrations run on. */
interface Place {
  readonly client: pg.Client;
  /** Citus may keep the schema on another node, which accepts less. */
  readonly isCitus: boolean;
}

async function hasCitus(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query(`SELECT FROM pg_extension WHERE extname = 'citus'`);
  return rows.length > 0;
}

async function apply(place: Place, migration: Migration, log: (line: string) => void): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await applyOnce(place, migration);
    } catch (error) {
      const isInTheWay = isLockTimeout(error) || isConflict(error);
      if (!isInTheWay || tries === TRIES) throw failure(migration, error);
      log(`Migration ${migration.name} waits for a lock that somebody holds`);
      await sleep(TRY_AGAIN_MS);
    }
  }
}

async function applyOnce({ client, isCitus }: Place, migration: Migration): Promise<void> {
  const { version, name, text } = migration;
  const values = [version, name, schemaNeededBy(migration)];
  const record = () =>
    client.query('INSERT INTO schema_migrations (version, name, needs) VALUES ($1, $2, $3)', values);
  if (text.startsWith('-- no-transaction')) {
    await dropUnfinishedIndex({ client, isCitus }, text);
    await client.query(text);
    await record();
    return;
  }
  await client.query('BEGIN');
  try {
    await client.query(`SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`);
    // Citus forwards a command's whole text to the other node, which accepts one command at a time.
    for (const command of isCitus ? commandsIn(text) : [text]) await client.query(command);
    await record();
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
}

/**
 * An interrupted index build leaves an invalid index under the name that the next try needs. On Citus, a repeated command makes
 * a valid index invalid.
 */
async function dropUnfinishedIndex({ client, isCitus }: Place, text: string): Promise<void> {
  const name = /INDEX CONCURRENTLY IF NOT EXISTS (\w+)/i.exec(text)?.[1];
  if (name === undefined) return;
  const { rows } = await client.query(
    'SELECT FROM pg_index WHERE indexrelid = to_regclass($1) AND (NOT indisvalid OR $2::boolean)',
    [name, isCitus],
  );
  if (rows.length > 0) await client.query(`DROP INDEX ${name}`);
}

function failure({ name }: Migration, error: unknown): SchemaError {
  const reason = error instanceof Error ? error.message : error;
  return new SchemaError(`Migration ${name} failed: ${reason}`, { cause: error });
}

function unfinishedRestore(): SchemaError {
  return new SchemaError(
    'A restore into this database was not finished. Empty it (delete the data folder, or drop the database) and restore again.',
  );
}

export function refuseNewer({ version, needs, known }: SchemaVersions): void {
  if (needs <= known) return;
  throw new SchemaError(
    `The database is at schema ${version}, newer than this code knows (${known}). Update Postrider before you start it.`,
  );
}

function offlineWords(name: string, current: number): string {
  return (
    `Processes of schema ${current} may not work after migration ${name}. Nothing was changed. ` +
    'Stop them all first, then run `npx postrider migrate`, or start the new version.'
  );
}
