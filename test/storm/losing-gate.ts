/**
 * A ingress in front of PostgreSQL that loses answers: of some requests it lets through what was asked, waits until the
 * server has done it, and cuts the connection instead of handing on the answer.
 */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import type { Random } from '../fuzz/random.ts';

export interface LosingGate {
  readonly port: number;
  /** Of which requests; nothing is lost while it is 0. */
  chance: number;
  readonly lost: number;
}

/** Should the server's answer not be recognised as one. */
const LOST_WITHIN_MS = 200;

export interface Losses {
  /** What is asked, of which some answers are lost. */
  readonly asked: RegExp;
  /** How the server says that it has done it. What it says before that belongs to statements sent ahead. */
  readonly done: RegExp;
}

export async function openLosingGate(
  targetPort: number,
  losses: Losses,
  random: Random,
): Promise<LosingGate> {
  const gate = { port: 0, chance: 0, lost: 0 };
  const server = createServer((socket) => {
    const onward = connect(targetPort, '127.0.0.1');
    let losing = false;
    const cut = () => {
      socket.destroy();
      onward.destroy();
    };
    const lose = () => {
      losing = true;
      gate.lost += 1;
      setTimeout(cut, LOST_WITHIN_MS);
    };
    socket.on('data', (chunk: Buffer) => {
      if (!losing && losses.asked.test(chunk.toString('latin1')) && random.chance(gate.chance)) lose();
      onward.write(chunk);
    });
    onward.on('data', (chunk: Buffer) => {
      if (!losing) socket.write(chunk);
      else if (losses.done.test(chunk.toString('latin1'))) cut();
    });
    for (const one of [socket, onward]) one.on('error', cut).on('close', cut);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  server.unref();
  gate.port = (server.address() as AddressInfo).port;
  return gate;
}
