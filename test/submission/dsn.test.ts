/** Clients that ask for delivery status notifications (RFC 3461). */
import { createTransport } from 'nodemailer';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { RawSession } from '../sandbox/raw-session.ts';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { idIn, startSubmission, type TestSubmission } from '../support/submission.ts';

let server: TestApi;
let org: TestOrganization;
let submission: TestSubmission;

beforeAll(async () => {
  server = await startApi();
  org = await server.createOrganization();
  submission = await startSubmission(server.database);
});
afterAll(async () => {
  await submission.stop();
  await server.stop();
});

it('sends the mail of nodemailer with all options of dsn', async () => {
  const transport = createTransport({
    host: '127.0.0.1',
    port: submission.port,
    auth: { user: 'x', pass: org.key },
  });
  const sent = await transport.sendMail({
    from: `a@${org.domain}`,
    to: 'b@example.org',
    subject: 'Tell me',
    text: 'x',
    dsn: {
      id: 'order 42+1',
      return: 'headers',
      notify: ['success', 'failure', 'delay'],
      recipient: 'original+list@example.org',
    },
  });
  expect(idIn(sent.response)).toBeTypeOf('string');
});

it.each([
  ['MAIL', 'RET=SOME', '501 5.5.4'],
  ['MAIL', 'ENVID=a=b', '501 5.5.4'],
  ['MAIL', 'RET=FULL RET=HDRS', '501 5.5.4'],
  ['MAIL', 'RET=HDRS ENVID=abc', '250 2.1.0'],
  ['MAIL', 'NOTIFY=NEVER', '555 5.5.4'],
  ['RCPT', 'NOTIFY=ALWAYS', '501 5.5.4'],
  ['RCPT', 'NOTIFY=NEVER,FAILURE', '501 5.5.4'],
  ['RCPT', 'ORCPT=b@example.org', '501 5.5.4'],
  ['RCPT', 'NOTIFY=NEVER ORCPT=rfc822;b@example.org', '250 2.1.5'],
  ['RCPT', 'RET=FULL', '555 5.5.4'],
])('answers %s with %s by %s', async (command, parameters, expected) => {
  const session = await RawSession.open(submission.port);
  const mail = `MAIL FROM:<a@${org.domain}>`;
  session.write(
    command === 'MAIL' ? `${mail} ${parameters}\r\n` : `${mail}\r\nRCPT TO:<b@example.org> ${parameters}\r\n`,
  );
  const replies = await session.replies(command === 'MAIL' ? 1 : 2);
  expect(replies.at(-1)).toMatch(new RegExp(`^${expected}`));
  session.end();
});
