/**
 * After a worker died on this machine: what it had written into its journal is settled under its own epoch, then
 * its rows are given back. In this order, so that nothing it knew was accepted is sent again.
 */
import { hostname } from 'node:os';
import type { Database } from '../database/database.ts';
import { journalEpochs, readJournal, removeJournal } from '../outbox/journal.ts';
import { isDead, unregister } from '../outbox/lease.ts';
import type { Log } from '../runtime/log.ts';
import { type Finished, settle } from './record.ts';

export interface RecoverOptions {
  readonly db: Database;
  readonly log: Log;
  readonly dataDir: string;
}

export async function recoverDeadWorkers(
  { db, log, dataDir }: RecoverOptions,
  ownEpoch: number | null,
): Promise<void> {
  for (const epoch of journalEpochs(dataDir)) {
    if (epoch === ownEpoch || !(await isDead(db, epoch, { host: hostname(), isRunning }))) continue;
    const entries = readJournal<Finished>(dataDir, epoch);
    // The journal keeps what is already settled until it is emptied: those rows are gone, and are left alone.
    if (entries.length > 0) await settle(db, epoch, entries);
    await unregister(db, epoch);
    removeJournal(dataDir, epoch);
    log.warn({ epoch, journaled: entries.length }, 'took over from a worker that died');
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
