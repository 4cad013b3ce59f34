/**
 * One registration of a worker, and everything that is bound to its epoch: the journal, what records, what dispatches
 * webhooks, what claims and delivers. A worker that was taken for dead abandons its term and begins another.
 *
 * States: running; released (nothing is claimed any more, and what has not sent its final dot goes back to the queue),
 * draining and finished, at a clean end; abandoned: nothing is claimed any more, what is in hand is
 * dropped before its final dot, and what a server took all the same is still recorded.
 */
import { deliver } from '../delivery/attempt/deliver.ts';
import type { DeliverDeps } from '../delivery/attempt/deliver-deps.ts';
import type { DeliveryRecord, Finished } from '../delivery/attempt/delivery-record.ts';
import { firstAttemptTime, transportOutcomeOf } from '../delivery/attempt/mail-labels.ts';
import { Recorder } from '../delivery/attempt/record.ts';
import type { MailGuard } from '../delivery/guard/guard.ts';
import { DeliveryLoop, type DeliveryLoopOptions } from '../delivery/scheduler/delivery-loop.ts';
import { Scheduler, type SchedulerOptions } from '../delivery/scheduler/scheduler.ts';
import type { SiteTimes } from '../delivery/scheduler/site-times.ts';
import type { CanaryOutcomes } from '../delivery/transports/canary-outcomes.ts';
import type { SourceOutcomes } from '../delivery/transports/source-outcomes.ts';
import type { HoldsInForce } from '../interventions/holds/in-force.ts';
import { Journal } from '../outbox/journal.ts';
import type { Lane } from '../outbox/lanes.ts';
import type { Log } from '../runtime/log.ts';
import type { WebhookDispatcher } from '../webhooks/dispatch/dispatcher.ts';

export interface WorkerSessionOptions
  extends Omit<SchedulerOptions, 'router' | 'routes' | 'mayClaim'>,
    Pick<DeliveryLoopOptions, 'drainMs'> {
  /** Whether what was claimed in this term is still this worker's. */
  readonly isHeld: () => boolean;
  readonly dataDir: string;
  /** What a delivery needs that outlives the term. */
  readonly delivering: Omit<DeliverDeps, 'recorder' | 'mayHandOver' | 'holds' | 'onDeferred' | 'onReleased'>;
  readonly webhooks: WebhookDispatcher;
  readonly times: Pick<SiteTimes, 'note'>;
  readonly sources: Pick<SourceOutcomes, 'note'>;
  readonly canaries: Pick<CanaryOutcomes, 'note'>;
  readonly guard: Pick<MailGuard, 'note'> | null;
  readonly holds: Pick<HoldsInForce, 'isAll' | 'find'>;
}

/** New mail comes first: mostly it is delivered by then, and the events of both go together. */
const EVENTS_GATHER_MS = 20;

export class WorkerSession {
  readonly #journal: Journal<Finished>;
  readonly #recorder: Recorder;
  readonly #webhooks: WebhookDispatcher;
  readonly #scheduler: Scheduler;
  readonly #loop: DeliveryLoop;
  #isReleased = false;

  constructor(options: WorkerSessionOptions) {
    const { db, log, epoch, dataDir, isHeld, delivering, webhooks, holds, guard } = options;
    const { times, sources, canaries } = options;
    const journal = new Journal<Finished>(dataDir, epoch, (error) => tellOfJournal(log, error));
    this.#journal = journal;
    this.#webhooks = webhooks;
    const onRecorded = (records: readonly DeliveryRecord[]) => {
      webhooks.wake();
      for (const record of records) {
        const took = firstAttemptTime(record);
        if (took !== null) times.note(took.site, took.tookMs);
        const byTransport = transportOutcomeOf(record);
        if (byTransport === null) continue;
        sources.note(byTransport);
        canaries.note(byTransport);
      }
      guard?.note(records);
    };
    this.#recorder = new Recorder({ db, log, epoch, isHeld, journal, onRecorded });
    const { router, routes } = delivering;
    const mayHandOver = () => !this.#isReleased && isHeld() && journal.usable();
    const mayClaim = () => mayHandOver() && !holds.isAll;
    const scheduler = new Scheduler({ ...options, router, routes, mayClaim });
    const deps: DeliverDeps = {
      ...delivering,
      recorder: this.#recorder,
      mayHandOver,
      holds,
      onDeferred: (untilMs) => scheduler.wakeAt(untilMs),
      onReleased: (delivery) => scheduler.requeue(delivery),
    };
    this.#scheduler = scheduler;
    this.#loop = new DeliveryLoop({
      ...options,
      scheduler,
      deliver: (delivery, slot) => deliver(deps, delivery, slot),
    });
  }

  /** Whether something that a server took is not in the database yet. */
  get isUnsettled(): boolean {
    return this.#journal.isUnsettled;
  }

  async start(): Promise<void> {
    await this.#webhooks.start();
    await this.#loop.start();
  }

  /** There is something new; of new mail perhaps its lanes. */
  notice(lanes?: readonly Lane[]): void {
    this.#scheduler.wake(lanes);
    if (lanes === undefined) this.#webhooks.wake();
    else this.#webhooks.wakeIn(EVENTS_GATHER_MS);
  }

  /** Mail may go another way from now on. */
  reroute(): void {
    this.#scheduler.reroute();
  }

  /** Nothing more is claimed, and nothing sends its final dot any more. */
  release(): void {
    this.#isReleased = true;
    this.#scheduler.close();
  }

  /** Nothing more is claimed; what is in hand has its time. */
  drain(): Promise<void> {
    return this.#loop.stop();
  }

  /** When nothing can be handed over any more: what was found out is settled. */
  async finish(): Promise<void> {
    await this.#webhooks.stop();
    await this.#recorder.drained();
    this.#journal.close();
  }

  /** Everything was taken away. Resolves when what was in hand has ended, which may take as long as a server does. */
  async abandon(): Promise<void> {
    await Promise.all([this.#webhooks.stop(), this.#loop.stop()]);
    await this.#loop.idle();
    await this.#recorder.drained();
    this.#journal.close();
  }
}

/** What is in hand is given back or settled at once; mail waits in the queue, or for other workers. */
function tellOfJournal(log: Log, error: Error | null): void {
  if (error === null) log.warn('the outcome journal can be written again: this worker delivers again');
  else
    log.error(
      { err: error },
      'the outcome journal cannot be written: this worker delivers nothing until it can',
    );
}
