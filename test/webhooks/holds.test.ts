/** After a restore webhooks wait with the mail: what they tell was mostly told before. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { runCommand } from '../support/command-line.ts';
import { sendLetter } from '../support/emails.ts';
import { startMailWorker, type TestWorker } from '../support/mail-worker.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';

let server: TestApi;
let org: TestOrganization;
let receiver: WebhookReceiver;
let worker: TestWorker;

beforeAll(async () => {
  server = await startApi();
  org = await server.createOrganization();
  receiver = await startWebhookReceiver();
});
afterAll(async () => {
  await receiver.close();
  await worker?.stop();
  await server.stop();
});

const run = (...argv: string[]) => runCommand(argv, { DATABASE_URL: server.database.url });

it('are sent when a hold of everything with webhooks is released, and not before', async () => {
  await server.api('POST', '/webhooks', { url: `http://127.0.0.1:${receiver.port}/hook` }, org.key);
  await run('hold', 'all', '--reason', 'looking into it');
  expect((await run('hold', 'all', '--with-webhooks', '--reason', 'recovered')).code).toBe(0);
  await sendLetter(server, org, {});
  worker = await startMailWorker(server.database, {});
  const asked = await run('release');
  expect(asked.err).toContain('Webhooks that would be sent in any case: 1.');
  expect(receiver.received).toEqual([]);
  const { out } = await run('release', '--yes', '--json');
  const releasedAt = JSON.parse(out).decision.at;
  const [first] = await receiver.waitFor(3, ({ path }) => path === '/hook');
  expect(first?.body.type).toBe('email.queued');
  expect(Number(first?.headers['webhook-timestamp']) + 1).toBeGreaterThan(Date.parse(releasedAt) / 1000);
});

it('can be held all together alone', async () => {
  const { code, err } = await run('hold', 'organization', org.id, '--with-webhooks', '--reason', 'x');
  expect(code).toBe(2);
  expect(err).toContain('--with-webhooks works with `hold all` only');
});

it('tell of mail that a hold keeps, with the id of the hold and its reason', async () => {
  const placed = await server.api(
    'POST',
    '/holds',
    { scope: 'organization', reason: 'Wrong prices.' },
    org.key,
  );
  const holdId = placed.body.data.id;
  const id = await sendLetter(server, org, {});
  const isHeld = ({ body }: { body: { type: string } }) => body.type === 'email.held';
  const [received] = await receiver.waitFor(1, isHeld);
  expect(received?.body.data).toMatchObject({
    type: 'held',
    email_id: id,
    recipient: expect.stringContaining('@'),
    reason: null,
    hold: { id: holdId, reason: 'Wrong prices.' },
  });
  const { body } = await server.api('GET', `/emails/${id}`, undefined, org.key);
  expect(body.data.events.at(-1)).toMatchObject({ type: 'held', hold: body.data.hold });
  await server.api('POST', `/holds/${holdId}/release`, {}, org.key);
});
