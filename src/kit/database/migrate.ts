/**
 * Forward-only migrations: `migrations/NNNN_name.sql`, one transaction each, under an advisory lock, so that
 * several processes may start at once. A process refuses to run against a schema newer than itself.
 *
 * A file whose first line is `-- no-transaction` runs outside one (CREATE INDEX CONCURRENTLY needs that); it
 * must hold a single statement that may be run again.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { isUndefinedTable } from './errors.ts';
import { type Sql, sql } from './sql.ts';

/** The same distance from `src/kit/database` and from `dist/database`. */
const MIGRATIONS_DIR = fileURLToPath(new URL('../../../migrations', import.meta.url));
const LOCK_KEY = 'postrider.migrations';
/** A migration that waits longer than this for a lock would make everyone behind it wait too. */
const LOCK_TIMEOUT = '10s';

export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly text: string;
}

export class SchemaError extends Error {}

const selectVersion = sql<{ version: number }>(
  'migrations.version',
  'SELECT coalesce(max(version), 0)::int AS version FROM schema_migrations',
);

/** Brings the schema up to date. Returns the names of what was applied. */
export async function migrate(
  databaseUrl: string,
  log: (line: string) => void = () => {},
): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'postrider-migrate' });
  client.on('error', () => {}); // the query in hand reports it
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock(hashtext($1))', [LOCK_KEY]);
    return await applyPending(client, log);
  } finally {
    await client.end();
  }
}

/** Throws unless the schema is exactly the one this code was written for. */
export async function checkSchema(db: Sql): Promise<void> {
  const { version, known } = await schemaVersions(db);
  if (version > known) throw newerSchema(version, known);
  if (version < known) {
    throw new SchemaError(
      `The database is at schema ${version}, this code needs ${known}. Run \`npx postrider migrate\`.`,
    );
  }
}

/** The schema the database has, and the one this code was written for. */
export async function schemaVersions(db: Sql): Promise<{ version: number; known: number }> {
  const known = knownVersion(readMigrations());
  try {
    return { version: (await db.one(selectVersion)).version, known };
  } catch (error) {
    if (isUndefinedTable(error)) return { version: 0, known }; // never migrated
    throw error;
  }
}

export function readMigrations(): readonly Migration[] {
  return readdirSync(MIGRATIONS_DIR)
    .filter((file) => /^\d{4}_.+\.sql$/.test(file))
    .sort()
    .map((file) => ({
      version: Number(file.slice(0, 4)),
      name: file.replace(/\.sql$/, ''),
      text: readFileSync(join(MIGRATIONS_DIR, file), 'utf8'),
    }));
}

async function applyPending(client: pg.Client, log: (line: string) => void): Promise<string[]> {
  await client.query(`CREATE TABLE IF NOT EXISTS schema_migrations (
    version integer PRIMARY KEY, name text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`);
  const { rows } = await client.query<{ version: number }>(selectVersion.text);
  const current = rows[0]?.version ?? 0;
  const migrations = readMigrations();
  const known = knownVersion(migrations);
  if (current > known) throw newerSchema(current, known);
  const pending = migrations.filter((one) => one.version > current);
  for (const migration of pending) {
    log(`Applying migration ${migration.name}`);
    await apply(client, migration);
  }
  return pending.map((one) => one.name);
}

async function apply(client: pg.Client, { version, name, text }: Migration): Promise<void> {
  const record = () =>
    client.query('INSERT INTO schema_migrations (version, name) VALUES ($1, $2)', [version, name]);
  if (text.startsWith('-- no-transaction')) {
    await client.query(text);
    await record();
    return;
  }
  await client.query('BEGIN');
  try {
    await client.query(`SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`);
    await client.query(text);
    await record();
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw new SchemaError(`Migration ${name} failed: ${error instanceof Error ? error.message : error}`, {
      cause: error,
    });
  }
}

function knownVersion(migrations: readonly Migration[]): number {
  return migrations.at(-1)?.version ?? 0;
}

function newerSchema(version: number, known: number): SchemaError {
  return new SchemaError(
    `The database is at schema ${version}, newer than this code knows (${known}). Update Postrider before you start it.`,
  );
}
