/** How long 90 repeats take that arrive together, as they do after an outage, beside 90 new messages. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { RawSession } from '../sandbox/raw-session.ts';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { startSubmission, type TestSubmission } from '../support/submission.ts';

const MANY = 90;
/** The quickest round counts: other work on the machine only makes a round slower. */
const ROUNDS = 5;
/** A repeat that undid the commit of others took ten times as long. On a busy machine two measurements of the same differ by half. */
const FACTOR = 2;
const TIMEOUT_MS = 300_000;

let server: TestApi;
let submission: TestSubmission;
let org: TestOrganization;
beforeAll(async () => {
  server = await startApi();
  submission = await startSubmission(server.database);
  org = await server.createOrganization();
});
afterAll(async () => {
  await submission.stop();
  await server.stop();
});

const names = (round: number) => Array.from({ length: MANY }, (_, n) => `${round}-${n}`);

async function msOf(work: () => Promise<unknown>): Promise<number> {
  const beganMs = performance.now();
  await work();
  return performance.now() - beganMs;
}

async function sendOverHttp(round: number): Promise<number> {
  const send = async (name: string) => {
    const response = await fetch(`${server.url}/api/v1/emails/send`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${org.key}`,
        'content-type': 'application/json',
        'idempotency-key': name,
      },
      body: JSON.stringify({
        from: { email: `a@${org.domain}` },
        to: [{ email: 'b@example.org' }],
        subject: name,
        text: 'Hello',
      }),
    });
    expect(response.status).toBe(201);
    await response.text();
  };
  return msOf(() => Promise.all(names(round).map(send)));
}

/** Each over a connection of its own, which waits for the message when the time begins. */
async function sendOverSmtp(round: number): Promise<number> {
  const login = Buffer.from(`\0x\0${org.key}`).toString('base64');
  const sessions = await Promise.all(
    names(round).map(async () => {
      const session = await RawSession.open(submission.port);
      for (const line of [
        `AUTH PLAIN ${login}`,
        `MAIL FROM:<a@${org.domain}>`,
        'RCPT TO:<b@example.org>',
        'DATA',
      ]) {
        session.write(`${line}\r\n`);
        await session.replies(1);
      }
      return session;
    }),
  );
  const send = async (name: string, n: number) => {
    const session = sessions[n] as RawSession;
    const header = [`From: a@${org.domain}`, `Message-ID: <${name}@x>`, `Subject: ${name}`];
    session.write(`${header.join('\r\n')}\r\n\r\nHello\r\n.\r\n`);
    expect((await session.replies(1))[0]).toMatch(/^250 /);
    session.end();
  };
  return msOf(() => Promise.all(names(round).map(send)));
}

it.each([
  ['HTTP', sendOverHttp],
  ['SMTP', sendOverSmtp],
])(
  '90 repeats over %s take less than twice as long as 90 new messages',
  async (protocol, send) => {
    await send(-1); // opens connections, and makes the caches know the key
    const fresh: number[] = [];
    const repeated: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      fresh.push(await send(round));
      repeated.push(await send(round));
    }
    const [newMs, againMs] = [Math.min(...fresh), Math.min(...repeated)];
    process.stdout.write(
      `90 messages over ${protocol}: ${Math.round(newMs)} ms new, ${Math.round(againMs)} ms repeated.\n`,
    );
    expect(againMs).toBeLessThanOrEqual(newMs * FACTOR);
  },
  TIMEOUT_MS,
);
