/**
 * The largest requests and messages that did hold an event loop for long, against the real API and the real submission server in
 * this process. Their answers are awaited, so that what follows an answer (the log of refused requests) counts, too.
 */
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RawSession } from '../sandbox/raw-session.ts';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { startSubmission, type TestSubmission } from '../support/submission.ts';
import { bestSliceMs, LIMIT_MS } from './measure.ts';
import { repeated } from './shapes.ts';

const MEBIBYTE = 1024 * 1024;

let server: TestApi;
let submission: TestSubmission;
let org: TestOrganization;

beforeAll(async () => {
  server = await startApi();
  org = await server.createOrganization();
  submission = await startSubmission(server.database);
});
afterAll(async () => {
  await submission.stop();
  await server.stop();
});

interface Answered {
  readonly status: number;
  readonly text: string;
}

function post(path: string, type: string, body: Buffer): Promise<Answered> {
  const headers = {
    authorization: path.includes('mailgun') ? `Basic ${btoa(`api:${org.key}`)}` : `Bearer ${org.key}`,
    'x-postmark-server-token': org.key,
    'content-type': type,
    'content-length': String(body.length),
  };
  return new Promise((resolve, reject) => {
    const asking = request(server.url + path, { method: 'POST', headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    asking.on('error', reject);
    asking.end(body);
  });
}

/** The answer, once the longest time that it held the event loop was short enough. */
async function quickly<T>(ask: () => Promise<T>): Promise<T> {
  let answer: T | undefined;
  const best = await bestSliceMs(async () => {
    answer = await ask();
  });
  expect(best).toBeLessThanOrEqual(LIMIT_MS);
  return answer as T;
}

const askJson = (path: string, body: unknown) => {
  const bytes = Buffer.from(JSON.stringify(body));
  return quickly(() => post(path, 'application/json', bytes));
};

type FormFields = readonly (readonly [name: string, content: string])[];

const askForm = (route: string, fields: FormFields) => {
  const parts = fields.map(
    ([name, content]) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${content}\r\n`,
  );
  const bytes = Buffer.from(`${parts.join('')}--b--\r\n`);
  return quickly(() =>
    post(`/compat/mailgun/v3/${org.domain}/${route}`, 'multipart/form-data; boundary=b', bytes),
  );
};

const submit = (message: Buffer) =>
  quickly(async () => {
    const session = await RawSession.open(submission.port);
    session.write(`MAIL FROM:<a@${org.domain}>\r\nRCPT TO:<b@example.org>\r\nDATA\r\n`);
    await session.replies(3);
    session.write(message);
    session.write('\r\n.\r\n');
    const [reply] = await session.replies(1);
    session.end();
    return reply;
  });

const from = () => `a@${org.domain}`;
const head = (more = '') => `From: ${from()}\r\nSubject: s\r\n${more}\r\n`;
const addresses = (count: number) => Array.from({ length: count }, (_, i) => `b${i}@example.org`);

describe('SendGrid', () => {
  const mail = (personalizations: readonly object[], html: string) => ({
    from: { email: from() },
    subject: 's',
    content: [{ type: 'text/html', value: html }],
    personalizations,
  });
  const send = (body: object) => askJson('/compat/sendgrid/v3/mail/send', body);
  const hostileNames = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`${'a'.repeat(i)}ab`, 'x']));

  it('puts a hundred substitutions into a large text', async () => {
    const to = [{ to: [{ email: 'b@example.org' }], substitutions: hostileNames }];
    expect(await send(mail(to, 'a'.repeat(1_900_000)))).toMatchObject({ status: 202 });
  });

  it('refuses more copies of a text than may be stored, and names the field and the limit', async () => {
    const to = addresses(1_000).map((email) => ({ to: [{ email }], substitutions: hostileNames }));
    const { status, text } = await send(mail(to, 'a'.repeat(1_900_000)));
    expect(status).toBe(413);
    expect(JSON.parse(text).errors).toEqual([
      { field: 'personalizations', message: expect.stringContaining('64 MiB'), help: null },
    ]);
  });

  it('refuses names that are longer than SendGrid takes', async () => {
    const names = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`${i}${'a'.repeat(600)}`, 'x']));
    const { status, text } = await send(
      mail([{ to: [{ email: 'b@example.org' }], substitutions: names }], 'a'),
    );
    expect(status).toBe(400);
    expect(JSON.parse(text).errors).toEqual([
      { field: 'personalizations[0].substitutions', message: expect.stringContaining('10000'), help: null },
    ]);
  });

  it('sends a thousand personalizations of a text', async () => {
    const to = addresses(1_000).map((email) => ({ to: [{ email }], substitutions: { '-name-': email } }));
    expect(await send(mail(to, 'Hello -name-! '.repeat(2_500)))).toMatchObject({ status: 202 });
  });
});

describe('Mailgun', () => {
  it('refuses more copies of a text than may be stored', async () => {
    const to = addresses(50);
    const fields: FormFields = [
      ...to.map((email) => ['to', email] as const),
      ['from', from()],
      ['subject', 's'],
      ['html', '%recipient.'.repeat(160_000)],
      ['recipient-variables', JSON.stringify(Object.fromEntries(to.map((email) => [email, { a: 1 }])))],
    ];
    const { status, text } = await askForm('messages', fields);
    expect([status, JSON.parse(text).message]).toEqual([413, expect.stringMatching(/^to: .*64 MiB/)]);
  });

  it('refuses lists of recipients that nobody has', async () => {
    const to = Array.from({ length: 300 }, () => ['to', 'a@b.example,'.repeat(5_250)] as const);
    const { status, text } = await askForm('messages', [...to, ['from', from()], ['subject', 's']]);
    expect([status, JSON.parse(text).message]).toEqual([400, 'to: must not be larger than 512 KiB']);
  });

  it('takes a whole message of empty lines', async () => {
    const message = `From: ${from()}\nSubject: s\n\n${'\n'.repeat(10_000_000)}`;
    expect(
      await askForm('messages.mime', [
        ['to', 'b@example.org'],
        ['message', message],
      ]),
    ).toMatchObject({
      status: 200,
    });
  });

  it('refuses thousands of categories in X-SMTPAPI', async () => {
    const message = `${head(`X-SMTPAPI: {"category":[${'"a",'.repeat(50_000)}"a"]}\r\n`)}x`;
    const { status, text } = await askForm('messages.mime', [
      ['to', 'b@example.org'],
      ['message', message],
    ]);
    expect([status, JSON.parse(text).message]).toEqual([400, 'X-SMTPAPI must have at most 10 items.']);
  });
});

describe('Postmark', () => {
  it('answers a batch of messages with thousands of recipients each', async () => {
    const one = { From: from(), To: 'a@b.example,'.repeat(5_400), Subject: 's', TextBody: 't' };
    const { status, text } = await askJson('/compat/postmark/email/batch', Array(300).fill(one));
    expect([status, JSON.parse(text)[299].ErrorCode]).toEqual([200, 300]);
  });

  it('takes a file whose base64 has a line end behind every character', async () => {
    const Attachments = [{ Name: 'a', Content: 'A\n'.repeat(6_000_000), ContentType: 'text/plain' }];
    const message = { From: from(), To: 'b@example.org', Subject: 's', TextBody: 't', Attachments };
    expect(await askJson('/compat/postmark/email', message)).toMatchObject({ status: 200 });
  });
});

describe('Resend', () => {
  it('refuses a hundred lists of recipients', async () => {
    const to = Array(101).fill('a@b.example,'.repeat(5_400));
    const body = { from: from(), to, subject: 's', text: 't' };
    expect(await askJson('/compat/resend/emails', body)).toMatchObject({ status: 422 });
  });
});

describe('submission over SMTP', () => {
  const body = (text: string) => repeated(text, head('\r\n'))(19 * MEBIBYTE);

  it('refuses a bare LF behind millions of lines, and names its line', async () => {
    expect(await submit(Buffer.concat([body('\r\n'), Buffer.from('a\n')]))).toMatch(
      /LF without CR in line 996\d{4}/,
    );
  });

  it('takes millions of lines that begin with a dot', async () => {
    expect(await submit(body('..\r\n'))).toMatch(/^250 /);
  });

  it('takes a message of base64', async () => {
    expect(await submit(body(`${'QUJD'.repeat(19)}\r\n`))).toMatch(/^250 /);
  });

  it('refuses thousands of categories in X-SMTPAPI', async () => {
    const categories = `X-SMTPAPI: {"category":[${'\r\n "a",'.repeat(30_000)}"a"]}\r\n`;
    expect(await submit(Buffer.from(`${head(categories)}x`))).toBe(
      '554 5.6.0 X-SMTPAPI must have at most 10 items.',
    );
  });

  it('takes a header with thousands of addresses that are not ASCII', async () => {
    const to = `To: ${'é@é.example,\r\n '.repeat(12_000)}c@d.example\r\n`;
    expect(await submit(Buffer.from(`${head(to)}x`))).toMatch(/^250 /);
  });
});
