/** From the client to the recipient's server: what arrives is what was submitted, octet by octet, below what was added. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { eraseFromEmails } from '../../src/emails/store-removal.ts';
import { addressToErase } from '../../src/erasure/erase.ts';
import { exportAddress } from '../../src/erasure/export.ts';
import { SmtpPool } from '../../src/protocols/smtp/pool.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { address } from '../support/addresses.ts';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { nothingMoved } from '../support/content-store.ts';
import { startMailWorker, type TestWorker } from '../support/mail-worker.ts';
import { idIn, startSubmission, type TestSubmission } from '../support/submission.ts';

let server: TestApi;
let org: TestOrganization;
let worker: TestWorker;
let submission: TestSubmission;
const pool = new SmtpPool({ clock: systemClock });

beforeAll(async () => {
  server = await startApi();
  org = await server.createOrganization();
  worker = await startMailWorker(server.database);
  submission = await startSubmission(server.database);
});
afterAll(async () => {
  await pool.stop();
  await submission.stop();
  await worker.stop();
  await server.stop();
});

/** Over our own client, which changes nothing but dots; returns the email's id. */
async function send(mime: Buffer, to: string): Promise<string> {
  const target = {
    host: 'localhost',
    address: '127.0.0.1',
    port: submission.port,
    tls: 'never',
    ehloName: 'x.test',
  } as const;
  const facts = await pool.send(target, { from: `a@${org.domain}`, to, smtpUtf8: false }, mime);
  if (facts.kind !== 'accepted') throw new Error(JSON.stringify(facts));
  return idIn(`250 ${facts.reply.text}`);
}

async function arrived(to: string): Promise<Buffer> {
  const raw = adHoc<{ raw: Buffer }>('SELECT raw FROM sandbox_messages WHERE rcpt_to = $1');
  await expect.poll(async () => (await server.db.many(raw, [to])).length).toBe(1);
  return (await server.db.one(raw, [to])).raw;
}

const head = () =>
  `From: a@${org.domain}\r\nDate: Sun, 15 Nov 2026 02:06:00 +0000\r\nMessage-ID: <${Math.random()}@x>\r\n`;
const bytes = (length: number) => Buffer.from(Array.from({ length }, (_, i) => (i * 7919) % 251));
const wrapped = (data: Buffer) => data.toString('base64').replace(/.{76}/g, '$&\r\n');

const MESSAGES: readonly (readonly [string, () => Buffer])[] = [
  ['dots', () => Buffer.from(`${head()}\r\n.\r\n..\r\n.x\r\n`)],
  [
    'octets above ASCII in the body',
    () =>
      Buffer.concat([
        Buffer.from(
          `${head()}Content-Type: text/plain; charset=windows-1252\r\nContent-Transfer-Encoding: 8bit\r\n\r\n`,
        ),
        Buffer.from('\x80 \xfc \xff\r\n', 'latin1'),
      ]),
  ],
  ['a line of 20,000 characters', () => Buffer.from(`${head()}\r\n${'long '.repeat(4_000)}\r\n`)],
  [
    'a signed message with a file of a megabyte',
    () =>
      Buffer.from(
        `${head()}Content-Type: multipart/signed; boundary="=-x"; protocol="application/pgp-signature"\r\n\r\n` +
          `preamble \t\r\n--=-x\r\nContent-Type: multipart/mixed; boundary=y\r\n\r\n--y\r\n\r\nsigned  \r\n--y\r\nContent-Type: application/zip\r\n` +
          `Content-Transfer-Encoding: base64\r\n\r\n${wrapped(bytes(1_000_000))}\r\n--y--\r\n--=-x\r\nContent-Type: application/pgp-signature\r\n\r\n-----BEGIN PGP SIGNATURE-----\r\n--=-x--\r\nepilogue\r\n\r\n\r\n`,
      ),
  ],
];

it.each(MESSAGES)('%s', async (what, make) => {
  const mime = make();
  const to = `octets-${MESSAGES.findIndex(([name]) => name === what)}@example.org`;
  const id = await send(mime, to);
  const raw = await arrived(to);
  expect(raw.subarray(-mime.length).equals(mime)).toBe(true);
  const added = raw.subarray(0, -mime.length).toString();
  expect(added.match(/^[A-Za-z-]+(?=:)/gm)).toEqual(expect.arrayContaining(['X-Postrider-Ref']));
  const path = `/emails/${id}/raw`;
  const answer = await fetch(`${server.url}/api/v1${path}`, {
    headers: { authorization: `Bearer ${org.key}` },
  });
  expect(Buffer.from(await answer.arrayBuffer()).equals(mime)).toBe(true);
});

it('a message that a local mail server hands on arrives without what that server has added', async () => {
  const rest = `${head()}X-Mailer: x\r\nContent-Type: text/plain\r\n\r\nbody  \r\n`;
  const added =
    'Received: by relay.test (Postfix, from userid 1000)\r\n\tid 4F; Sun, 15 Nov 2026 02:06:00 +0000\r\n' +
    'DKIM-Signature: v=1; d=first.test;\r\n\tb=AAAA\r\nAuthentication-Results: example.org; dmarc=pass\r\n';
  const id = await send(Buffer.from(added + rest), 'handed-on@example.org');
  const raw = (await arrived('handed-on@example.org')).toString();
  expect(raw.endsWith(rest)).toBe(true);
  expect(raw.slice(0, -rest.length)).not.toMatch(/relay\.test|first\.test|dmarc=pass/);
  const kept = await server.api('GET', `/emails/${id}/raw`, undefined, org.key);
  expect(kept.body).toBe(added + rest);
});

it('an email that was sent in parts has no raw form', async () => {
  const body = {
    from: { email: `a@${org.domain}` },
    to: [{ email: 'b@example.org' }],
    subject: 's',
    text: 'x',
  };
  const { data } = (await server.api('POST', '/emails/send', body, org.key)).body;
  const answer = await server.api('GET', `/emails/${data.message_id}/raw`, undefined, org.key);
  expect(answer.status).toBe(404);
  expect(answer.body.error.message).toContain('not submitted as a whole message');
});

it('what was submitted is content: it goes with the erasure of its recipient', async () => {
  const id = await send(Buffer.from(`${head()}Subject: secret\r\n\r\nx\r\n`), 'erased@example.org');
  await arrived('erased@example.org');
  await expect
    .poll(async () => (await server.api('GET', `/emails/${id}`, undefined, org.key)).body.data.status)
    .toBe('delivered');
  const [exported] = (
    await exportAddress(server.db, nothingMoved(server.db), addressToErase(org.id, 'erased@example.org'))
  ).emails;
  expect(Buffer.from(String(exported?.mime), 'base64').toString()).toContain('Subject: secret');
  const renamed = {
    email: address('erased@example.org').email,
    shownAs: address('erased@erased.test').email,
  };
  await eraseFromEmails(server.db, org.id, [id], renamed, Date.now());
  expect((await server.api('GET', `/emails/${id}/raw`, undefined, org.key)).status).toBe(404);
});
