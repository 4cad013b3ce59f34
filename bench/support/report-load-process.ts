/**
 * Foreign mail servers, in a separate process: sends one report to each address of a list over a number of connections, and
 * prints the duration. `report-load-process.ts PORT CONNECTIONS FILE`.
 */
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { bounceOf } from './report-message.ts';

const [port, connections, file] = process.argv.slice(2);
const addresses = readFileSync(file ?? '', 'utf8')
  .split('\n')
  .filter((line) => line !== '');

/** Sends reports to addresses from the shared list until none is left. */
async function session(to: number): Promise<void> {
  const replies = new Replies(connect({ port: to, host: '127.0.0.1', noDelay: true }));
  await replies.next(1);
  replies.socket.write('EHLO relay.example.net\r\n');
  await replies.next(1);
  for (let address = addresses.pop(); address !== undefined; address = addresses.pop()) {
    replies.socket.write(`MAIL FROM:<>\r\nRCPT TO:<${address}>\r\nDATA\r\n`);
    await replies.next(3);
    replies.socket.write(`${bounceOf(address)}\r\n.\r\n`);
    await replies.next(1);
  }
  replies.socket.end('QUIT\r\n');
}

class Replies {
  readonly socket: Socket;
  #text = '';
  #wake: () => void = () => {};

  constructor(socket: Socket) {
    this.socket = socket.setEncoding('latin1');
    socket.on('data', (chunk) => {
      this.#text += chunk;
      this.#wake();
    });
  }

  async next(count: number): Promise<void> {
    for (let seen = 0; seen < count; ) {
      const match = /^(?:\d{3}-.*\r\n)*(\d{3}) .*\r\n/.exec(this.#text);
      if (match === null) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
        continue;
      }
      if (Number(match[1]) >= 400) throw new Error(`It was not taken: ${match[0]}`);
      this.#text = this.#text.slice(match[0].length);
      seen += 1;
    }
  }
}

const started = performance.now();
await Promise.all(Array.from({ length: Number(connections) }, () => session(Number(port))));
process.stdout.write(`${JSON.stringify({ ms: performance.now() - started })}\n`);
