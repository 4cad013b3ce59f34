/** A TCP proxy in front of a server that tests can shut and open, to simulate an outage. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface TcpGate {
  readonly port: number;
  /** Closes every connection and refuses new connections. */
  shut(): Promise<void>;
  open(): Promise<void>;
  /** Forwards new connections to another port, as after a failover to a standby. */
  leadTo(port: number): void;
  /** How many bytes went through, both ways. */
  readonly bytes: number;
  /** Delays the server's answers until `release`. */
  holdAnswers(): void;
  release(): void;
}

export async function openTcpGate(host: string, firstPort: number): Promise<TcpGate> {
  let targetPort = firstPort;
  let bytesOfClosed = 0;
  const sockets = new Set<Socket>();
  const onwards = new Map<Socket, Socket>();
  const server = createServer((socket) => {
    const onward = connect(targetPort, host);
    onwards.set(onward, socket);
    onward.on('close', () => onwards.delete(onward));
    for (const [from, to] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      sockets.add(from);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        if (sockets.delete(from)) bytesOfClosed += from.bytesRead;
        to.destroy();
      });
      from.pipe(to);
    }
  });
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    port,
    get bytes() {
      return [...sockets].reduce((sum, { bytesRead }) => sum + bytesRead, bytesOfClosed);
    },
    open: () => listen(port),
    leadTo(next) {
      targetPort = next;
    },
    holdAnswers() {
      for (const [onward, socket] of onwards) onward.unpipe(socket);
    },
    release() {
      for (const [onward, socket] of onwards) onward.pipe(socket);
    },
    async shut() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
