/** Where a schema is one of Citus, migrations are sent one command at a time: PostgreSQL itself says whether each is one, and whole. */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { expect, inject, it, onTestFinished } from 'vitest';
import { readMigrations } from '../../src/kit/database/migrate.ts';
import { commandsIn } from '../../src/kit/database/sql-script.ts';
import { admin, createTestDatabase, withDatabase } from '../support/database.ts';

/** Tables, their columns, indexes, rules and triggers, and the text of every function. */
const SCHEMA = `
  SELECT 'column ' || table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable || coalesce(column_default, '') AS what
  FROM information_schema.columns WHERE table_schema = 'public' AND table_name !~ '_p\\d{8}$'
    AND table_name <> 'schema_migrations'
  UNION ALL SELECT 'index ' || indexdef FROM pg_indexes
  WHERE schemaname = 'public' AND tablename !~ '_p\\d{8}$' AND tablename <> 'schema_migrations'
  UNION ALL SELECT 'constraint ' || conname || ' ' || pg_get_constraintdef(oid) FROM pg_constraint
  WHERE connamespace = 'public'::regnamespace AND conrelid::regclass::text !~ '_p\\d{8}$|^schema_migrations$'
  UNION ALL SELECT 'function ' || md5(pg_get_functiondef(oid)) FROM pg_proc WHERE pronamespace = 'public'::regnamespace
  UNION ALL SELECT 'trigger ' || tgname FROM pg_trigger WHERE NOT tgisinternal
  ORDER BY 1`;

it('migrations make the same schema when each command is sent by itself', async () => {
  const name = `commands_${randomBytes(8).toString('hex')}`;
  await admin(inject('databaseUrl'), `CREATE DATABASE ${name}`);
  onTestFinished(() => admin(inject('databaseUrl'), `DROP DATABASE ${name} WITH (FORCE)`));
  const client = new pg.Client({ connectionString: withDatabase(inject('databaseUrl'), name) });
  await client.connect();
  for (const { text } of readMigrations()) {
    for (const command of commandsIn(text)) await client.query(prepared(command));
  }
  const fresh = await createTestDatabase();
  onTestFinished(() => fresh.drop());
  const wanted = new pg.Client({ connectionString: fresh.url });
  await wanted.connect();
  const schemas = await Promise.all([client.query(SCHEMA), wanted.query(SCHEMA)]);
  await Promise.all([client.end(), wanted.end()]);
  expect(schemas[0].rows.length).toBeGreaterThan(500);
  expect(schemas[0].rows).toEqual(schemas[1].rows);
});

/** Two commands cannot be prepared as one. The types do not know of it. */
function prepared(text: string): pg.QueryConfig {
  return { text, queryMode: 'extended' } as pg.QueryConfig;
}
