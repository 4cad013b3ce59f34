/** The content store, if configured, and the chores that fill and empty it. */

import type { Database } from '../database/database.ts';
import { createMovingMetrics, createStoreMetrics } from '../emails/moved/content-metrics.ts';
import { MovedContents } from '../emails/moved/moved-contents.ts';
import { ContentMover } from '../operations/content-mover.ts';
import type { Chore } from '../operations/housekeeper.ts';
import { removeWaitingObjects } from '../operations/object-removal.ts';
import { GuardedStore } from '../protocols/object-store/guarded-store.ts';
import type { ObjectStore } from '../protocols/object-store/object-store.ts';
import { S3Store } from '../protocols/object-store/s3-store.ts';
import { type Clock, steadyClock, systemClock } from '../runtime/clock.ts';
import type { Config } from '../runtime/config.ts';
import { MINUTE_MS } from '../runtime/durations.ts';
import type { Log } from '../runtime/log.ts';
import type { Metrics } from '../runtime/metrics.ts';

interface ContentStoreDeps {
  readonly config: Pick<Config, 'contentStore'>;
  readonly db: Database;
  readonly clock: Clock;
  /** Monotonic clock. Tests pass their own. */
  readonly steady?: Clock;
  readonly log: Log;
  readonly metrics?: Metrics | undefined;
}

/** One per process. */
interface ContentStore {
  /** Undefined without configuration. */
  readonly store: ObjectStore | undefined;
  readonly moved: MovedContents;
}

export function openContentStore(deps: ContentStoreDeps): ContentStore {
  const { config, db, clock, steady = steadyClock, log, metrics } = deps;
  const { contentStore: bucket } = config;
  const onCall = bucket && metrics && createStoreMetrics(metrics);
  const store =
    bucket &&
    new GuardedStore({
      // Real time even where a test moves the clock: a bucket refuses a signature dated minutes off.
      store: new S3Store(bucket, systemClock),
      clock: steady,
      log,
      ...(onCall === undefined ? {} : { onCall }),
    });
  return { store, moved: new MovedContents({ db, clock, store }) };
}

const EVERY_MS = MINUTE_MS;

/** Empty when no store is configured. */
export function contentStoreChores(deps: ContentStoreDeps, { store }: ContentStore): readonly Chore[] {
  const { config, db, clock, metrics } = deps;
  if (store === undefined) return [];
  const onMoved = metrics && createMovingMetrics(metrics, db, () => clock.nowMs());
  const removing: Chore = {
    name: 'objects that nothing refers to',
    everyMs: EVERY_MS,
    run: (signal) => removeWaitingObjects({ ...deps, store }, signal),
    inBackground: true,
  };
  const afterMs = config.contentStore?.moveAfterMs ?? null;
  if (afterMs === null) return [removing];
  const mover = new ContentMover({ ...deps, store, afterMs, onMoved });
  const moving: Chore = {
    name: 'content to the content store',
    everyMs: EVERY_MS,
    run: (signal) => mover.run(signal),
    inBackground: true,
  };
  return [moving, removing];
}
