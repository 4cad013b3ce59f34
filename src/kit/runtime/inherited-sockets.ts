/**
 * Sockets that whoever started this process has bound for it. They come as open files, each named by a flag
 * (`--socket=127.0.0.1:3000=4`), and stay with who bound them: a process can be replaced by another one that has the same
 * sockets, and nobody who connects meanwhile is refused.
 */
import type { Server } from 'node:net';

export interface ListenPlace {
  readonly host: string;
  readonly port: number;
}

/** Node's own. */
const BACKLOG = 511;

export function socketFlag(place: ListenPlace, fd: number): string {
  return `${flagOf(place)}${fd}`;
}

/** Undefined where nothing was bound for it. */
export function inheritedSocket(
  place: ListenPlace,
  argv: readonly string[] = process.argv,
): number | undefined {
  const flag = argv.find((one) => one.startsWith(flagOf(place)));
  return flag === undefined ? undefined : Number(flag.slice(flagOf(place).length));
}

/** Resolves when it listens there, on the socket that was bound for it if there is one. */
export function listenAt(server: Server, place: ListenPlace, backlog: number = BACKLOG): Promise<void> {
  const fd = inheritedSocket(place);
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(fd === undefined ? { ...place, backlog } : { fd }, backlog, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function flagOf({ host, port }: ListenPlace): string {
  return `--socket=${host}:${port}=`;
}
