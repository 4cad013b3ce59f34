/** `?dry_run=true` is of our own API: elsewhere it must not be overlooked, or mail is sent that nobody wanted sent. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { sharedApi, type TestApi, type TestOrganization } from '../support/api.ts';

let server: TestApi;
let org: TestOrganization;
beforeAll(async () => {
  server = await sharedApi();
  org = await server.createOrganization();
});
afterAll(() => server.stop());

interface CompatRequest {
  readonly key: () => Record<string, string>;
  /** A form, or what becomes JSON. */
  readonly body: () => unknown;
  readonly refusal: (message: string) => unknown;
}

const TO = 'ada@example.org';
const MESSAGE =
  'This endpoint has no dry_run, and nothing was sent. Use POST /api/v1/emails/send?dry_run=true for a dry run.';
const from = () => `hello@${org.domain}`;
const bearer = () => ({ authorization: `Bearer ${org.key}` });
const asServer = () => ({ 'x-postmark-server-token': org.key });
const basic = () => ({ authorization: `Basic ${Buffer.from(`api:${org.key}`).toString('base64')}` });

const resendMail = () => ({ from: from(), to: TO, subject: 'S', text: 'T' });
const postmarkMail = () => ({ From: from(), To: TO, Subject: 'S', TextBody: 'T' });
const sendgridMail = () => ({
  personalizations: [{ to: [{ email: TO }] }],
  from: { email: from() },
  subject: 'S',
  content: [{ type: 'text/plain', value: 'T' }],
});
const mailgunMail = () => new URLSearchParams({ from: from(), to: TO, subject: 'S', text: 'T' });

const ofResend = (body: () => unknown): CompatRequest => ({
  key: bearer,
  body,
  refusal: (message) => ({ statusCode: 400, name: 'validation_error', message }),
});
const ofPostmark = (body: () => unknown): CompatRequest => ({
  key: asServer,
  body,
  refusal: (Message) => ({ ErrorCode: 300, Message }),
});

const ENDPOINTS: readonly (readonly [path: string, endpoint: CompatRequest])[] = [
  ['/resend/emails', ofResend(resendMail)],
  ['/resend/emails/batch', ofResend(() => [resendMail()])],
  ['/postmark/email', ofPostmark(postmarkMail)],
  ['/postmark/email/batch', ofPostmark(() => [postmarkMail()])],
  [
    '/sendgrid/v3/mail/send',
    {
      key: bearer,
      body: sendgridMail,
      refusal: (message) => ({ errors: [{ message, field: null, help: null }] }),
    },
  ],
  ['/mailgun/v3/DOMAIN/messages', { key: basic, body: mailgunMail, refusal: (message) => ({ message }) }],
];

async function post(path: string, { key, body }: CompatRequest) {
  const sent = body();
  const isForm = sent instanceof URLSearchParams;
  const response = await fetch(`${server.url}/compat${path.replace('DOMAIN', org.domain)}`, {
    method: 'POST',
    headers: { ...(isForm ? {} : { 'content-type': 'application/json' }), ...key() },
    body: isForm ? sent : JSON.stringify(sent),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? null : JSON.parse(text) };
}

function withField(body: unknown, name: string): unknown {
  if (body instanceof URLSearchParams) return new URLSearchParams([...body, [name, 'true']]);
  if (Array.isArray(body)) return body.map((one) => withField(one, name));
  return { ...(body as object), [name]: true };
}

const emails = async () =>
  (await server.db.one(adHoc<{ count: number }>('SELECT count(*) FROM emails'))).count;

describe.each(ENDPOINTS)('POST /compat%s', (path, endpoint) => {
  it('refuses a dry run, and sends nothing', async () => {
    const before = await emails();
    const answer = await post(`${path}?dry_run=true`, endpoint);
    expect(answer).toEqual({ status: 400, body: endpoint.refusal(MESSAGE) });
    expect(await emails()).toBe(before);
  });

  it.each(['dryrun', 'dryRun', 'Dry-Run', 'dry_rum'])('takes %s for the same', async (name) => {
    const before = await emails();
    const misspelt = await post(`${path}?${name}=true`, endpoint);
    const inBody = await post(path, { ...endpoint, body: () => withField(endpoint.body(), name) });
    for (const answer of [misspelt, inBody])
      expect(answer).toEqual({ status: 400, body: endpoint.refusal(MESSAGE) });
    expect(await emails()).toBe(before);
  });

  it('sends the same without it', async () => {
    const before = await emails();
    expect((await post(path, endpoint)).status).toBeLessThan(300);
    expect(await emails()).toBe(before + 1);
  });
});
