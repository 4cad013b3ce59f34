/** Messages that a hold will keep from being sent: the reply names the hold. */
import { createTransport } from 'nodemailer';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sharedApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { idIn, startSubmission, type TestSubmission } from '../support/submission.ts';

let server: TestApi;
let submission: TestSubmission;
let org: TestOrganization;
let holdId: string;
beforeAll(async () => {
  server = await sharedApi();
  org = await server.createOrganization('Held over SMTP');
  const hold = { scope: 'organization', reason: 'Wrong prices.' };
  holdId = (await server.api('POST', '/holds', hold, org.key)).body.data.id;
  submission = await startSubmission(server.database);
});
afterAll(() => submission.stop());

async function send(
  { key, domain }: TestOrganization,
  headers: Readonly<Record<string, string>> = {},
): Promise<string> {
  const sent = await createTransport({
    host: '127.0.0.1',
    port: submission.port,
    auth: { user: 'x', pass: key },
  }).sendMail({
    from: `a@${domain}`,
    to: 'b@example.org',
    subject: 'Prices',
    text: 'x',
    messageId: '<prices@example.org>',
    date: new Date(0),
    headers,
  });
  return sent.response;
}

it('name the hold in the reply, and again when the message is repeated', async () => {
  const first = await send(org);
  expect(first).toMatch(new RegExp(`^250 2\\.0\\.0 Ok: queued as [0-9a-f-]{36}, held by ${holdId}$`));
  expect(await send(org)).toBe(first);
  const keyed = await send(org, { 'X-Postrider-Idempotency-Key': 'prices' });
  expect(keyed).toContain(`, held by ${holdId}`);
  expect(await send(org, { 'X-Postrider-Idempotency-Key': 'prices' })).toBe(keyed);
});

it('name none where nothing keeps the mail', async () => {
  const free = await server.createOrganization('Free over SMTP');
  expect(idIn(await send(free))).toBeTypeOf('string');
});
