/** Where a schema is one of Citus, migrations are sent one command at a time: PostgreSQL itself says whether each is one, and whole. */
import type pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { readMigrations } from '../../src/database/migrate.ts';
import { commandsIn } from '../../src/database/sql-script.ts';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../support/database.ts';
import { schemaOf } from '../support/schema-of.ts';
import { onServer } from '../support/standby.ts';

it('migrations make the same schema when each command is sent alone', async () => {
  const [empty, usual] = await Promise.all([createEmptyDatabase(), createTestDatabase()]);
  onTestFinished(async () => void (await Promise.all([empty.drop(), usual.drop()])));
  await onServer(empty.url, async (client) => {
    // The runner creates its own table; a migration comments on it.
    await client.query('CREATE TABLE schema_migrations (version integer, name text, needs integer)');
    for (const { text } of readMigrations())
      for (const command of commandsIn(text)) await client.query(prepared(command));
  });
  const made = await schemaMade(empty);
  expect(made.length).toBeGreaterThan(500);
  expect(made).toEqual(await schemaMade(usual));
});

/** Two commands cannot be prepared as one. The types do not know of it. */
function prepared(text: string): pg.QueryConfig {
  return { text, queryMode: 'extended' } as pg.QueryConfig;
}

/** Without the table of the runner itself. */
async function schemaMade({ db }: TestDatabase): Promise<string[]> {
  return (await schemaOf(db)).filter((what) => !what.includes('schema_migrations'));
}
