/**
 * A host that never answers, so that connections to it time out. A separate process listens with a minimal backlog and never
 * accepts. Once the backlog is full, the system drops further connections.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface DeafHost {
  readonly address: string;
  readonly port: number;
  stop(): Promise<void>;
}

const LISTEN = `
const server = require('node:net').createServer();
server.listen({ host: process.argv[1], port: 0, backlog: 1 }, () => {
  require('node:fs').writeSync(1, String(server.address().port));
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
});`;
/** A connection that is not established after this time counts as dropped. */
const ENOUGH_MS = 200;

export async function startDeafHost(address: string): Promise<DeafHost> {
  const child = spawn(process.execPath, ['-e', LISTEN, address], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [printed] = (await once(child.stdout, 'data')) as [Buffer];
  const port = Number(printed);
  const waiting: Socket[] = [];
  for (;;) {
    const socket = connect({ host: address, port }).on('error', () => {});
    waiting.push(socket);
    if (!(await answersIn(socket, ENOUGH_MS))) break;
  }
  return {
    address,
    port,
    async stop() {
      for (const socket of waiting) socket.destroy();
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    },
  };
}

function answersIn(socket: Socket, ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms, false);
    socket.once('connect', () => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}
