/** A time server on loopback (SNTP) whose clock a test sets. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';

export interface TimeServer {
  readonly port: number;
  /** How far the server's clock is ahead of ours; null: the server does not answer. */
  aheadMs: number | null;
  close(): void;
}

export async function startTimeServer(): Promise<TimeServer> {
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const server: TimeServer = {
    port: socket.address().port,
    aheadMs: 0,
    close: () => void socket.close(),
  };
  socket.on('message', (asked, from) => {
    if (server.aheadMs === null) return;
    const packet = Buffer.alloc(48);
    packet[0] = 0b00_100_100;
    packet[1] = 2;
    asked.copy(packet, 24, 40, 48);
    const seconds = (Date.now() + server.aheadMs) / 1_000 + 2_208_988_800;
    for (const at of [32, 40]) {
      packet.writeUInt32BE(Math.floor(seconds), at);
      packet.writeUInt32BE(Math.floor((seconds % 1) * 2 ** 32), at + 4);
    }
    socket.send(packet, from.port, from.address);
  });
  return server;
}
