/** How many transactions PostgreSQL has committed and rolled back in a test's database. */
import { adHoc } from '../../src/database/sql.ts';
import type { TestDatabase } from './database.ts';

export interface Transactions {
  readonly commits: number;
  readonly rollbacks: number;
}

/** More sessions than the pool of a test's database has connections. */
const SESSIONS = 64;

/** Makes a session report its counts now instead of up to ten seconds later. The sleep keeps it busy until each session has reported. */
const report = adHoc('SELECT pg_stat_force_next_flush(), pg_sleep(0.1)');

const read = adHoc<{ commits: string; rollbacks: string }>(
  'SELECT xact_commit AS commits, xact_rollback AS rollbacks FROM pg_stat_database WHERE datname = current_database()',
);

/** The transactions that all sessions of the database made during `work`. */
export async function transactionsDuring(
  database: TestDatabase,
  work: () => Promise<unknown>,
): Promise<Transactions> {
  const before = await counts(database);
  await work();
  const after = await counts(database);
  return {
    // Each reporting statement before the second count is itself a commit.
    commits: after.commits - before.commits - SESSIONS - 1,
    rollbacks: after.rollbacks - before.rollbacks,
  };
}

async function counts({ db, worker }: TestDatabase): Promise<Transactions> {
  const cell = worker?.db ?? db;
  await Promise.all(Array.from({ length: SESSIONS }, () => cell.many(report)));
  const { commits, rollbacks } = await cell.one(read);
  return { commits: Number(commits), rollbacks: Number(rollbacks) };
}
