/**
 * Sockets that the parent process has bound. They are passed as open files, each named by a flag
 * (`--socket=127.0.0.1:3000=4`), and stay open in the parent: a process can be replaced by another one with
 * the same sockets without refusing a connection.
 */
import { createServer, type Server } from 'node:net';
import { withoutIpv6 } from './host-name.ts';

export interface ListenPlace {
  readonly host: string;
  readonly port: number;
}

/** Node's default. */
const BACKLOG = 511;

export function socketFlag(place: ListenPlace, fd: number): string {
  return `${flagOf(place)}${fd}`;
}

/** Empty when none was bound; several when the name has several addresses. */
export function inheritedSockets(place: ListenPlace, argv: readonly string[] = process.argv): number[] {
  const flag = flagOf(place);
  return argv.filter((one) => one.startsWith(flag)).map((one) => Number(one.slice(flag.length)));
}

/**
 * Resolves when the server listens, on the inherited sockets if there are any. A Node server has one socket;
 * helper servers accept connections on the others and pass them on. The helpers are returned and must be
 * closed with the server.
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

/** The options of our HTTP and SMTP servers. */
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
