/** A role as in production: the built code in its own process, which a test may kill. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export class Role {
  readonly #script: string;
  readonly #env: Readonly<Record<string, string>>;
  #child: ChildProcess | null = null;
  output = '';

  constructor(
    name: 'api' | 'worker' | 'smtp' | 'inbound' | 'submission',
    env: Readonly<Record<string, string>>,
  ) {
    this.#script = fileURLToPath(new URL(`../../dist/processes/${name}.js`, import.meta.url));
    this.#env = env;
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  get isRunning(): boolean {
    return this.#child !== null && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  start(): void {
    const child = spawn(process.execPath, [this.#script], {
      env: { ...process.env, ...this.#env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.on('data', (data: Buffer) => {
      this.output = (this.output + data).slice(-20_000);
    });
    child.stderr.on('data', (data: Buffer) => {
      this.output = (this.output + data).slice(-20_000);
    });
    this.#child = child;
  }

  /** Kills the process with SIGKILL and starts a new one, like the supervisor. */
  async killAndRestart(): Promise<void> {
    await this.end('SIGKILL');
    this.start();
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await once(child, 'exit');
  }
}
