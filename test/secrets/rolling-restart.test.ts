/** Keys from the environment, changed as documented: a second key, a rolling restart, `secret rotate`. */
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { codeAt } from '../../src/accounts/users/second-factor.ts';
import { adHoc } from '../../src/database/sql.ts';
import { PrivateKeyBox } from '../../src/domains/signing-keys.ts';
import { countSealed } from '../../src/operations/secret-keys/reseal.ts';
import { parseConfig } from '../../src/runtime/config.ts';
import { loadKeyRing } from '../../src/runtime/key-store.ts';
import { decodedBase32, Person, signUpOwner } from '../accounts/people.ts';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { runCommand } from '../support/command-line.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { sendLetter } from '../support/emails.ts';
import { INBOUND_HOST, startInbound, type TestInbound } from '../support/inbound.ts';
import { startMailWorker, type TestWorker } from '../support/mail-worker.ts';
import { deliveryReport, ReportSender } from '../support/reports.ts';
import { TEST_SECRET_KEY } from '../support/secret-key.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';

const WAIT = { timeout: 20_000, interval: 50 };
const NEW_KEY = 'n'.repeat(43);
const BEFORE = { POSTRIDER_SECRET_KEY: TEST_SECRET_KEY, POSTRIDER_HOSTNAME: INBOUND_HOST };
const AFTER = { ...BEFORE, POSTRIDER_MORE_SECRET_KEYS: NEW_KEY };
const STEP_MS = 30_000;

let database: TestDatabase;
let server: TestApi;
let worker: TestWorker;
let inbound: TestInbound;
let receiver: WebhookReceiver;
let org: TestOrganization;
let owner: Person;
let domainId: string;
let emailId: string;
let returnPath: string;
let hook: { id: string; secret: string };
let hookSecret: string;
let totp: Buffer;
const clock = { aheadMs: 0, nowMs: () => Date.now() + clock.aheadMs };

beforeAll(async () => {
  database = await createTestDatabase();
  server = await startApi({ env: BEFORE, database, clock });
  worker = await startMailWorker(database, BEFORE);
  inbound = await startInbound(database, { env: BEFORE });
  receiver = await startWebhookReceiver();
  org = await server.createOrganization();
  owner = await signUpOwner(server);
  const begun = (await owner.api('POST', '/auth/totp')).body.data;
  totp = decodedBase32(begun.secret);
  await owner.api('POST', '/auth/totp/confirm', { code: codeAt(totp, clock.nowMs()) });
  hook = await call('POST', '/webhooks', { url: `http://127.0.0.1:${receiver.port}/hook` });
  hookSecret = (await call('POST', `/webhooks/${hook.id}/rotate-secret`)).secret;
  domainId = (await call('POST', '/domains', { domain: 'shop.example' })).id;
  emailId = await sendLetter(server, org, { to: [{ email: 'early@example.org' }] });
  returnPath = await returnPathOf('early@example.org');
});
afterAll(async () => {
  await inbound.stop();
  await worker.stop();
  await server.stop();
  await receiver.close();
  await database.drop();
});

// biome-ignore lint/suspicious/noExplicitAny: tests reach into answers of every shape and check what they find
async function call(method: string, path: string, body?: unknown): Promise<any> {
  const answer = await server.api(method, path, body, org.key);
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body.data;
}

async function returnPathOf(to: string): Promise<string> {
  const found = await vi.waitFor(async () => {
    const messages = await call('GET', `/sandbox/messages?to=${to}`);
    expect(messages).toHaveLength(1);
    return messages;
  }, WAIT);
  return (await call('GET', `/sandbox/messages/${found[0].id}`)).return_path;
}

const rotate = (env: Record<string, string>) =>
  runCommand(['secret', 'rotate', '--wait', '5'], { DATABASE_URL: database.url, ...env });

/** Every column that holds these bytes, or one of the texts they are written as. */
async function placesOf(secret: Buffer): Promise<string[]> {
  const columns = await database.db.many(
    adHoc<{ t: string; c: string; binary: boolean }>(
      `SELECT c.relname AS t, a.attname AS c, a.atttypid = 'bytea'::regtype AS binary
       FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
       WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('p', 'r') AND NOT c.relispartition`,
    ),
  );
  const places: string[] = [];
  for (const { t, c, binary } of columns) {
    const [shown, wanted] = binary
      ? [`encode("${c}", 'hex')`, secret.toString('hex')]
      : [`"${c}"::text`, secret.toString('base64')];
    const found = adHoc<{ n: number }>(`SELECT count(*) AS n FROM ${t} WHERE position($1 IN ${shown}) > 0`);
    if ((await database.db.one(found, [wanted])).n > 0) places.push(`${t}.${c}`);
  }
  return places;
}

