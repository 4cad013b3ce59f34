/** One real PostgreSQL for the whole run of the `system` tests; each test file makes its own database in it. */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { startEmbeddedPostgres } from '../../src/database/embedded-postgres.ts';
import { migrate } from '../../src/database/migrate.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The URL of a superuser, for creating databases and as the base of their URLs. */
    databaseUrl: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const parent = process.env.POSTRIDER_TEST_DATABASE_DIR ?? tmpdir();
  const dataDir = await mkdtemp(join(parent, 'postrider-test-'));
  // Under root, PostgreSQL runs as another account, which needs access to the folder.
  await chmod(dataDir, 0o755);
  // No data outlives the run, so durability is off: crashes of PostgreSQL have their own tests and server. Several files at once
  // have several installations each.
  const settings = {
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    max_connections: '400',
    // The data folder may be in memory.
    max_wal_size: '512MB',
  };
  try {
    const server = await startEmbeddedPostgres({ dataDir, settings, log: () => undefined });
    const stop = async () => {
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    };
    await createTemplate(server.url).catch(async (error) => {
      await stop();
      throw error;
    });
    project.provide('databaseUrl', server.url);
    return stop;
  } catch (error) {
    await rm(dataDir, { recursive: true, force: true });
    throw error;
  }
}

/** Creates and migrates the template once. The database of every test file is a copy (database.ts). */
async function createTemplate(serverUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query('CREATE DATABASE postrider_template');
  } finally {
    await client.end();
  }
  const template = new URL(serverUrl);
  template.pathname = '/postrider_template';
  await migrate(template.toString());
}
