/** Waiting for a client to do its part, for so long and no longer. */
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';

/** How long a client may take to close its side of the connection. */
export const CLOSE_WITHIN_MS = 1_000;
/** Replies that nobody takes. */
const MAX_UNSENT_BYTES = 64 * 1024;

/** Whether so much of what the client was told is not taken that it has to be waited for. */
export function hasUnreadReplies(socket: Socket): boolean {
  return socket.writableLength > MAX_UNSENT_BYTES;
}

/** False when the client does not read what it is told. */
export function repliesDrained(socket: Socket, withinMs: number): Promise<boolean> {
  return first(socket, 'drain', withinMs);
}

/** False when no encrypted connection comes about. */
export function isSecured(socket: TLSSocket, withinMs: number): Promise<boolean> {
  return first(socket, 'secure', withinMs);
}

/** A client that does not close its side is not waited for. */
export function closeGracefully(socket: Socket): void {
  socket.on('error', () => {});
  socket.end();
  socket.resume();
  setTimeout(() => socket.destroy(), CLOSE_WITHIN_MS).unref();
}

function first(socket: Socket, wanted: string, withinMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const done = (came: boolean) => {
      clearTimeout(timer);
      socket.off(wanted, onWanted);
      socket.off('close', onEnd);
      socket.off('error', onEnd);
      resolve(came);
    };
    const onWanted = () => done(true);
    const onEnd = () => done(false);
    const timer = setTimeout(onEnd, withinMs);
    socket.on(wanted, onWanted);
    socket.on('close', onEnd);
    socket.on('error', onEnd);
  });
}
