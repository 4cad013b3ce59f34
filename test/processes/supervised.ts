/** A supervisor in a process of its own, mostly with stand-ins for the roles, for the tests beside this file. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { TEST_SECRET_KEY } from '../support/secret-key.ts';

const RUN_INSTALLATION = fileURLToPath(new URL('./run-installation.mjs', import.meta.url));

export class Supervised {
  readonly child: ChildProcess;
  readonly port: number;
  output = '';
  readonly #exited: Promise<number | null>;

  private constructor(child: ChildProcess, port: number) {
    this.child = child;
    this.port = port;
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (data: Buffer) => {
        this.output += data;
        child.emit('output');
      });
    }
    this.#exited = once(child, 'exit').then(([code]) => {
      child.emit('output');
      return code;
    });
  }

  /** `socket`: one that is handed over as systemd does. */
  static async start(
    roles: string[],
    env: Record<string, string>,
    script = RUN_INSTALLATION,
    socket?: number,
  ): Promise<Supervised> {
    const port = env.POSTRIDER_PORT === undefined ? await freePort() : Number(env.POSTRIDER_PORT);
    const given = socket === undefined ? '' : 'export LISTEN_FDS=1 LISTEN_PID=$$; ';
    const child = spawn('sh', ['-c', `${given}exec "$@"`, 'sh', process.execPath, script, ...roles], {
      env: {
        ...process.env,
        POSTRIDER_PORT: String(port),
        POSTRIDER_SECRET_KEY: TEST_SECRET_KEY,
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe', ...(socket === undefined ? [] : [socket])],
    });
    return new Supervised(child, port);
  }

  /** Waits for the text; fails with everything printed when the process ends without it. */
  async says(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const match = pattern.exec(this.output);
      if (match) return match;
      if (this.child.exitCode !== null || this.child.signalCode !== null) {
        throw new Error(`It ended without saying ${pattern}:\n${this.output}`);
      }
      await once(this.child, 'output');
    }
  }

  exited(): Promise<number | null> {
    return this.#exited;
  }

  async api(): Promise<{ pid: number; databaseUrl: string }> {
    return (await fetch(`http://127.0.0.1:${this.port}/`)).json() as Promise<{
      pid: number;
      databaseUrl: string;
    }>;
  }

  /** For the end of a test: everything down, whatever state it is in. */
  async clear(): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) this.child.kill('SIGTERM');
    await this.exited();
  }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
