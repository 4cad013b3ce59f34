/** The dependencies for accepting mail, shared by all endpoints. */
import type { KeyCounts } from '../accounts/api-keys/key-counts.ts';
import { WorkingKeys } from '../accounts/api-keys/working-keys.ts';
import type { Database } from '../database/database.ts';
import { perCell } from '../database/per-cell.ts';
import { DomainTracking } from '../domains/tracking/domain-tracking.ts';
import type { NewEmail } from '../emails/email.ts';
import type { ErasedAddresses } from '../erasure/erased-address-hash.ts';
import { KnownHolds } from '../interventions/holds/known-holds.ts';
import { INSTALLATION } from '../organizations/installation.ts';
import type { Settings } from '../organizations/settings/list.ts';
import { createLifetime, type LifetimeMs } from '../outbox/lifetime.ts';
import { createWakerOfAll, Waker } from '../outbox/wake.ts';
import { createAnswerPlaces } from '../received/answer-places.ts';
import { type Clock, steadyClock } from '../runtime/clock.ts';
import { type Config, retrySpeed } from '../runtime/config.ts';
import type { DiskWatch } from '../runtime/disk-space.ts';
import type { KeyRing } from '../runtime/key-ring.ts';
import type { Metrics } from '../runtime/metrics.ts';
import { createStageMetrics } from '../runtime/stage-metrics.ts';
import type { Tracer } from '../runtime/tracing.ts';
import { KnownStreams } from '../streams/known-streams.ts';
import { Acceptor } from '../submission/accept.ts';
import { createCellAcceptor } from '../submission/cell-acceptor.ts';
import { LinkedFiles } from '../submission/linked-files.ts';
import type { SubmissionDeps } from '../submission/submit.ts';
import { TemplateLibrary } from '../templates/library.ts';
import { outsideFiles } from './outside-urls.ts';

interface AcceptingDeps {
  readonly config: Config;
  readonly db: Database;
  readonly clock: Clock;
  readonly metrics?: Metrics | undefined;
  readonly tracer?: Tracer | undefined;
  readonly disk: DiskWatch;
  readonly erased: ErasedAddresses;
  readonly settings: Settings;
  readonly ring: KeyRing;
  /** Counts the use of API keys. */
  readonly counts?: KeyCounts | undefined;
}

export interface Accepting {
  readonly submission: SubmissionDeps;
  readonly templates: TemplateLibrary;
  readonly lifetimeMs: LifetimeMs;
  readonly wake: () => void;
  readonly domainTracking: DomainTracking;
}

export function createAccepting(deps: AcceptingDeps): Accepting {
  const { config, db, clock, metrics, tracer, disk, erased, settings, counts, ring } = deps;
  const lifetimeMs = createLifetime(retrySpeed(config));
  const templates = new TemplateLibrary(db);
  const wake = createWakerOfAll(db);
  const hash = (address: Parameters<ErasedAddresses['keyOf']>[0]) => erased.keyOf(address);
  const onAccepted =
    counts &&
    ((organizationId: string, keyId: string, emails: number) =>
      counts.count(organizationId, keyId, { emails }));
  const acceptorOf = perCell(db, (cell) => {
    const about = { mode: config.mode, lifetimeMs, hash, onAccepted };
    return new Acceptor({ ...about, db: cell, waker: new Waker(cell) });
  });
  const keys = new WorkingKeys(db);
  const acceptor = createCellAcceptor({ db, checkKey: (id) => keys.check(id), acceptorOf });
  const hasDiskSpace = () => disk.state !== 'full';
  const timed = metrics === undefined ? {} : { onStage: createStageMetrics(metrics) };
  const files = new LinkedFiles({ fetchFile: outsideFiles(config, clock) });
  const domainTracking = new DomainTracking(db, steadyClock);
  const answerPlace = createAnswerPlaces(db, ring.keysFor('reply-addresses'), config.hostname.toLowerCase());
  const asked = { ...settings, domainTracking, answerPlace, streams: new KnownStreams(db, steadyClock) };
  const holdsOf = perCell(db, (cell) => new KnownHolds(cell, steadyClock));
  const holdsOn = async (emails: readonly NewEmail[]) => {
    await db.located();
    return holdsOf(emails[0]?.organizationId ?? INSTALLATION).on(emails);
  };
  const submission = { acceptor, templates, ...asked, holdsOn, files, clock, tracer, hasDiskSpace, ...timed };
  return { submission, templates, lifetimeMs, wake, domainTracking };
}
