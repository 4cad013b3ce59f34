/** Messages that clients send again, many at once, as they do after an outage. */
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { idIn, startSubmission, type TestSubmission } from '../support/submission.ts';
import { transactionsDuring } from '../support/transactions.ts';

const MANY = 90;
/**
 * The slower the machine, the fewer repeats share a look-up. In the worst case each repeat has a transaction of its own. Timers of
 * the three servers add a few.
 */
const MORE_COMMITS = MANY + 40;

let server: TestApi;
let submission: TestSubmission;
let other: TestSubmission;
let org: TestOrganization;

beforeAll(async () => {
  server = await startApi();
  submission = await startSubmission(server.database);
  other = await startSubmission(server.database);
});
afterAll(async () => {
  await other.stop();
  await submission.stop();
  await server.stop();
});
beforeEach(async () => {
  org = await server.createOrganization();
});

interface Session {
  /** Sends a command or a message, and resolves to the reply. */
  say(text: string): Promise<string>;
  close(): void;
}

async function openSession(port: number): Promise<Session> {
  const socket: Socket = connect(port, '127.0.0.1');
  socket.setEncoding('latin1');
  let came = '';
  let notifyReader: () => void = () => undefined;
  socket.on('data', (text: string) => {
    came += text;
    notifyReader();
  });
  const reply = async (): Promise<string> => {
    for (;;) {
      const match = /^(?:\d{3}-[^\r]*\r\n)*\d{3} [^\r]*\r\n/.exec(came);
      if (match !== null) {
        came = came.slice(match[0].length);
        return match[0];
      }
      await new Promise<void>((resolve) => {
        notifyReader = resolve;
      });
    }
  };
  await reply();
  return {
    say: (text) => {
      socket.write(`${text}\r\n`);
      return reply();
    },
    close: () => socket.destroy(),
  };
}

/** Up to the point where the server waits for the message. */
async function beforeTheMessage(port: number, to = 'b@example.org'): Promise<Session> {
  const session = await openSession(port);
  await session.say('EHLO x.test');
  await session.say(`AUTH PLAIN ${Buffer.from(`\0x\0${org.key}`).toString('base64')}`);
  await session.say(`MAIL FROM:<a@${org.domain}>`);
  await session.say(`RCPT TO:<${to}>`);
  expect(await session.say('DATA')).toMatch(/^354 /);
  return session;
}

const message = (name: number | string) =>
  [`From: a@${org.domain}`, `Message-ID: <${name}@x>`, `Subject: ${name}`, '', 'Hello', '.'].join('\r\n');

/** All of them at the same moment, each over a connection of its own; returns their ids, and what the database did. */
async function sendTogether(names: readonly (number | string)[], ports = [submission.port]) {
  const sessions = await Promise.all(
    names.map((_, index) => beforeTheMessage(ports[index % ports.length] as number)),
  );
  let replies: string[] = [];
  const transactions = await transactionsDuring(server.database, async () => {
    replies = await Promise.all(
      sessions.map((session, index) => session.say(message(names[index] as string))),
    );
  });
  for (const session of sessions) session.close();
  return { ids: replies.map(idIn), ...transactions };
}

const stored = async () => {
  const count = adHoc<{ count: number }>('SELECT count(*) AS count FROM emails WHERE organization_id = $1');
  return (await server.db.one(count, [org.id])).count;
};
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);

it('get the ids of the first time, with no transaction rolled back and at most one commit each', async () => {
  const first = await sendTogether(range(0, MANY));
  const again = await sendTogether(range(0, MANY));
  expect(again.ids).toEqual(first.ids);
  expect(again.rollbacks).toBe(0);
  expect(again.commits).toBeLessThanOrEqual(first.commits + MORE_COMMITS);
  expect(await stored()).toBe(MANY);
});

it('do not undo the commit of new messages that arrive with them', async () => {
  const before = await sendTogether(range(0, 10));
  const mixed = await sendTogether(range(0, MANY));
  expect(mixed.ids.slice(0, 10)).toEqual(before.ids);
  expect(mixed.rollbacks).toBe(0);
  expect(await stored()).toBe(MANY);
});

it('are accepted once when they arrive at the same moment', async () => {
  const together = await sendTogether(range(0, MANY).map((name) => name % 10));
  expect(new Set(together.ids).size).toBe(10);
  expect(together.rollbacks).toBe(0);
  expect(await stored()).toBe(10);
});

it('are accepted once when they arrive at two processes at the same moment', async () => {
  const twice = range(0, 2 * 40).map((name) => Math.floor(name / 2));
  const together = await sendTogether(twice, [submission.port, other.port]);
  expect(new Set(together.ids).size).toBe(40);
  expect(together.rollbacks).toBe(0);
  expect(await stored()).toBe(40);
});

it('of a message with another Date are other messages, and are refused under a key of their own', async () => {
  const sent = async (...fields: string[]) => {
    const session = await beforeTheMessage(submission.port);
    const head = [`From: a@${org.domain}`, 'Message-ID: <dated@x>', ...fields];
    const said = await session.say([...head, '', 'Hello', '.'].join('\r\n'));
    session.close();
    return said;
  };
  const [early, late] = ['Date: Sun, 15 Nov 2026 02:06:00 +0000', 'Date: Sun, 15 Nov 2026 02:06:01 +0000'];
  expect(idIn(await sent(early))).toBe(idIn(await sent(early)));
  expect(idIn(await sent(late))).not.toBe(idIn(await sent(early)));
  const key = 'X-Postrider-Idempotency-Key: dated';
  expect(await sent(early, key)).toMatch(/^250 /);
  expect(await sent(late, key)).toMatch(/^554 5\.6\.0 This idempotency key was used with another message/);
});
