/**
 * One role (API, worker) as a child process that is started again when it ends.
 *
 * States: loading → (told to go on) → running → (ended) → waiting to restart → running …, and stopped, which is
 * final. A child is in a process group of its own, so that signals from the terminal reach the supervisor alone and the
 * order of stopping is the supervisor's; it holds an IPC channel, whose closing tells it that the supervisor is gone.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { WAITS } from '../go-ahead.ts';
import { askForMetrics } from '../metrics-channel.ts';
import { Backoff } from './backoff.ts';

export interface RoleOptions {
  readonly name: string;
  readonly role: string;
  readonly script: string;
  /** For Node itself. */
  readonly flags: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** Called when the role ended by itself. */
  readonly onEnded: (event: RoleEnded) => void;
}

export interface RoleEnded {
  readonly name: string;
  readonly pid: number | undefined;
  readonly reason: string;
  readonly restartInMs: number;
}

export class RoleProcess {
  readonly #options: RoleOptions;
  readonly #backoff = new Backoff();
  #child: ChildProcess | undefined;
  /** What it was told when it could go on; from then on it starts with that. */
  #given: NodeJS.ProcessEnv | undefined;
  #restart: NodeJS.Timeout | undefined;
  #restarts = 0;
  #stopped = false;

  constructor(options: RoleOptions) {
    this.#options = options;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
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
    const { script, flags, env } = this.#options;
    const waits = this.#given === undefined ? [WAITS] : [];
    const child = spawn(process.execPath, [...flags, script, ...waits], {
      env: { ...env, ...this.#given },
      detached: true,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    this.#child = child;
    this.#backoff.started();
    child.once('error', (error) => this.#ended(child, error.message));
    child.once('exit', (code, signal) =>
      this.#ended(child, signal ? `signal ${signal}` : `exit code ${code}`),
    );
  }

  /** Tells it to go on, with this added to its environment. */
  goAhead(given: NodeJS.ProcessEnv): void {
    this.#given = given;
    // One that has just ended cannot be told, and is started again with it.
    this.#child?.send(given, () => undefined);
  }

  /** Null where it does not run, or does not answer in time. */
  async metrics(): Promise<string | null> {
    // One that waits would take the question for what it waits for.
    if (this.#child === undefined || this.#given === undefined) return null;
    return askForMetrics(this.#child);
  }

  /** Asks it to finish what it has in hand, and kills it when that takes longer than `patienceMs`. */
  async stop(patienceMs: number): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#restart);
    const child = this.#child;
    if (child === undefined) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    const impatient = setTimeout(() => this.kill(), patienceMs);
    await ended;
    clearTimeout(impatient);
  }

  kill(): void {
    this.#stopped = true;
    clearTimeout(this.#restart);
    this.#child?.kill('SIGKILL');
  }

  #ended(child: ChildProcess, reason: string): void {
    if (this.#child !== child) return;
    this.#child = undefined;
    if (this.#stopped) return;
    const restartInMs = this.#backoff.nextDelayMs();
    this.#restarts += 1;
    this.#restart = setTimeout(() => this.start(), restartInMs);
    this.#options.onEnded({ name: this.#options.name, pid: child.pid, reason, restartInMs });
  }
}
