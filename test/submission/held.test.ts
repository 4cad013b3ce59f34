/** Messages that a hold will keep from being sent: the reply names the hold. */
import { createTransport } from 'nodemailer';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { GUARD } from '../../src/interventions/holds/guard-findings.ts';
import { placeHold } from '../../src/interventions/holds/store.ts';
import { newId } from '../../src/runtime/ids.ts';
import { sharedApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { idIn, startSubmission, type TestSubmission } from '../support/submission.ts';
import { until } from '../support/until.ts';

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

it('name the guard in the reply where the guard placed the hold, and again when the message is repeated', async () => {
  const guarded = await server.createOrganization('Guarded over SMTP');
  const target = { scope: 'recipient', value: 'b@example.org', organizationId: guarded.id } as const;
  const placed = await placeHold(server.db, { ...target, reason: 'A test.', by: GUARD, byOperator: false });
  // The process that accepts mail may know the hold only after a second.
  const { reply, headers } = await until(
    async () => {
      const own = { 'X-Postrider-Idempotency-Key': newId('key') };
      return { reply: await send(guarded, own), headers: own };
    },
    (sent) => sent.reply.includes('held'),
  );
  expect(await send(guarded, headers)).toBe(reply);
  expect(reply).toMatch(new RegExp(`, held by the guard \\(${placed?.id}\\)$`));
});

it('name none where nothing keeps the mail', async () => {
  const free = await server.createOrganization('Free over SMTP');
  expect(idIn(await send(free))).toBeTypeOf('string');
});
