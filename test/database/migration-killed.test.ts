/** Migrations whose session ends in the middle, each of them once: going on works, and nothing that was there is lost. */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { expect, inject, it, onTestFinished } from 'vitest';
import { migrate, readMigrations } from '../../src/database/migrate.ts';
import { FINGERPRINT, fillOldSchema, OLDEST } from '../storm/old-schema.ts';
import { admin, createTestDatabase, withDatabase } from '../support/database.ts';

const COLUMNS = `
  SELECT table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable AS column
  FROM information_schema.columns WHERE table_schema = 'public' ORDER BY 1`;

const INTERRUPT = `
  SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE application_name = 'postrider-migrate' AND datname = current_database()`;

async function oldDatabase(): Promise<{ url: string; client: pg.Client }> {
  const name = `old_${randomBytes(8).toString('hex')}`;
  await admin(inject('databaseUrl'), `CREATE DATABASE ${name}`);
  const url = withDatabase(inject('databaseUrl'), name);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(async () => {
    await client.end();
    await admin(inject('databaseUrl'), `DROP DATABASE ${name} WITH (FORCE)`);
  });
  return { url, client };
}

it('goes on where it was, with all mail as it was, and ends with the schema of a new database', async () => {
  const { url, client } = await oldDatabase();
  await fillOldSchema(client, { version: OLDEST, settled: 200, queued: 20 });
  const before = (await client.query(FINGERPRINT)).rows;

  const interrupted = new Set<string>();
  let asked: Promise<unknown> = Promise.resolve();
  const interruptOnce = (line: string) => {
    if (interrupted.has(line)) return;
    interrupted.add(line);
    asked = asked.then(() => client.query(INTERRUPT));
  };
  let failures = 0;
  for (let isDone = false; !isDone; ) {
    isDone = await migrate(url, { log: interruptOnce }).then(
      () => true,
      () => false,
    );
    if (!isDone) failures += 1;
    await asked;
  }

  expect(interrupted.size).toBe(readMigrations().length - OLDEST);
  // On a busy machine some of them are through before their session is ended.
  expect(failures).toBeGreaterThan(2);
  expect((await client.query(FINGERPRINT)).rows).toEqual(before);
  const fresh = await createTestDatabase();
  onTestFinished(() => fresh.drop());
  const wanted = new pg.Client({ connectionString: fresh.url });
  await wanted.connect();
  expect((await client.query(COLUMNS)).rows).toEqual((await wanted.query(COLUMNS)).rows);
  await wanted.end();
});
