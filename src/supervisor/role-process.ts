/**
 * Runs one role (API, worker) as a process that is restarted when it ends and can be replaced by a new one.
 *
 * States: loading → (told to go on) → running → (ended) → waiting to restart → running …, and stopped, which
 * is final. In a replacement, the new run starts beside the current one and takes over when it is ready. The
 * old run then retires: it serves its remaining connections, waits for receivers that have its messages, and
 * ends. If the new run is not ready in time, it is stopped instead.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { askForMetrics } from '../processes/metrics-channel.ts';
import { READY } from '../processes/ready.ts';
import { HURRY, RETIRE } from '../processes/stop-signals.ts';
import { WAITS } from '../processes/wait-for-go.ts';
import { waitingIn } from '../processes/waiting-message.ts';
import { socketFlag } from '../runtime/inherited-sockets.ts';
import { Backoff } from './backoff.ts';
import type { BoundSocket } from './open-ports.ts';

export interface RoleOptions extends RoleProgram {
  readonly name: string;
  readonly role: string;
  /** How long a run may wait for receivers before it stops. */
  readonly receiversMs: number;
  /** Called when the role ended without being stopped. */
  readonly onEnded: (event: RoleEnded) => void;
}

interface RoleEnded {
  readonly name: string;
  readonly pid: number | undefined;
  readonly reason: string;
  readonly restartInMs: number;
}

/** Longer than a role takes to retire. */
const RETIRED_WITHIN_MS = 90_000;
/** After this, the retiring run is stopped like any other. */
const STOPPED_WITHIN_MS = 10_000;
/** Per role, in addition to the current run: the next replacement waits until a retiring run has ended. */
const MAX_RETIRING = 4;
const STOPPING = 'everything is being stopped';
/**
 * Roles are replaced one after the other, but a replacement does not wait for the last idle connection of the
 * retiring run.
 */
const WAIT_FOR_RETIRED_MS = 3_000;

export class RoleProcess {
  readonly #options: RoleOptions;
  readonly #backoff = new Backoff();
  #run: RoleRun | undefined;
  /** Other runs: a replacement that is not ready yet, and retiring runs. */
  readonly #others = new Set<RoleRun>();
  readonly #retiring = new Set<Promise<unknown>>();
  /** The environment passed on with the go-ahead; later runs start with it. */
  #given: NodeJS.ProcessEnv | undefined;
  #restart: NodeJS.Timeout | undefined;
  #restarts = 0;
  #stopped = false;
  /** Resolves when one of the runs is ready. */
  readonly ready: Promise<void>;
  #isReady: () => void = () => undefined;

  constructor(options: RoleOptions) {
    this.#options = options;
    this.ready = new Promise((resolve) => {
      this.#isReady = resolve;
    });
  }

  get name(): string {
    return this.#options.name;
  }

  get role(): string {
    return this.#options.role;
  }

  /** How often the role ended without being stopped. */
  get restarts(): number {
    return this.#restarts;
  }

  /** Loads the role, which then waits for the go-ahead. */
  start(): void {
    this.#backoff.started();
    this.#follow(new RoleRun(this.#options, this.#given));
  }

  /** Gives the go-ahead, with these additions to the environment. */
  waitForGo(given: NodeJS.ProcessEnv): void {
    this.#given = given;
    this.#run?.tell(given);
  }

