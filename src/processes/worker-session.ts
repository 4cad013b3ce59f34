/**
 * One registration of a worker, with everything bound to its epoch: the journal, the recorder, the webhook
 * dispatcher, claiming and delivery. A worker that was declared dead abandons its session and begins another.
 *
 * States: running; released (claims nothing more; mail without its final dot goes back to the queue),
 * draining and finished, at a clean end; abandoned (claims nothing more; work in progress is dropped before
 * its final dot, and what a server accepted anyway is still recorded).
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
  /** Whether the claims of this session still belong to this worker. */
  readonly isHeld: () => boolean;
  readonly dataDir: string;
  /** The delivery's dependencies that outlive the session. */
  readonly delivering: Omit<DeliverDeps, 'recorder' | 'mayHandOver' | 'holds' | 'onDeferred' | 'onReleased'>;
  readonly webhooks: WebhookDispatcher;
  readonly times: Pick<SiteTimes, 'note'>;
  readonly sources: Pick<SourceOutcomes, 'note'>;
  readonly canaries: Pick<CanaryOutcomes, 'note'>;
  readonly guard: Pick<MailGuard, 'note'> | null;
  readonly holds: Pick<HoldsInForce, 'isAll' | 'find'>;
}

/**
 * Events wait for a moment after new mail, so that the events of its acceptance and delivery go out together.
 */
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

  /** Whether the outcome of mail accepted by a server is not in the database yet. */
  get isUnsettled(): boolean {
    return this.#journal.isUnsettled;
  }

  async start(): Promise<void> {
    await this.#webhooks.start();
    await this.#loop.start();
  }

  /** Signals new work, for new mail possibly with its lanes. */
  notice(lanes?: readonly Lane[]): void {
    this.#scheduler.wake(lanes);
    if (lanes === undefined) this.#webhooks.wake();
    else this.#webhooks.wakeIn(EVENTS_GATHER_MS);
  }

  /** Call when mail may take another path. */
  reroute(): void {
    this.#scheduler.reroute();
  }

  /** Stops claiming, and sends no further final dot. */
  release(): void {
    this.#isReleased = true;
    this.#scheduler.close();
  }

  /** Stops claiming; work in progress may finish. */
  drain(): Promise<void> {
    return this.#loop.stop();
  }

  /** Call when nothing can be handed over any more. Settles the outcomes. */
  async finish(): Promise<void> {
    await this.#webhooks.stop();
    await this.#recorder.drained();
    this.#journal.close();
  }

  /**
   * Call when all claims are lost. Resolves when the work in progress has ended, which may take as long as a
   * server does.
   */
  async abandon(): Promise<void> {
    await Promise.all([this.#webhooks.stop(), this.#loop.stop()]);
    await this.#loop.idle();
    await this.#recorder.drained();
    this.#journal.close();
  }
}

/**
 * Reports journal failures: work in progress is released or settled at once; mail stays in the queue, or goes
 * to other workers.
 */
function tellOfJournal(log: Log, error: Error | null): void {
  if (error === null) log.warn('the outcome journal can be written again: this worker delivers again');
  else
    log.error(
      { err: error },
      'the outcome journal cannot be written: this worker delivers nothing until it can',
    );
}
