/**
 * A worker's sessions, one after the other. Most workers have one. A worker declared dead, because it was
 * frozen or disconnected longer than its lease, abandons its session and continues under a new epoch.
 *
 * States: running; renewing (registers again, as long as the database is unavailable); stopping.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { isUnavailable } from '../database/errors.ts';
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
import type { WorkerLease } from '../outbox/worker-lease.ts';
import type { Log } from '../runtime/log.ts';
import type { WebhookDispatcher } from '../webhooks/dispatch/dispatcher.ts';

interface WorkerSessionsOptions {
  readonly log: Log;
  readonly lease: Pick<WorkerLease, 'epoch' | 'renew'>;
  readonly create: (epoch: number) => WorkerSession;
  /** Called when it cannot continue: the process should end and be restarted. */
  readonly onBroken: () => void;
}

const RETRY_MS = 500;

export class WorkerSessions {
  readonly #options: WorkerSessionsOptions;
  /** Null while the worker registers again. */
  #term: WorkerSession | null = null;
  #renewing: Promise<void> = Promise.resolve();
  /** Earlier sessions, of which a delivery may still be at its final dot. */
  #abandoned: Promise<unknown> = Promise.resolve();
  #stopping = false;

  constructor(options: WorkerSessionsOptions) {
    this.#options = options;
  }

  /** Whether the outcome of mail accepted by a server is not in the database yet. */
  get isUnsettled(): boolean {
    return this.#term?.isUnsettled === true;
  }

  async begin(): Promise<void> {
    const term = this.#options.create(this.#options.lease.epoch);
    await term.start();
    this.#term = term;
    if (this.#stopping) term.release();
  }

  /** Signals new work, for new mail possibly with its lanes. */
  notice(lanes?: readonly Lane[]): void {
    this.#term?.notice(lanes);
  }

  /** Call when mail may take another path. */
  reroute(): void {
    this.#term?.reroute();
  }

  /** Call when this worker was declared dead. */
  renew(): void {
    if (this.#stopping) return;
    this.#renewing = this.#beginAnew().catch((error: unknown) => {
      this.#options.log.fatal({ err: error }, 'this worker cannot register again');
      this.#options.onBroken();
    });
  }

  /** Stops claiming, and sends no further final dot. */
  release(): void {
    this.#stopping = true;
    this.#term?.release();
  }

  /** Stops claiming; work in progress may finish. */
  async drain(): Promise<void> {
    this.#stopping = true;
    await this.#renewing;
    await this.#term?.drain();
  }

  /** Call when nothing can be handed over any more. Settles the outcomes. */
  async finish(): Promise<void> {
    await this.#term?.finish();
    await this.#abandoned;
  }

  async #beginAnew(): Promise<void> {
    const { log, lease } = this.#options;
    const ended = this.#term?.abandon().catch((error: unknown) => {
      log.warn({ err: error }, 'the work of an earlier registration did not end cleanly');
    });
    this.#term = null;
    this.#abandoned = Promise.all([this.#abandoned, ended]);
    await this.#untilReached(() => lease.renew());
    await this.#untilReached(() => this.begin());
    log.info({ epoch: lease.epoch }, 'registered again: delivering under a new epoch');
  }

  async #untilReached(work: () => Promise<void>): Promise<void> {
    while (!this.#stopping) {
      try {
        return await work();
      } catch (error) {
        if (!isUnavailable(error)) throw error;
        this.#options.log.warn({ err: error }, 'cannot register again; retrying');
        await sleep(RETRY_MS);
      }
    }
  }
}

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

/**
 * One registration of a worker, with everything bound to its epoch: the journal, the recorder, the webhook
 * dispatcher, claiming and delivery. A worker that was declared dead abandons its session and begins another.
 *
 * States: running; released (claims nothing more; mail without its final dot goes back to the queue),
 * draining and finished, at a clean end; abandoned (claims nothing more; work in progress is dropped before
 * its final dot, and what a server accepted anyway is still recorded).
 */
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
      deliver: (dispatched) => deliver(deps, dispatched),
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
      'the outcome journal cannot be written: this worker delivers nothing until writing succeeds',
    );
}