  /** Null when a new run has taken over; otherwise the reason, and the old run continues. */
  async replace(readyWithinMs: number): Promise<string | null> {
    while (this.#retiring.size >= MAX_RETIRING) await Promise.race(this.#retiring);
    if (this.#stopped) return STOPPING;
    const next = new RoleRun(this.#options, this.#given);
    const tooLate = `not ready within ${readyWithinMs / 1_000} seconds`;
    const problem = await this.#beside(
      next,
      Promise.race([next.ready, delay(readyWithinMs, tooLate, { ref: false })]),
    );
    if (problem !== null || this.#stopped) {
      void next.stop(this.#timeout(STOPPED_WITHIN_MS));
      return problem ?? STOPPING;
    }
    clearTimeout(this.#restart);
    const before = this.#run;
    this.#follow(next);
    if (before !== undefined) await this.#retire(before);
    return null;
  }

  /** Null when the role does not run or does not answer in time. */
  async metrics(): Promise<string | null> {
    // A run without its go-ahead would mistake the request for it.
    return this.#run === undefined || this.#given === undefined ? null : this.#run.metrics();
  }

  /** Asks the role to finish its work, and kills it after `workMs` of its own work. */
  async stop(workMs: number): Promise<void> {
    await Promise.all(this.#end().map((run) => run.stop(this.#timeout(workMs))));
  }

  /** The number of receivers that have a message of an ending run and have not replied. */
  get waitingFor(): number {
    return this.#runs().reduce((sum, run) => sum + run.waitingFor, 0);
  }

  /** Makes ending runs stop waiting for receivers. */
  hurry(): void {
    for (const run of this.#runs()) run.hurry();
  }

  kill(): void {
    for (const run of this.#end()) run.kill();
  }

  #end(): RoleRun[] {
    this.#stopped = true;
    clearTimeout(this.#restart);
    return this.#runs();
  }

  #runs(): RoleRun[] {
    return [...(this.#run ? [this.#run] : []), ...this.#others];
  }

  #timeout(workMs: number): StopTimeouts {
    return { workMs, receiversMs: this.#options.receiversMs };
  }

  #follow(run: RoleRun): void {
    this.#run = run;
    void run.ready.then((problem) => problem === null && this.#isReady());
    void run.ended.then((reason) => this.#ended(run, reason));
  }

  async #retire(run: RoleRun): Promise<void> {
    run.tell(RETIRE);
    const stop = () => void run.stop(this.#timeout(STOPPED_WITHIN_MS));
    const overdue = setTimeout(stop, RETIRED_WITHIN_MS);
    const retired = this.#beside(run, run.ended).finally(() => {
      clearTimeout(overdue);
      this.#retiring.delete(retired);
    });
    this.#retiring.add(retired);
    await Promise.race([retired, delay(WAIT_FOR_RETIRED_MS, null, { ref: false })]);
  }

  /** Stops the run early if the whole role stops first. */
  async #beside<T>(run: RoleRun, until: Promise<T>): Promise<T> {
    this.#others.add(run);
    try {
      return await until;
    } finally {
      this.#others.delete(run);
    }
  }

  #ended(run: RoleRun, reason: string): void {
    if (this.#run !== run) return;
    this.#run = undefined;
    if (this.#stopped) return;
    const restartInMs = this.#backoff.nextDelayMs();
    this.#restarts += 1;
    this.#restart = setTimeout(() => this.start(), restartInMs);
    this.#options.onEnded({ name: this.#options.name, pid: run.pid, reason, restartInMs });
  }
}

interface RoleProgram {
  readonly script: string;
  readonly flags: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** The sockets to listen on. */
  readonly sockets: readonly BoundSocket[];
  /** Called when the number of receivers that a run waits for has changed. */
  readonly onWaiting: () => void;
}

/** How long a run may take to stop. */
interface StopTimeouts {
  /** Time for its own work. */
  readonly workMs: number;
  /** Time before that to wait for receivers, for a run that reports such a wait. */
  readonly receiversMs: number;
}

/** After standard input, output, error and the IPC channel. */
const FIRST_SOCKET = 4;

/**
 * One run of a role's program, from start to end. It has its own process group, so that terminal signals
 * reach only the supervisor, which determines the order of stopping. Over its IPC channel it reports that it
 * is ready; the channel's closing shows it that the supervisor has ended.
 */
class RoleRun {
  readonly #child: ChildProcess;
  readonly ended: Promise<string>;
  /** Null when the run is ready, or the reason why it ended before. */
  readonly ready: Promise<string | null>;
  #waitingFor = 0;
  #isAsked = false;
  #timer: NodeJS.Timeout | undefined;
  #rearm: () => void = () => undefined;

  /** `given` is the environment of the go-ahead; undefined if that comes later. */
  constructor({ script, flags, env, sockets, onWaiting }: RoleProgram, given: NodeJS.ProcessEnv | undefined) {
    const args = sockets.map(({ place }, i) => socketFlag(place, FIRST_SOCKET + i));
    if (given === undefined) args.push(WAITS);
    const child = spawn(process.execPath, [...flags, script, ...args], {
      env: { ...env, ...given },
      detached: true,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc', ...sockets.map(({ fd }) => fd)],
    });
    this.#child = child;
    this.ended = new Promise((resolve) => {
      child.once('error', (error) => resolve(error.message));
      child.once('exit', (code, signal) => resolve(signal ? `signal ${signal}` : `exit code ${code}`));
    });
    this.ready = new Promise((resolve) => {
      child.on('message', (message) => message === READY && resolve(null));
      void this.ended.then(resolve);
    });
    const wait = (receivers: number) => {
      if (receivers === this.#waitingFor) return;
      this.#waitingFor = receivers;
      this.#rearm();
      onWaiting();
    };
    child.on('message', (message) => wait(waitingIn(message) ?? this.#waitingFor));
    void this.ended.then(() => wait(0));
  }

  /**
   * The number of receivers that have one of its messages and have not replied since the run was asked to
   * end.
   */
  get waitingFor(): number {
    return this.#waitingFor;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Ignored when the run has just ended. */
  tell(message: NodeJS.ProcessEnv | string): void {
    this.#child.send(message, () => undefined);
  }

  /** Null when it does not answer in time. */
  metrics(): Promise<string | null> {
    return askForMetrics(this.#child);
  }

  /** Asks the run to finish its work, and kills it on timeout. */
  async stop({ workMs, receiversMs }: StopTimeouts): Promise<void> {
    // Sent once: a second signal would mean to stop waiting for receivers.
    if (!this.#isAsked) this.#child.kill('SIGTERM');
    this.#isAsked = true;
    const waitUntilMs = performance.now() + receiversMs;
    this.#rearm = () => {
      clearTimeout(this.#timer);
      const waitMs = this.#waitingFor > 0 ? Math.max(0, waitUntilMs - performance.now()) : 0;
      this.#timer = setTimeout(() => this.kill(), waitMs + workMs);
    };
    this.#rearm();
    await this.ended;
    clearTimeout(this.#timer);
  }

  /** Makes the run stop waiting for receivers. */
  hurry(): void {
    this.tell(HURRY);
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }
}
