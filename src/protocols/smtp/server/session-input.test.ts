import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MessageReader } from './message-reader.ts';
import { SessionInput } from './session-input.ts';

const SOON_MS = 10_000;

/** As one that has no memory left. */
class BrokenReader extends MessageReader {
  override take(): Buffer | null {
    throw new RangeError('no memory left');
  }
}

let server: Server;
let client: Socket;
let input: SessionInput;
beforeEach(async () => {
  server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  client = connect((server.address() as { port: number }).port, '127.0.0.1');
  const [socket] = (await once(server, 'connection')) as [Socket];
  input = new SessionInput(socket);
});
afterEach(() => {
  client.destroy();
  server.close();
});

describe('what a client sends', () => {
  it('is a line at a time, however it comes', async () => {
    client.write('EHLO a.example\r\nMA');
    expect(await input.line(SOON_MS)).toEqual({ kind: 'line', text: 'EHLO a.example' });
    const next = input.line(SOON_MS);
    client.write('IL FROM:<>\r\n');
    expect(await next).toEqual({ kind: 'line', text: 'MAIL FROM:<>' });
  });

  it('fails for the one who waits where it cannot be read', async () => {
    const message = input.message(new BrokenReader(1_000), 1_000, SOON_MS);
    client.write('Subject: x\r\n\r\n');
    await expect(message).rejects.toThrow('no memory left');
  });
});
