/**
 * Sockets that whoever started this process has bound for it. They come as open files, each named by a flag
 * (`--socket=127.0.0.1:3000=4`), and stay with who bound them: a process can be replaced by another one that has the same
 * sockets, and nobody who connects meanwhile is refused.
 */
import { createServer, type Server } from 'node:net';
import { withoutIpv6 } from './host-name.ts';

export interface ListenPlace {
  readonly host: string;
  readonly port: number;
}

/** Node's own. */
const BACKLOG = 511;

export function socketFlag(place: ListenPlace, fd: number): string {
  return `${flagOf(place)}${fd}`;
}

/** None where nothing was bound for it; several where the name has several addresses. */
export function inheritedSockets(place: ListenPlace, argv: readonly string[] = process.argv): number[] {
  const flag = flagOf(place);
  return argv.filter((one) => one.startsWith(flag)).map((one) => Number(one.slice(flag.length)));
}

/**
 * Resolves when it listens there, on the sockets that were bound for it if there are any. A server has one socket: whoever
 * connects to the others is handed to it by helpers, which are returned and have to be closed with it.
 */
export async function listenAt(
  server: Server,
  place: ListenPlace,
  backlog: number = BACKLOG,
  argv?: readonly string[],
): Promise<Server[]> {
  const [first, ...others] = inheritedSockets(place, argv);
  await (first === undefined
    ? listeningAt(server, place, backlog)
    : listening(server, { fd: first }, backlog));
  return Promise.all(
    others.map(async (fd) => {
      const helper = createServer(AS_OURS, (socket) => void server.emit('connection', socket));
      await listening(helper, { fd }, backlog);
      return helper;
    }),
  );
}

/** HTTP servers are made with these, and those of SMTP. */
const AS_OURS = { noDelay: true, allowHalfOpen: true };

async function listeningAt(server: Server, place: ListenPlace, backlog: number): Promise<void> {
  try {
    await listening(server, place, backlog);
  } catch (error) {
    const host = withoutIpv6(place.host, (error as NodeJS.ErrnoException).code);
    if (host === undefined) throw error;
    await listening(server, { ...place, host }, backlog);
  }
}

function listening(server: Server, at: ListenPlace | { fd: number }, backlog: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ ...at, backlog }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function flagOf({ host, port }: ListenPlace): string {
  return `--socket=${host}:${port}=`;
}
