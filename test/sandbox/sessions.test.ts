/** How many recipients, refusals and connections the sandbox's receiver takes. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
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

const rowsOf = adHoc<{ rcpt_to: string }>('SELECT rcpt_to FROM sandbox_messages WHERE email_id = $1');

describe('a session of the receiver', () => {
  it('stores one message for each of 100 recipients, and refuses the next recipient for now', async () => {
    const delivery = newDelivery();
    const session = await RawSession.open(fixture.receiver.port);
    const commands = Array.from({ length: 101 }, (_, i) => `RCPT TO:<r${i}@b.test>\r\n`).join('');
    session.write(`MAIL FROM:<${fixture.returnPathOf(delivery)}>\r\n${commands}DATA\r\n`);
    const replies = await session.replies(103);
    expect(replies[100]).toMatch(/^250 /);
    expect(replies[101]).toMatch(/^452 4\.5\.3 /);
    session.write(`${MESSAGE}.\r\n`);
    expect((await session.replies(1))[0]).toMatch(/^250 /);
    const rows = await database.db.many(rowsOf, [delivery.emailId]);
    expect(rows.map((row) => row.rcpt_to).sort()).toEqual(
      Array.from({ length: 100 }, (_, i) => `r${i}@b.test`).sort(),
    );
    session.end();
  });

  it('stores one message for a recipient that is named twice', async () => {
    const delivery = newDelivery();
    const session = await RawSession.open(fixture.receiver.port);
    session.write(
      `MAIL FROM:<${fixture.returnPathOf(delivery)}>\r\nRCPT TO:<a@b.test>\r\nRCPT TO:<A@B.test>\r\nDATA\r\n`,
    );
    await session.replies(4);
    session.write(`${MESSAGE}.\r\n`);
    expect((await session.replies(1))[0]).toMatch(/^250 /);
    expect(await database.db.many(rowsOf, [delivery.emailId])).toHaveLength(1);
    session.end();
  });

  it('goes on with a session in which many recipients were refused', async () => {
    const session = await RawSession.open(fixture.receiver.port);
    const refused = `MAIL FROM:<${fixture.returnPathOf(newDelivery())}>\r\nRCPT TO:<bounced@simulator.test>\r\nDATA\r\nRSET\r\n`;
    session.write(refused.repeat(300));
    const codes = (await session.replies(1_200)).map((reply) => reply.slice(0, 3));
    expect(codes).toEqual(Array.from({ length: 300 }, () => ['250', '550', '554', '250']).flat());
    session.end();
  });

  it('has room for 1,000 connections, and turns the next away', async () => {
    const sandbox = new SandboxFixture(database.db);
    await sandbox.start();
    const open = () => RawSession.connect(sandbox.receiver.port);
    const sessions = await Promise.all(Array.from({ length: 1_000 }, open));
    expect(sessions.filter(({ banner }) => !banner.startsWith('220 '))).toEqual([]);
    expect((await open()).banner).toMatch(/^421 4\.3\.2 /);
    for (const session of sessions) session.end();
    await sandbox.stop();
  });
});
