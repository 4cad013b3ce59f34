/**
 * Recovers the deliveries of a dead worker: settles the outcomes in its journal, then releases the rest. In this order, no message
 * is sent again whose acceptance the dead worker had journaled. A journal can only be read on its own machine, so deliveries that
 * a worker on a lost machine had not settled are sent again.
 */
import type { Database } from '../../database/database.ts';
import { journalEpochs, readJournal, removeJournal } from '../../outbox/journal.ts';
import { type Holder, holders, takeAway } from '../../outbox/lease.ts';
import type { Log } from '../../runtime/log.ts';
import { isGone } from '../../runtime/machine.ts';
import { releaseWebhooks } from '../../webhooks/queue.ts';
import type { Finished } from './delivery-record.ts';
import { EarlierWorkers } from './earlier-workers.ts';
import { settle } from './record.ts';

interface RecoverOptions {
  readonly db: Database;
  readonly log: Log;
  readonly dataDir: string;
}

/** Does nothing if the worker is alive after all. */
export async function takeOver({ db, log, dataDir }: RecoverOptions, dead: Holder): Promise<void> {
  const journaled = await settleJournal(db, dataDir, dead.epoch);
  const taken = await takeEverything(db, dead);
  if (taken === null) return;
  removeJournal(dataDir, dead.epoch);
  const { epoch } = dead;
  log.warn({ epoch, journaled, ...taken }, 'took over from a worker that died');
}

/** Takes over from all workers of this machine that have certainly ended. For commands, which run no failure detector. */
export async function takeOverFromGone(options: RecoverOptions): Promise<void> {
  const journals = journalEpochs(options.dataDir);
  const all = await holders(options.db);
  for (const one of all) if (isGone(one)) await takeOver(options, one);
  for (const epoch of journals) if (!all.some((one) => one.epoch === epoch)) await tidyUp(options, epoch);
}

/**
 * For a restored database: the workers that are registered there ran elsewhere, at another time. All deliveries are released
 * first, so that the accepted deliveries of every journal are settled, whichever worker had claimed them.
 */
export async function takeOverFromAll(options: RecoverOptions): Promise<void> {
  for (const one of await holders(options.db)) await takeEverything(options.db, one);
  for (const epoch of journalEpochs(options.dataDir)) await tidyUp(options, epoch);
}

/** Null when the worker is alive after all. */
function takeEverything(db: Database, dead: Holder) {
  return db.transaction(async (tx) => {
    const mail = await takeAway(tx, dead);
    return mail === null ? null : { mail, webhooks: await releaseWebhooks(tx, dead.epoch) };
  });
}

/** Settles the journal of a worker that stopped before everything was settled and holds no deliveries any more. */
export async function tidyUp({ db, log, dataDir }: RecoverOptions, epoch: number): Promise<void> {
  const journaled = await settleJournal(db, dataDir, epoch);
  removeJournal(dataDir, epoch);
  if (journaled > 0) log.warn({ epoch, journaled }, 'settled the outcomes in the journal of a worker');
}

/** The journal also contains deliveries that are settled already. Their rows are gone, so they are ignored. */
async function settleJournal(db: Database, dataDir: string, epoch: number): Promise<number> {
  const entries = readJournal<Finished>(dataDir, epoch);
  if (entries.length > 0)
    await settle(db, epoch, entries, true, { isForEarlier: await new EarlierWorkers(db).found() });
  return entries.length;
}
