/**
 * Periodic database maintenance. Each chore has its own interval. A failed chore is logged and runs again at its next turn;
 * accepting and delivering mail never depends on one.
 *
 * Every worker runs them: each chore is safe to run twice at once, and cheap when there is nothing to do.
 */

import { removeOldBudgets } from '../accounts/api-keys/budget-store.ts';
import { removeOldKeyUsage } from '../accounts/api-keys/usage.ts';
import { removeExpiredInvites } from '../accounts/members/invite-store.ts';
import { removeExpiredSessions } from '../accounts/sessions/store.ts';
import { removeExpiredLinks } from '../accounts/users/link-store.ts';
import { removeExpiredAttempts } from '../accounts/users/sign-in-throttle.ts';
import { removeOldDeliveryCounts } from '../counters/delivery-counts.ts';
import { removeOldHourlyCounts } from '../counters/hourly-counts.ts';
import { removeOldStreamCounts } from '../counters/stream-counts.ts';
import type { Database } from '../database/database.ts';
import { anyMigration } from '../database/organization-freezes.ts';
import { ensurePartitions, WEEKS_AHEAD } from '../database/partitions.ts';
import { retireDkimKeys } from '../domains/rotation-store.ts';
import { removeOldCollapseKeys } from '../emails/collapse.ts';
import { removeOldEmptyBatches } from '../emails/empty-batches.ts';
import { backfillSearch } from '../emails/lists/search-backfill.ts';
import { endApprovals } from '../interventions/approvals/service.ts';
import { executeEndingHolds } from '../interventions/holds/end-holds.ts';
import { deleteOldLogEntries } from '../request-logs/store.ts';
import { HOUR_MS, MINUTE_MS } from '../runtime/durations.ts';
import type { Service } from '../runtime/lifecycle.ts';
import type { Log } from '../runtime/log.ts';
import { cleanStep } from '../submission/idempotency/store.ts';
import { deleteOldImports } from '../suppressions/import-store.ts';
import { deleteStaleMailboxFailures } from '../suppressions/mailbox-failures.ts';
import { deleteOldWebhookDeliveries } from '../webhooks/log.ts';
import { applyRetention, type RetentionDeps } from './retention.ts';
import { removeThrowAways } from './throw-away.ts';

export interface Chore {
  readonly name: string;
  readonly everyMs: number;
  /** Stops early when the signal aborts, and leaves the rest for its next turn. */
  readonly run: (signal: AbortSignal) => Promise<void>;
  /** May take long, so the start does not wait for its first run. */
  readonly inBackground?: true;
}

const ENDING_HOLDS_MS = 1_000;

/** In the first cell, where all of them are created. */
export function throwAwayChore(deps: RetentionDeps): Chore {
  const run = (signal: AbortSignal) => removeThrowAways(deps, signal);
  return { name: 'throw-away organizations', everyMs: MINUTE_MS / 2, run, inBackground: true };
}

export function databaseChores(deps: RetentionDeps): Chore[] {
  const { db, clock } = deps;
  return [
    // Partitions are created a month ahead, and accepting creates a missing one itself.
    { name: 'partitions', everyMs: 6 * HOUR_MS, run: () => ensurePartitions(db, clock.nowMs(), WEEKS_AHEAD) },
    { name: 'old sessions', everyMs: HOUR_MS, run: () => forgetEndedSessions(db, clock.nowMs()) },
    ...sweepingChores(deps).map((chore) => whileNobodyMoves(db, chore)),
    {
      name: 'approvals that nobody gave',
      everyMs: MINUTE_MS,
      run: (signal) => endApprovals({ db, clock }, signal),
      inBackground: true,
    },
    // Releasing or discarding a hold returns before all of its mail is processed.
    {
      name: 'ending holds',
      everyMs: ENDING_HOLDS_MS,
      run: (signal) => executeEndingHolds({ db, nowMs: () => clock.nowMs() }, signal),
      inBackground: true,
    },
  ];
}

