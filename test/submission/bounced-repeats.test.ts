/** A message that is sent again after its recipient has bounced: at RCPT nobody can know yet that the message is a repeat. */
import { createTransport } from 'nodemailer';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { applySignals } from '../../src/suppressions/automatic.ts';
import { address } from '../support/addresses.ts';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { startMailWorker, type TestWorker } from '../support/mail-worker.ts';
import { idIn, startSubmission, type TestSubmission } from '../support/submission.ts';

const BOUNCING = 'bounced@example.org';

let server: TestApi;
let worker: TestWorker;
let submission: TestSubmission;
let org: TestOrganization;

beforeAll(async () => {
  server = await startApi();
  worker = await startMailWorker(server.database);
  submission = await startSubmission(server.database);
});
afterAll(async () => {
  await submission.stop();
  await worker.stop();
  await server.stop();
});
beforeEach(async () => {
  org = await server.createOrganization();
});

const send = (messageId: string, to: string | string[] = BOUNCING) =>
  createTransport({
    host: '127.0.0.1',
    port: submission.port,
    auth: { user: 'x', pass: org.key },
  }).sendMail({ from: `a@${org.domain}`, to, subject: messageId, text: 'x', messageId, date: new Date(0) });

/** Sends a message, and records that its recipient bounced. */
async function sendAndBounce(messageId: string): Promise<string> {
  const emailId = idIn((await send(messageId)).response);
  const bounced = { organizationId: org.id, emailId, recipient: address(BOUNCING).email, atMs: Date.now() };
  await server.db.transaction((tx) =>
    applySignals(tx, [{ ...bounced, signal: 'hard_bounce', cause: 'mailbox_not_found' }]),
  );
  return emailId;
}

it('gets the id of the first time', async () => {
  const id = await sendAndBounce('<first@example.org>');
  expect(idIn((await send('<first@example.org>')).response)).toBe(id);
});

it('is told apart from a new message, which is refused after DATA', async () => {
  await sendAndBounce('<first@example.org>');
  await expect(send('<new@example.org>')).rejects.toMatchObject({
    command: 'DATA',
    response: `550 5.1.1 ${BOUNCING} is on the suppression list`,
  });
});

it('leaves other recipients of a new message their mail', async () => {
  await sendAndBounce('<first@example.org>');
  const { response } = await send('<both@example.org>', [BOUNCING, 'well@example.org']);
  const state = adHoc<{ state: string }>(
    'SELECT state FROM recipients WHERE email_id = $1 ORDER BY position',
  );
  await expect
    .poll(async () => (await server.db.many(state, [idIn(response)])).map((one) => one.state))
    .toEqual(['failed', 'delivered']);
});

it('is refused at RCPT once the address has been suppressed for a day', async () => {
  await sendAndBounce('<first@example.org>');
  await server.db.exec(
    adHoc(`UPDATE suppressions SET created_at = created_at - interval '25 hours' WHERE organization_id = $1`),
    [org.id],
  );
  await expect(send('<new@example.org>')).rejects.toMatchObject({ command: 'RCPT TO', responseCode: 550 });
});
