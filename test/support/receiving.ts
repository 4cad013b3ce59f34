/** A raw SMTP client for the inbound server that returns every reply. */
import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import type { Database } from '../../src/database/database.ts';
import { readReceived } from '../../src/inbound/received/read-received.ts';
import { NOT_SCANNED } from '../../src/received/received-email.ts';
import { insertReceived, recordReceived } from '../../src/received/store.ts';
import { uuidv7 } from '../../src/runtime/ids.ts';

export class MailClient {
  readonly #socket: Socket;
  readonly #lines: AsyncIterator<string>;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('error', () => {});
    this.#lines = createInterface({ input: socket })[Symbol.asyncIterator]();
  }

  static async open(port: number, helo = 'mail.example.org'): Promise<MailClient> {
    const client = new MailClient(connect(port, '127.0.0.1'));
    await client.reply();
    await client.say(`EHLO ${helo}`);
    return client;
  }

  /** Reads a reply and returns its last line. */
  async reply(): Promise<string> {
    for (;;) {
      const { value, done } = await this.#lines.next();
      if (done) return '';
      if (/^\d{3}( |$)/.test(value)) return value;
    }
  }

  say(line: string): Promise<string> {
    this.#socket.write(`${line}\r\n`);
    return this.reply();
  }

  /** The reply to the message, or to the last recipient if no recipient was accepted. */
  async send(from: string, to: readonly string[], message: string | Buffer): Promise<string> {
    await this.say(`MAIL FROM:<${from}>`);
    const replies: string[] = [];
    for (const one of to) replies.push(await this.say(`RCPT TO:<${one}>`));
    if (!replies.some((one) => one.startsWith('250'))) {
      await this.say('RSET');
      return replies[0] ?? '';
    }
    await this.say('DATA');
    this.#socket.write(message);
    return this.say('\r\n.');
  }

  close(): void {
    this.#socket.destroy();
  }
}

export async function bringMail(
  port: number,
  to: string | readonly string[],
  message: string | Buffer,
  from = 'ada@example.org',
): Promise<string> {
  const client = await MailClient.open(port);
  try {
    return await client.send(from, [to].flat(), message);
  } finally {
    client.close();
  }
}

let count = 0;

export function mailOf(fields: Readonly<Record<string, string>>, body: string): string {
  count += 1;
  const all = {
    From: 'Ada <ada@example.org>',
    Subject: 'Hello',
    'Message-ID': `<${process.pid}.${count}@example.org>`,
    ...fields,
  };
  const header = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return `${header.join('\r\n')}\r\n\r\n${body}`;
}

const FILE = 'Content-Type: text/plain\r\nContent-Disposition: attachment; filename="note.txt"\r\n\r\nSecret';

/** Inserts a received mail with an attached file, without sending it. */
export async function insertReadMail(
  db: Database,
  { id: organizationId, address }: { readonly id: string; readonly address: string },
  { text = 'Hello', ...fields }: Readonly<Record<string, string>> = {},
): Promise<string> {
  const nowMs = Date.now();
  const id = uuidv7(nowMs);
  const body = `--b\r\nContent-Type: text/plain\r\n\r\n${text}\r\n--b\r\n${FILE}\r\n--b--\r\n`;
  const raw = Buffer.from(mailOf({ 'Content-Type': 'multipart/mixed; boundary=b', ...fields }, body));
  const receivers = [{ organizationId, address, routeId: null, emailId: null }];
  const envelope = { mailFrom: 'ada@example.org', remoteAddress: '127.0.0.1', helo: 'example.org' };
  const arrived = { organizationId, id, receivedAtMs: nowMs, receivers, ...envelope, secured: false, raw };
  await insertReceived(db, { ...arrived, digest: null });
  await recordReceived(db, { organizationId, id }, await readReceived(raw, envelope.mailFrom), {
    authentication: {
      spf: { result: 'none', domain: null },
      dkim: { result: 'none', signatures: [] },
      dmarc: { result: 'none', domain: null, policy: null },
    },
    scans: NOT_SCANNED,
    threaded: { conversationId: id, replyToEmailId: null },
  });
  return id;
}