const bytesOf = (secret: string) => Buffer.from(secret.replace('whsec_', ''), 'base64');

it('no secret that must be read back stands in the database as it is', async () => {
  for (const secret of [totp, bytesOf(hook.secret), bytesOf(hookSecret)])
    expect(await placesOf(secret)).toEqual([]);
  const stored = adHoc<{ private_key: Buffer; public_key: Buffer }>(
    'SELECT private_key, public_key FROM domains WHERE id = $1',
  );
  const { private_key, public_key } = await database.db.one(stored, [domainId]);
  const opened = new PrivateKeyBox(loadKeyRing(parseConfig(BEFORE))).open(domainId, private_key);
  expect(await placesOf(opened.export({ type: 'pkcs8', format: 'der' }))).toEqual([]);
  // It would have been found.
  expect(await placesOf(public_key)).toEqual(['domains.public_key']);
});

describe('keys from the environment', () => {
  it('are rotated only when every process has the new one', async () => {
    const asked = await rotate(BEFORE);
    expect(asked.code).toBe(1);
    expect(asked.out).toContain('POSTRIDER_MORE_SECRET_KEYS');
    await worker.stop();
    worker = await startMailWorker(database, AFTER);
    const tooEarly = await rotate(AFTER);
    expect(tooEarly.code).toBe(1);
    expect(tooEarly.out).toMatch(/Nothing was changed(.|\n)*api on /);
    expect(tooEarly.out).toMatch(/inbound on /);
    expect(tooEarly.out).not.toMatch(/worker on /);

    await server.stop();
    server = await startApi({ env: AFTER, database, clock });
    await inbound.stop();
    inbound = await startInbound(database, { env: AFTER });
    const done = await rotate(AFTER);
    expect(done, done.out).toMatchObject({ code: 0 });
    expect((await countSealed(database.db)).size).toBe(1);
    const ring = loadKeyRing(parseConfig({ POSTRIDER_SECRET_KEY: NEW_KEY }));
    expect([...(await countSealed(database.db)).keys()]).toEqual([ring.current.id]);
  });

  it('let people sign in with a code afterwards', async () => {
    const person = new Person(server, owner.email);
    clock.aheadMs += STEP_MS;
    expect((await person.signIn()).body.error.code).toBe('TOTP_REQUIRED');
    expect((await person.signIn(undefined, codeAt(totp, clock.nowMs()))).status).toBe(200);
    clock.aheadMs = 0;
  });

  it('let webhooks be verified with the secrets from before, the previous one included', async () => {
    const { id } = await call('POST', `/webhooks/${hook.id}/test`);
    const [webhook] = await receiver.waitFor(1, (one) => one.headers['webhook-id'] === id);
    for (const secret of [hook.secret, hookSecret])
      expect(new Webhook(secret).verify(webhook?.text ?? '', webhook?.headers ?? {})).toEqual(webhook?.body);
  });

  it('let a late bounce to a return path from before be taken and recorded', async () => {
    const sender = new ReportSender();
    expect((await sender.send(inbound.port, returnPath, deliveryReport())).kind).toBe('accepted');
    await sender.stop();
    await expect.poll(async () => (await call('GET', `/emails/${emailId}`)).status, WAIT).toBe('bounced');
  });

  it('sign new return paths with the new key, which alone is enough from then on', async () => {
    await sendLetter(server, org, { to: [{ email: 'late@example.org' }] });
    const path = await returnPathOf('late@example.org');
    const alone = await startInbound(database, { env: { ...BEFORE, POSTRIDER_SECRET_KEY: NEW_KEY } });
    const sender = new ReportSender();
    expect((await sender.send(alone.port, path, deliveryReport())).kind).toBe('accepted');
    expect((await sender.send(alone.port, returnPath, deliveryReport())).kind).toBe('refused');
    await sender.stop();
    await alone.stop();
  });
});