/** Removes old data of all organizations. */
function sweepingChores(deps: RetentionDeps): readonly Chore[] {
  const { db, clock } = deps;
  const seldom = { everyMs: 6 * HOUR_MS };
  const hourly = { everyMs: HOUR_MS };
  const inBackground = true;
  return [
    { name: 'full mailboxes', ...seldom, run: () => deleteStaleMailboxFailures(db, clock.nowMs()) },
    { name: 'old imports', ...seldom, run: () => deleteOldImports(db, clock.nowMs()) },
    { name: 'empty batches', ...seldom, run: () => removeOldEmptyBatches(db, clock.nowMs()) },
    { name: 'collapse keys', ...seldom, run: () => removeOldCollapseKeys(db, clock.nowMs()) },
    { name: 'webhook log', ...hourly, run: () => deleteOldWebhookDeliveries(db, clock.nowMs()) },
    { name: 'request log', ...hourly, run: () => deleteOldLogEntries(db, clock.nowMs()) },
    { name: 'old counts', ...seldom, run: () => removeOldCounts(db, clock.nowMs()) },
    { name: 'old DKIM keys', ...hourly, run: () => retireDkimKeys(db, clock.nowMs()) },
    { name: 'idempotency keys', everyMs: 10 * MINUTE_MS, run: () => cleanIdempotencyKeys(db) },
    { name: 'retention', ...hourly, run: (signal) => applyRetention(deps, signal), inBackground },
    {
      name: 'indexing of older mail',
      everyMs: MINUTE_MS,
      run: (signal) => backfillSearch(db, signal),
      inBackground,
    },
  ];
}

/** Removing rows in one of two cells during a copy would make them differ. The chore can wait for an hour, or a day. */
function whileNobodyMoves(db: Database, chore: Chore): Chore {
  const run = async (signal: AbortSignal) => {
    if (!(await anyMigration(db))) await chore.run(signal);
  };
  return { ...chore, run };
}

async function removeOldCounts(db: Database, nowMs: number): Promise<void> {
  await removeOldHourlyCounts(db, nowMs);
  await removeOldStreamCounts(db, nowMs);
  await removeOldDeliveryCounts(db, nowMs);
  await removeOldKeyUsage(db, nowMs);
  await removeOldBudgets(db, nowMs);
}

/** Also removes unusable links and expired attempts. */
async function forgetEndedSessions(db: Database, nowMs: number): Promise<void> {
  await removeExpiredSessions(db, nowMs);
  await removeExpiredLinks(db, nowMs);
  await removeExpiredInvites(db, nowMs);
  await removeExpiredAttempts(db, nowMs);
}

async function cleanIdempotencyKeys(db: Database): Promise<void> {
  while (await cleanStep(db));
}

export class Housekeeper implements Service {
  readonly name = 'housekeeper';
  readonly #chores: readonly Chore[];
  readonly #log: Log;
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #running = new Set<Promise<void>>();
  readonly #busy = new Set<Chore>();
  readonly #stopping = new AbortController();

  constructor(chores: readonly Chore[], log: Log) {
    this.#chores = chores;
    this.#log = log;
  }

  async start(): Promise<void> {
    const runs = this.#chores.map((chore) => ({ chore, run: this.#track(this.#run(chore)) }));
    await Promise.all(runs.filter(({ chore }) => !chore.inBackground).map(({ run }) => run));
    for (const chore of this.#chores) {
      this.#timers.push(setInterval(() => this.#track(this.#run(chore)), chore.everyMs));
    }
  }

  async stop(): Promise<void> {
    for (const timer of this.#timers.splice(0)) clearInterval(timer);
    this.#stopping.abort();
    await Promise.all(this.#running);
  }

  #track(run: Promise<void>): Promise<void> {
    this.#running.add(run);
    void run.finally(() => this.#running.delete(run));
    return run;
  }

  /** A chore that takes longer than its interval skips its next turn. */
  async #run(chore: Chore): Promise<void> {
    if (this.#busy.has(chore)) return;
    this.#busy.add(chore);
    try {
      await chore.run(this.#stopping.signal);
    } catch (error) {
      this.#log.error({ err: error, chore: chore.name }, 'a housekeeping task failed');
    } finally {
      this.#busy.delete(chore);
    }
  }
}
