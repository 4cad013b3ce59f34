/**
 * One run of a role's program, from its start to its end. It is in a process group of its own, so that signals from the
 * terminal reach the supervisor alone and the order of stopping is the supervisor's; it holds an IPC channel, over which
 * it says that it is ready, and whose closing tells it that the supervisor is gone.
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
  /** For Node itself. */
  readonly flags: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** Where it listens. */
  readonly sockets: readonly BoundSocket[];
  /** The number of receivers that a run of it waits for has changed. */
  readonly onWaiting: () => void;
}

/** How long a run may take to stop. */
export interface StopTimeouts {
  /** To finish its own work. */
  readonly workMs: number;
  /** Before that, to wait for receivers, for a run that says that it does. */
  readonly receiversMs: number;
}

/** After standard input, output, errors and the channel. */
const FIRST_SOCKET = 4;

export class RoleRun {
  readonly #child: ChildProcess;
  /** Why it ended. */
  readonly ended: Promise<string>;
  /** Null when it is ready, or why it ended before it was. */
  readonly ready: Promise<string | null>;
  #waitingFor = 0;
  #isAsked = false;
  #impatient: NodeJS.Timeout | undefined;
  #rearm: () => void = () => undefined;

  /** `given`: what it is told to go on with; undefined if that comes later. */
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

  /** How many receivers have a message of it and have not answered, since it was asked to end. */
  get waitingFor(): number {
    return this.#waitingFor;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** One that has just ended cannot be told. */
  tell(message: NodeJS.ProcessEnv | string): void {
    this.#child.send(message, () => undefined);
  }

  /** Null where it does not answer in time. */
  metrics(): Promise<string | null> {
    return askForMetrics(this.#child);
  }

  /** Asks it to finish what it has in hand, and kills it when that takes too long. */
  async stop({ workMs, receiversMs }: StopTimeouts): Promise<void> {
    // Once: a second signal would mean that it must not wait for receivers any longer.
    if (!this.#isAsked) this.#child.kill('SIGTERM');
    this.#isAsked = true;
    const waitUntilMs = performance.now() + receiversMs;
    this.#rearm = () => {
      clearTimeout(this.#impatient);
      const waitMs = this.#waitingFor > 0 ? Math.max(0, waitUntilMs - performance.now()) : 0;
      this.#impatient = setTimeout(() => this.kill(), waitMs + workMs);
    };
    this.#rearm();
    await this.ended;
    clearTimeout(this.#impatient);
  }

  /** It waits for receivers no longer. */
  hurry(): void {
    this.tell(HURRY);
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }
}
