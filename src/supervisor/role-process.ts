/**
 * One role (API, worker) as a process that is started again when it ends, and that can be replaced by a new one.
 *
 * States: loading → (told to go on) → running → (ended) → waiting to restart → running …, and stopped, which is
 * final. Replacing: the next one starts beside the one that runs, and takes its place when it is ready; the one before
 * retires: it serves out those who are connected to it, waits for receivers that have a message of it, and ends. If the
 * next one is not ready in time, it is the one that goes.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { RETIRE } from '../processes/stop-signals.ts';
import { Backoff } from './backoff.ts';
import { type RoleProgram, RoleRun, type StopTimeouts } from './role-run.ts';

export interface RoleOptions extends RoleProgram {
  readonly name: string;
  readonly role: string;
  /** How long a run may wait for receivers before it stops. */
  readonly receiversMs: number;
  /** Called when the role ended by itself. */
  readonly onEnded: (event: RoleEnded) => void;
}

export interface RoleEnded {
  readonly name: string;
  readonly pid: number | undefined;
  readonly reason: string;
  readonly restartInMs: number;
}

/** Longer than a role takes to retire by itself. */
const RETIRED_WITHIN_MS = 90_000;
/** Then it is asked to stop as it would be with everything else. */
const STOPPED_WITHIN_MS = 10_000;
/** Of one role at a time, beside the one that runs: the next replacement waits until one of them has ended. */
const MAX_RETIRING = 4;
const STOPPING = 'everything is being stopped';
/** One role after the other: but nobody waits for the last idle connection of the one before. */
const WAIT_FOR_RETIRED_MS = 3_000;

export class RoleProcess {
  readonly #options: RoleOptions;
  readonly #backoff = new Backoff();
  #run: RoleRun | undefined;
  /** Besides that one: a replacement that is not ready yet, and those that retire. */
  readonly #others = new Set<RoleRun>();
  readonly #retiring = new Set<Promise<unknown>>();
  /** What it was told when it could go on; from then on it starts with that. */
  #given: NodeJS.ProcessEnv | undefined;
  #restart: NodeJS.Timeout | undefined;
  #restarts = 0;
  #stopped = false;
  /** Once one of its runs was. */
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

  /** How often it ended by itself. */
  get restarts(): number {
    return this.#restarts;
  }

  /** It loads, and waits to be told to go on. */
  start(): void {
    this.#backoff.started();
    this.#follow(new RoleRun(this.#options, this.#given));
  }

  /** Tells it to go on, with this added to its environment. */
  waitForGo(given: NodeJS.ProcessEnv): void {
    this.#given = given;
    this.#run?.tell(given);
  }

  /** Null when a new one has taken its place; else why not, and the one before goes on. */
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
      void next.stop(this.#patience(STOPPED_WITHIN_MS));
      return problem ?? STOPPING;
    }
    clearTimeout(this.#restart);
    const before = this.#run;
    this.#follow(next);
    if (before !== undefined) await this.#retire(before);
    return null;
  }

  /** Null where it does not run, or does not answer in time. */
  async metrics(): Promise<string | null> {
    // One that waits would take the question for what it waits for.
    return this.#run === undefined || this.#given === undefined ? null : this.#run.metrics();
  }

  /** Asks it to finish what it has in hand, and kills it when its own work takes longer than `workMs`. */
  async stop(workMs: number): Promise<void> {
    await Promise.all(this.#end().map((run) => run.stop(this.#patience(workMs))));
  }

  /** How many receivers have a message of a run that ends, and have not answered. */
  get waitingFor(): number {
    return this.#runs().reduce((sum, run) => sum + run.waitingFor, 0);
  }

  /** Runs that end wait for receivers no longer. */
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

  #patience(workMs: number): StopTimeouts {
    return { workMs, receiversMs: this.#options.receiversMs };
  }

  #follow(run: RoleRun): void {
    this.#run = run;
    void run.ready.then((problem) => problem === null && this.#isReady());
    void run.ended.then((reason) => this.#ended(run, reason));
  }

  async #retire(run: RoleRun): Promise<void> {
    run.tell(RETIRE);
    const stop = () => void run.stop(this.#patience(STOPPED_WITHIN_MS));
    const overdue = setTimeout(stop, RETIRED_WITHIN_MS);
    const retired = this.#beside(run, run.ended).finally(() => {
      clearTimeout(overdue);
      this.#retiring.delete(retired);
    });
    this.#retiring.add(retired);
    await Promise.race([retired, delay(WAIT_FOR_RETIRED_MS, null, { ref: false })]);
  }

  /** It is stopped with everything else, if that comes first. */
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
