/** What accepting mail needs, put together: the same for every way in. */
import { perCell } from '../cells/per-cell.ts';
import type { ErasedAddresses } from '../erasure/erased-address.ts';
import type { Database } from '../kit/database/database.ts';
import type { Clock } from '../kit/runtime/clock.ts';
import { type Config, retrySpeed } from '../kit/runtime/config.ts';
import type { DiskWatch } from '../kit/runtime/disk-space.ts';
import type { Metrics } from '../kit/runtime/metrics.ts';
import { createStageMetrics } from '../kit/runtime/stage-metrics.ts';
import type { Tracer } from '../kit/runtime/tracing.ts';
import { INSTALLATION } from '../organizations/installation.ts';
import type { Settings } from '../organizations/settings/list.ts';
import { createLifetime, type LifetimeMs } from '../outbox/lifetime.ts';
import { createWaker, createWakerOfAll } from '../outbox/wake.ts';
import { Acceptor, type Submission } from '../submission/accept.ts';
import { LinkedFiles } from '../submission/linked-files.ts';
import type { SubmissionDeps } from '../submission/submit.ts';
import { TemplateLibrary } from '../templates/library.ts';
import { outsideFiles } from './outside-urls.ts';

export interface AcceptingDeps {
  readonly config: Config;
  readonly db: Database;
  readonly clock: Clock;
  readonly metrics?: Metrics | undefined;
  readonly tracer?: Tracer | undefined;
  readonly disk: DiskWatch;
  readonly erased: ErasedAddresses;
  readonly settings: Settings;
}

export interface Accepting {
  readonly submission: SubmissionDeps;
  readonly templates: TemplateLibrary;
  readonly lifetimeMs: LifetimeMs;
  readonly wake: () => void;
}

export function createAccepting(deps: AcceptingDeps): Accepting {
  const { config, db, clock, metrics, tracer, disk, erased, settings } = deps;
  const lifetimeMs = createLifetime(retrySpeed(config));
  const templates = new TemplateLibrary(db);
  const wake = createWakerOfAll(db);
  const hash = (address: Parameters<ErasedAddresses['keyOf']>[0]) => erased.keyOf(address);
  const acceptorOf = perCell(
    db,
    (cell) => new Acceptor({ db: cell, mode: config.mode, lifetimeMs, wake: createWaker(cell), hash }),
  );
  const acceptor = { accept: (given: Submission) => acceptorOf(organizationOf(given)).accept(given) };
  const hasRoom = () => disk.state !== 'full';
  const timed = metrics === undefined ? {} : { onStage: createStageMetrics(metrics) };
  const files = new LinkedFiles({ fetchFile: outsideFiles(config, clock) });
  const submission = { db, acceptor, templates, ...settings, files, clock, tracer, hasRoom, ...timed };
  return { submission, templates, lifetimeMs, wake };
}

/** All of it is one organization's. */
function organizationOf({ emails, completion }: Submission): string {
  return emails[0]?.organizationId ?? completion?.key.organizationId ?? INSTALLATION;
}
