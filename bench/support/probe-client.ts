/** Sends one mail at a time over an open connection, and returns when the first byte of each was sent. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type HttpRequest, rawRequest } from './load.ts';
import { within } from './wait.ts';

export interface ProbeClient {
  /** Resolves when the request is answered, with the time of its first byte by the clock of `process.hrtime`. */
  send(number: number): Promise<bigint>;
  stop(): void;
}

export async function httpProbe(
  port: number,
  requestFor: (number: number) => HttpRequest,
): Promise<ProbeClient> {
  const socket = await open(port);
  return {
    async send(number) {
      const sentNs = process.hrtime.bigint();
      socket.write(rawRequest(requestFor(number)));
      const [answer] = (await within('an answer of the API', once(socket, 'data'))) as [Buffer];
      if (!answer.toString('latin1').startsWith('HTTP/1.1 201')) throw new Error(`Answered ${answer}`);
      return sentNs;
    },
    stop: () => socket.destroy(),
  };
}

/** Sends from MAIL on, like a program with an open session to its mail server. */
export async function smtpProbe(
  port: number,
  mail: { readonly from: string; readonly to: (number: number) => string; readonly content: string },
): Promise<ProbeClient> {
  const socket = await open(port);
  await reply(socket, '220');
  await say(socket, 'EHLO probe.test', '250');
  return {
    async send(number) {
      const sentNs = process.hrtime.bigint();
      await say(socket, `MAIL FROM:<${mail.from}>\r\nRCPT TO:<${mail.to(number)}>\r\nDATA`, '354');
      await say(socket, `${mail.content}\r\n.`, '250');
      return sentNs;
    },
    stop: () => socket.destroy(),
  };
}

async function open(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  return socket.setNoDelay(true);
}

async function say(socket: Socket, text: string, expected: string): Promise<void> {
  socket.write(`${text}\r\n`);
  await reply(socket, expected);
}

/** If several replies arrive together, the last one counts. */
async function reply(socket: Socket, expected: string): Promise<void> {
  for (let text = ''; ; ) {
    const [chunk] = (await within(`the reply ${expected}`, once(socket, 'data'))) as [Buffer];
    text += chunk.toString('latin1');
    const last = text.split('\r\n').at(-2) ?? '';
    if (last.startsWith(`${expected} `)) return;
    if (/^[45]\d\d /.test(last)) throw new Error(`Postfix said ${last}`);
  }
}
