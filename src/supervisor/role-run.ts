/**
 * One run of a role's program, from start to end. It has its own process group, so that terminal signals
 * reach only the supervisor, which determines the order of stopping. Over its IPC channel it reports that it
 * is ready; the channel's closing shows it that the supervisor has ended.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { askForMetrics } from '../processes/metrics-channel.ts';
import { READY } from '../processes/ready.ts';
import { HURRY } from '../processes/stop-signals.ts';
import { WAITS } from '../processes/wait-for-go.ts';
import { waitingIn } from '../processes/waiting-message.ts';
import { socketFlag } from '../runtime/inherited-sockets.ts';
import type { BoundSocket } from './bound-sockets.ts';

export interface RoleProgram {
  readonly script: string;
  /** Flags for Node. */
  readonly flags: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** The sockets to listen on. */
  readonly sockets: readonly BoundSocket[];
  /** Called when the number of receivers that a run waits for has changed. */
  readonly onWaiting: () => void;
}

/** How long a run may take to stop. */
export interface StopTimeouts {
  /** Time for its own work. */
  readonly workMs: number;
  /** Time before that to wait for receivers, for a run that reports such a wait. */
  readonly receiversMs: number;
}

/** After standard input, output, error and the IPC channel. */
const FIRST_SOCKET = 4;

export class RoleRun {
  readonly #child: ChildProcess;
  /** The reason why the run ended. */
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
