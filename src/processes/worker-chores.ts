/** A worker's periodic chores besides delivery. */

import type { Database } from '../database/database.ts';
import { forgetOldSites } from '../delivery/scheduler/site-store.ts';
import { forgetOldTimes } from '../delivery/scheduler/site-times.ts';
import { createSiteViews } from '../delivery/scheduler/site-views.ts';
import { type Chore, databaseChores, throwAwayChore } from '../operations/housekeeper.ts';
import { incidentsChore } from '../operations/incidents.ts';
import { sandboxMailChore } from '../operations/sandbox-mail.ts';
import { queuedInMode } from '../outbox/status.ts';
import {
  CANARY_REVIEW_INTERVAL_MS,
  type CanaryControlDeps,
  deleteOldCanaries,
  reviewCanaries,
} from '../routing/canary/control.ts';
import { deleteOldSourceDays } from '../routing/source-days.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Config } from '../runtime/config.ts';
import { MINUTE_MS } from '../runtime/durations.ts';
import type { KeyRing } from '../runtime/key-ring.ts';
import type { Log } from '../runtime/log.ts';
import type { Metrics } from '../runtime/metrics.ts';
import { CHECK_INTERVAL_MS, sendAttentionNotices } from '../stats/attention-notices.ts';
import { contentStoreChores, openContentStore } from './content-store.ts';
import { sendingHostChores } from './going-live.ts';
import { ownDkimChores } from './own-dkim.ts';

interface WorkerChoresDeps {
  readonly config: Config;
  readonly log: Log;
  readonly clock: Clock;
  readonly db: Database;
  readonly metrics?: Metrics | undefined;
  readonly ring: KeyRing;
  /** The speed factor of the retry clock. */
  readonly speed: number;
}

export async function workerChores(deps: WorkerChoresDeps): Promise<readonly Chore[]> {
  const { db, clock, log, config } = deps;
  const content = openContentStore(deps);
  const attention = { ...deps, board: createSiteViews(clock) };
  const notices: Chore = {
    name: 'attention',
    everyMs: CHECK_INTERVAL_MS,
    run: (signal) => sendAttentionNotices(attention, signal),
    inBackground: true,
  };
  return [
    ...databaseChores({ db, clock, log }),
    ...(config.cell === undefined ? [throwAwayChore({ db, clock, log })] : []),
    sitesChore(db),
    incidentsChore({ ...deps, moved: content.moved }),
    notices,
    ...(await otherModeChores(deps)),
    ...contentStoreChores(deps, content),
  ];
}

/** Handles mail queued in the other mode: neither mode ever sends the other's mail. */
async function otherModeChores(deps: WorkerChoresDeps): Promise<readonly Chore[]> {
  const { db, log, config } = deps;
  if (config.mode === 'live')
    return [
      sandboxMailChore(deps),
      ...sendingHostChores(deps),
      ...ownDkimChores(deps),
      // The control tables, and the users notified of canaries, are in the first cell.
      ...(config.cell === undefined ? [canaryChore(deps)] : []),
    ];
  const deliveries = await queuedInMode(db, 'live');
  if (deliveries > 0)
    log.warn({ deliveries }, 'live mail is in the queue; the sandbox does not process live mail');
  return [];
}

const FORGET_MS = 10 * MINUTE_MS;

/** A worker's chores for sites, addresses and canaries. */
function sitesChore(db: Database): Chore {
  const run = async () => {
    await forgetOldSites(db);
    await forgetOldTimes(db);
    await deleteOldSourceDays(db);
    await deleteOldCanaries(db);
  };
  return { name: 'sites', everyMs: FORGET_MS, run };
}

function canaryChore(deps: CanaryControlDeps): Chore {
  const run = (signal: AbortSignal) => reviewCanaries(deps, signal);
  return { name: 'canaries', everyMs: CANARY_REVIEW_INTERVAL_MS, run, inBackground: true };
}
