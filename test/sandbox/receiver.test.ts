import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Database } from '../../src/database/database.ts';
import { adHoc } from '../../src/database/sql.ts';
import { newId } from '../../src/runtime/ids.ts';
import { createLog } from '../../src/runtime/log.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { newDelivery, SandboxFixture } from '../support/sandbox.ts';
import { RawSession } from './raw-session.ts';

const MESSAGE = 'From: a@sandbox.test\r\nSubject: Hello\r\n\r\nHello\r\n';

let database: TestDatabase;
let fixture: SandboxFixture;

beforeAll(async () => {
  database = await createTestDatabase();
  fixture = new SandboxFixture(database.db);
  await fixture.start();
});

afterAll(async () => {
  await fixture?.stop();
  await database?.drop();
});

const rowsOf = adHoc<{
  rcpt_to: string;
  raw: Buffer;
  subject: string;
  from_email: string;
  from_name: string;
}>('SELECT * FROM sandbox_messages WHERE email_id = $1 ORDER BY id');

describe('the receiver', () => {
  it('keeps a message byte for byte, whatever its bytes and however they arrive', async () => {
    const session = await RawSession.open(fixture.receiver.port);
    const line = fc.oneof(
      fc.constantFrom('', '.', '..', '. ', '.hidden', 'QUIT', 'DATA'),
      fc.string({ unit: 'binary', maxLength: 40 }).map((text) => text.replace(/[\r\n]/g, '')),
    );
    const sizes = fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 8 }), sizes, async (lines, pieces) => {
        const delivery = newDelivery();
        session.write(`MAIL FROM:<${fixture.returnPathOf(delivery)}>\r\nRCPT TO:<a@b.test>\r\nDATA\r\n`);
        expect((await session.replies(3)).map((reply) => reply.slice(0, 3))).toEqual(['250', '250', '354']);
        const stuffed = lines.map((one) => (one.startsWith('.') ? `.${one}` : one));
        await session.writeInPieces(Buffer.from(`${stuffed.join('\r\n')}\r\n.\r\n`), pieces);
        expect((await session.replies(1))[0]).toMatch(/^250 2\.0\.0 Ok: captured as /);
        const rows = await database.db.many(rowsOf, [delivery.emailId]);
        expect(rows.map((row) => row.raw.toString('hex'))).toEqual([
          Buffer.from(`${lines.join('\r\n')}\r\n`).toString('hex'),
        ]);
      }),
      { numRuns: 40 },
    );
    session.end();
  });

  it('answers a pipelined envelope in order, and refuses DATA when every recipient was refused', async () => {
    const session = await RawSession.open(fixture.receiver.port);
    const from = fixture.returnPathOf(newDelivery());
    session.write(`MAIL FROM:<${from}>\r\nRCPT TO:<bounced@simulator.test>\r\nDATA\r\nRSET\r\n`);
    const codes = (await session.replies(4)).map((reply) => reply.slice(0, 3));
    expect(codes).toEqual(['250', '550', '554', '250']);
    session.end();
  });

  it('offers what our client uses and no more', async () => {
    const session = await RawSession.open(fixture.receiver.port);
    session.write('EHLO again.test\r\n');
    const [greeting] = await session.replies(1);
    expect(greeting).toMatch(/PIPELINING/);
    expect(greeting).toMatch(/8BITMIME/);
    expect(greeting).toMatch(/SMTPUTF8/);
    expect(greeting).toMatch(/SIZE \d+/);
    expect(greeting).not.toMatch(/AUTH|STARTTLS/);
    session.end();
  });

  it.each([
    ['an ordinary address', 'someone@example.org'],
    ['the null sender', ''],
    ['a made-up token', `b+${'0'.repeat(60)}@mail.postrider.test`],
  ])('refuses mail from %s', async (_what, from) => {
    const facts = await fixture.sendFrom(from, 'a@b.test', MESSAGE);
    expect(facts).toMatchObject({ kind: 'refused', phase: 'mail', reply: { code: 550, enhanced: '5.7.1' } });
  });

  it("refuses a return path that another installation's key signed", async () => {
    const foreign = new SandboxFixture(database.db).returnPathOf(newDelivery());
    const facts = await fixture.sendFrom(foreign, 'a@b.test', MESSAGE);
    expect(facts).toMatchObject({ kind: 'refused', phase: 'mail', reply: { code: 550 } });
  });

  it('forgets who sent the last message of a session', async () => {
    const session = await RawSession.open(fixture.receiver.port);
    session.write(`MAIL FROM:<${fixture.returnPathOf(newDelivery())}>\r\nRSET\r\n`);
    await session.replies(2);
    session.write('MAIL FROM:<forged@example.org>\r\nRCPT TO:<a@b.test>\r\nDATA\r\n');
    const codes = (await session.replies(3)).map((reply) => reply.slice(0, 3));
    expect(codes).toEqual(['550', '503', '503']);
    session.end();
  });

  it('keeps nothing of a message whose sender left before the final dot', async () => {
    const delivery = newDelivery();
    const session = await RawSession.open(fixture.receiver.port);
    session.write(`MAIL FROM:<${fixture.returnPathOf(delivery)}>\r\nRCPT TO:<a@b.test>\r\nDATA\r\n`);
    await session.replies(3);
    session.write('Subject: cut o');
    session.end();
    await session.closed();
    await fixture.send(newDelivery(), 'a@b.test', MESSAGE);
    expect(await database.db.many(rowsOf, [delivery.emailId])).toEqual([]);
  });

  it('refuses a message over its limit and goes on with the session', async () => {
    const delivery = newDelivery();
    const session = await RawSession.open(fixture.receiver.port);
    session.write(`MAIL FROM:<${fixture.returnPathOf(delivery)}>\r\nRCPT TO:<a@b.test>\r\nDATA\r\n`);
    await session.replies(3);
    session.write(Buffer.alloc(49 * 1024 * 1024, `${'x'.repeat(70)}\r\n`));
    session.write('\r\n.\r\nNOOP\r\n');
    expect((await session.replies(2)).map((reply) => reply.slice(0, 3))).toEqual(['552', '250']);
    expect(await database.db.many(rowsOf, [delivery.emailId])).toEqual([]);
    session.end();
  });

  it('reads subject and sender from folded, encoded headers', async () => {
    const delivery = newDelivery();
    const subject = '=?utf-8?Q?Gr=C3=BC=C3=9Fe_aus?=\r\n =?utf-8?Q?_M=C3=BCnchen_=00?=';
    const from = '=?utf-8?B?SsO8cmdlbg==?= <jurgen@sandbox.test>';
    await fixture.send(
      delivery,
      'a@b.test',
      `From: ${from}\r\nSubject: ${subject}\r\n\r\nSubject: not this\r\n`,
    );
    expect(await database.db.many(rowsOf, [delivery.emailId])).toMatchObject([
      { subject: 'Grüße aus München', from_email: 'jurgen@sandbox.test', from_name: 'Jürgen' },
    ]);
  });

  it('shows an international recipient as it stood on the wire', async () => {
    const delivery = newDelivery();
    await fixture.send(delivery, 'Post@xn--mnchen-3ya.test', MESSAGE);
    expect(await database.db.many(rowsOf, [delivery.emailId])).toMatchObject([
      { rcpt_to: 'Post@xn--mnchen-3ya.test' },
    ]);
  });

  it('keeps every one of many messages that come at once', async () => {
    const organizationId = newId('org');
    const results = await Promise.all(
      Array.from({ length: 300 }, (_, i) =>
        fixture.send(newDelivery(organizationId), 'a@b.test', `Subject: ${i}\r\n\r\n${'x'.repeat(i)}\r\n`),
      ),
    );
    expect(results.every((facts) => facts.kind === 'accepted')).toBe(true);
    const all = adHoc<{ subject: string; size: number; length: number }>(
      'SELECT subject, size, length(raw) FROM sandbox_messages WHERE organization_id = $1',
    );
    const rows = await database.db.many(all, [organizationId]);
    expect(rows.every((row) => row.size === row.length)).toBe(true);
    const expected = Array.from({ length: 300 }, (_, i) => `${i} ${15 + `${i}`.length + i}`);
    expect(rows.map((row) => `${row.subject} ${row.size}`).sort()).toEqual(expected.sort());
  });
});

