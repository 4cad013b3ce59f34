/**
 * `npm run schema`: migrates an empty database and writes schema/schema.sql from it, and the table in
 * docs/internals/tables.md from src/cells/tables.ts.
 * `npm run schema -- --migration NAME`: first writes a migration that installs every function whose file in
 * schema/functions differs from the database.
 */
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { onClient } from '../../src/database/database.ts';
import { startEmbeddedPostgres } from '../../src/database/embedded-postgres.ts';
import { knownSchema, migrate } from '../../src/database/migrate.ts';
import { withOwnConnection } from '../../src/database/own-connection.ts';
import type { Sql } from '../../src/database/sql.ts';
import { dumpSchema } from './dump.ts';
import { functionFiles, MIGRATIONS_FOLDER, SCHEMA_FILE, TABLES_PAGE } from './files.ts';
import { changedFunctions } from './functions.ts';
import { withTables } from './tables-page.ts';

const say = (line: string): void => void process.stdout.write(`${line}\n`);

async function withServer(work: (url: string) => Promise<void>): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'postrider-schema-'));
  // Under root PostgreSQL runs as another account, which has to read the folder.
  await chmod(dataDir, 0o755);
  try {
    const server = await startEmbeddedPostgres({ dataDir, settings: { fsync: 'off' }, log: () => undefined });
    await work(server.url).finally(() => server.stop());
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

function inTransaction<T>(url: string, work: (tx: Sql) => Promise<T>): Promise<T> {
  return withOwnConnection(url, 'postrider-schema', async (client) => {
    await client.query('BEGIN');
    const result = await work(onClient(client));
    await client.query('ROLLBACK');
    return result;
  });
}

async function writeMigration(url: string, name: string): Promise<void> {
  const changed = await inTransaction(url, changedFunctions);
  if (changed.length === 0) {
    say('Every function is as its file in schema/functions has it.');
    return;
  }
  const file = `${String(knownSchema() + 1).padStart(4, '0')}_${name}.sql`;
  const texts = changed.map(({ file: source, text }) => `-- From schema/functions/${source}.\n${text}`);
  await writeFile(join(MIGRATIONS_FOLDER, file), texts.join('\n'));
  say(`Wrote migrations/${file}: ${changed.map((one) => one.file).join(', ')}.`);
  await migrate(url);
}

const { values } = parseArgs({ options: { migration: { type: 'string' } } });

await withServer(async (url) => {
  await migrate(url);
  if (values.migration !== undefined) await writeMigration(url, values.migration);
  await writeFile(SCHEMA_FILE, await inTransaction(url, (tx) => dumpSchema(tx, functionFiles())));
  await writeFile(TABLES_PAGE, withTables(await readFile(TABLES_PAGE, 'utf8')));
  say('Wrote schema/schema.sql and the table in docs/internals/tables.md.');
});