describe('a receiver whose database is away', () => {
  let line: Line;
  let through: Database;
  let sandbox: SandboxFixture;

  beforeAll(async () => {
    line = await Line.open(new URL(database.url));
    const url = new URL(database.url);
    url.hostname = '127.0.0.1';
    url.port = String(line.port);
    through = new Database({
      url: url.toString(),
      log: createLog('test', 'silent'),
      applicationName: 'test',
    });
    sandbox = new SandboxFixture(through);
    await sandbox.start();
  });

  afterAll(async () => {
    await sandbox?.stop();
    await through?.close();
    await line?.cut();
  });

  it('answers 451 4.3.0 until the database is back', async () => {
    await line.cut();
    const message = await sandbox.send(newDelivery(), 'a@b.test', MESSAGE);
    expect(message).toMatchObject({ kind: 'refused', phase: 'dot', reply: { code: 451, enhanced: '4.3.0' } });
    const greylisted = await sandbox.send(newDelivery(), 'greylisted@simulator.test', MESSAGE);
    expect(greylisted).toMatchObject({
      kind: 'refused',
      phase: 'rcpt',
      reply: { code: 451, enhanced: '4.3.0' },
    });
    await line.listen();
    expect(await sandbox.send(newDelivery(), 'a@b.test', MESSAGE)).toMatchObject({ kind: 'accepted' });
  });
});

describe('stopping the receiver', () => {
  it('does not wait for a slow answer, and does not promise what it has not kept', async () => {
    const sandbox = new SandboxFixture(database.db);
    await sandbox.start();
    const delivery = newDelivery();
    const session = await RawSession.open(sandbox.receiver.port);
    session.write(
      `MAIL FROM:<${sandbox.returnPathOf(delivery)}>\r\nRCPT TO:<slow@simulator.test>\r\nDATA\r\n`,
    );
    await session.replies(3);
    session.write(`${MESSAGE}.\r\n`);
    const started = performance.now();
    const answer = session.replies(1);
    await sandbox.stop();
    expect(performance.now() - started).toBeLessThan(4_000);
    expect((await answer)[0]).toMatch(/^421 4\.3\.2 /);
    expect(await database.db.many(rowsOf, [delivery.emailId])).toEqual([]);
  });

  it('tells an idle client that it is stopping', async () => {
    const sandbox = new SandboxFixture(database.db);
    await sandbox.start();
    const session = await RawSession.open(sandbox.receiver.port);
    await sandbox.stop();
    expect((await session.replies(1))[0]).toMatch(/^421 4\.3\.2 /);
  });

  it('can be asked twice, and before the start', async () => {
    const sandbox = new SandboxFixture(database.db);
    await sandbox.stop();
    await sandbox.stop();
    expect(() => sandbox.receiver.port).toThrow(/before it is started/);
  });
});

/** Stands between a pool and PostgreSQL, and can be cut. */
class Line {
  readonly #target: { host: string; port: number };
  readonly #sockets = new Set<Socket>();
  #server: Server | null = null;
  port = 0;

  private constructor(target: URL) {
    this.#target = { host: target.hostname, port: Number(target.port) };
  }

  static async open(target: URL): Promise<Line> {
    const line = new Line(target);
    await line.listen();
    return line;
  }

  async listen(): Promise<void> {
    this.#server = createServer((near) => {
      const far = connect(this.#target);
      for (const socket of [near, far]) {
        this.#sockets.add(socket);
        socket.on('error', () => {});
        socket.on('close', () => {
          near.destroy();
          far.destroy();
        });
      }
      near.pipe(far).pipe(near);
    });
    this.#server.listen(this.port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.port = (this.#server.address() as AddressInfo).port;
  }

  async cut(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    for (const socket of this.#sockets) socket.destroy();
    this.#sockets.clear();
    if (server !== null) await new Promise((resolve) => server.close(resolve));
  }
}
