/** Requests of an attacker or a broken program. Every request gets an answer, and nothing is stored. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { fieldsOf, letter, NOTHING_STORED, storedRows } from '../support/emails.ts';

let server: TestApi;
let org: TestOrganization;
beforeAll(async () => {
  server = await startApi();
  org = await server.createOrganization();
});
afterAll(() => server.stop());
afterEach(async () => expect(await storedRows(server.db)).toEqual(NOTHING_STORED));

const send = (changes: Record<string, unknown>) =>
  server.api('POST', '/emails/send', letter(org, changes), org.key);

/** Sends raw bytes with custom headers. */
async function sendRaw(body: string | Buffer, headers: Record<string, string> = {}): Promise<Answer> {
  const response = await fetch(`${server.url}/api/v1/emails/send`, {
    method: 'POST',
    headers: { authorization: `Bearer ${org.key}`, 'content-type': 'application/json', ...headers },
    body,
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

function expectRefusal(answer: Answer, ...fields: string[]): void {
  expect(answer.status).toBe(400);
  expect(answer.body.error.code).toBe('VALIDATION_ERROR');
  expect(fieldsOf(answer)).toEqual(fields);
}

function file(changes: Record<string, unknown>) {
  return { attachments: [{ filename: 'a', content: 'eA==', ...changes }] };
}

describe('too much', () => {
  it('of a subject: 10 MB', async () => {
    expectRefusal(await send({ subject: 'x'.repeat(10_000_000) }), 'subject');
  });

  it('of an address: a megabyte', async () => {
    expectRefusal(await send({ to: [{ email: `${'a'.repeat(1_000_000)}@example.org` }] }), 'to[0].email');
  });

  it.each([
    ['a local part of 65 characters', `${'a'.repeat(65)}@example.org`],
    ['a label of 64 characters', `a@${'b'.repeat(64)}.org`],
    ['255 characters in all', `a@${'b.'.repeat(125)}org`],
  ])('of an address: %s', async (_what, email) => {
    expectRefusal(await send({ to: [{ email }] }), 'to[0].email');
  });

  it('of recipients: 60', async () => {
    const to = Array.from({ length: 60 }, (_, i) => ({ email: `r${i}@example.org` }));
    expectRefusal(await send({ to }), 'to');
  });

  it('of recipients: a million', async () => {
    const to = Array.from({ length: 1_000_000 }, () => ({}));
    const answer = await send({ to });
    expect(answer.status).toBe(400);
    expect(fieldsOf(answer).length).toBeLessThanOrEqual(50);
  });

  it('of headers: nineteen hundred', async () => {
    const headers = Object.fromEntries(Array.from({ length: 1_900 }, (_, i) => [`X-${i}`, 'x']));
    expectRefusal(await send({ headers }), 'headers');
  });

  it('of fields in one object: 1.4 million, said before they are parsed', async () => {
    const fields = Array.from({ length: 1_400_000 }, (_, i) => `"${i}":1`).join();
    const answer = await sendRaw(`{${fields}}`, { 'idempotency-key': 'wide' });
    expectRefusal(answer, 'body');
    expect(answer.body.error.message).toContain('an object in the body has more than 2000 fields');
  });

  it('of values: a list of half a million', async () => {
    const answer = await sendRaw(`{"to":[${'0,'.repeat(500_000)}0]}`);
    expectRefusal(answer, 'body');
    expect(answer.body.error.message).toContain('the body holds more than 400000 values');
  });

  it('of line breaks: 20 MiB, of which it says where it ends', async () => {
    const answer = await sendRaw('\n'.repeat(20 * 1024 * 1024));
    expectRefusal(answer, 'body');
    expect(answer.body.error.message).toContain('character 20971521');
  });

  it('of a header name: a megabyte, which is not repeated whole', async () => {
    const answer = await send({ headers: { [`X${'x'.repeat(1_000_000)}`]: 'x' } });
    expect(answer.status).toBe(400);
    expect(JSON.stringify(answer.body).length).toBeLessThan(10_000);
  });

  it('of a metadata key: a megabyte, which is not repeated whole', async () => {
    const answer = await send({ metadata: { [`k${'x'.repeat(1_000_000)}`]: 'x'.repeat(2_000) } });
    expect(answer.status).toBe(400);
    expect(JSON.stringify(answer.body).length).toBeLessThan(10_000);
  });

  it('of a body: 21 MiB', async () => {
    const answer = await send({ text: 'x'.repeat(21 * 1024 * 1024) });
    expect(answer.status).toBe(413);
    expect(answer.body.error).toMatchObject({ code: 'PAYLOAD_TOO_LARGE', details: [] });
  });

  it('of depth in template data', async () => {
    const deep = `{"template_data":${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}}`;
    expectRefusal(await sendRaw(deep), 'body');
  });

  it('of a field name: 20 MiB, said before it is parsed', async () => {
    const answer = await sendRaw(`{"${'k'.repeat(20 * 1024 * 1024 - 20)}":1}`);
    expectRefusal(answer, 'body');
    expect(answer.body.error.message).toContain('a field name of more than 1000 characters');
  });

  it('of digits: 20 MiB, said before they are parsed', async () => {
    const answer = await sendRaw(`{"expires_in":${'1'.repeat(20 * 1024 * 1024 - 40)}}`);
    expectRefusal(answer, 'body');
    expect(answer.body.error.message).toContain('a number of more than 1000 characters');
  });

  it('of a number: it is not stored as null', async () => {
    const body = JSON.stringify(letter(org, { metadata: { a: 'BIG' } })).replace('"BIG"', '1e999');
    expectRefusal(await sendRaw(body), 'metadata.a');
  });
});

describe('a parameter that every object has', () => {
  it.each(['__proto__', 'constructor', 'toString'])('is refused as any unknown one: %s', async (name) => {
    for (const path of ['/emails', '/domains', '/stats'])
      expectRefusal(await server.api('GET', `${path}?${name}=1`, undefined, org.key), name);
  });
});

describe('fifty bad recipients', () => {
  it('are all reported at once', async () => {
    const bad = (count: number) =>
      Array.from({ length: count }, (_, i) => ({ email: `bad ${i}@example.org` }));
    const answer = await send({ to: bad(20), cc: bad(20), bcc: bad(10) });
    const expected = [...Array(20).keys()].flatMap((i) => [`to[${i}].email`, `cc[${i}].email`]);
    expected.push(...[...Array(10).keys()].map((i) => `bcc[${i}].email`));
    expect(answer.status).toBe(400);
    expect(fieldsOf(answer).sort()).toEqual(expected.sort());
  });
});

describe('an address', () => {
  it.each([
    ['of a machine', 'jane@[192.0.2.1]'],
    ['of a machine with IPv6', 'jane@[IPv6:2001:db8::1]'],
    ['of a host without a dot', 'jane@localhost'],
    ['that is an IP address', 'jane@192.0.2.1'],
    ['with a display name', 'Jane <jane@example.org>'],
    ['with a comment', 'jane(x)@example.org'],
    ['with a source route', '@a.example:jane@example.org'],
    ['that is a list', 'a@example.org,b@example.org'],
    ['with an open quote', '"jane@example.org'],
    ['with a stray backslash', '"jane\\"@example.org'],
    ['with two dots', 'jane..doe@example.org'],
    ['with an angle bracket', 'jane>@example.org'],
    ['with SMTP behind it', 'jane@example.org> SIZE=1'],
    ['with a space around it', ' jane@example.org'],
    ['with an invisible character', 'ja\u200bne@example.org'],
    ['that turns the reading direction', 'jane\u202e@example.org'],
    ['that is empty', ''],
  ])('%s is refused', async (_what, email) => {
    expectRefusal(await send({ to: [{ email }] }), 'to[0].email');
  });
});

describe('a body', () => {
  it.each([
    ['text/plain', '{}'],
    ['application/x-www-form-urlencoded', 'subject=x'],
    ['multipart/form-data; boundary=x', '--x--'],
    ['application/xml', '<a/>'],
  ])('of type %s is not supported', async (type, body) => {
    const answer = await sendRaw(body, { 'content-type': type });
    expect(answer.status).toBe(415);
    expect(answer.body.error).toMatchObject({ code: 'UNSUPPORTED_MEDIA_TYPE', details: [] });
  });

  it.each(['{', '{"a":1,}', "{'a':1}", 'undefined', '{"a":NaN}', '\ufeff'])(
    'that is not JSON is refused: %j',
    async (body) => {
      expectRefusal(await sendRaw(body), 'body');
    },
  );

  it('that is not UTF-8 is refused', async () => {
    expectRefusal(
      await sendRaw(Buffer.from(JSON.stringify(letter(org, { subject: 'ü' })), 'latin1')),
      'body',
    );
  });

  it.each(['null', '[]', '"text"', '7', 'true'])(
    'that is %s instead of an object is refused',
    async (body) => {
      expectRefusal(await sendRaw(body), 'body');
    },
  );

  it('that is missing is refused', async () => {
    const answer = await server.api('POST', '/emails/send', undefined, org.key);
    expectRefusal(answer, 'body');
  });

  it.each(['"__proto__":{"priority":"high"}', '"metadata":{"__proto__":"x"}', '"headers":{"__proto__":"x"}'])(
    'that reaches for prototypes is refused: %s',
    async (part) => {
      const whole = JSON.stringify(letter(org));
      expectRefusal(await sendRaw(`${whole.slice(0, -1)},${part}}`), 'body');
      expect(({} as Record<string, unknown>).priority).toBeUndefined();
    },
  );
});

describe('a field that nobody knows', () => {
  it.each([
    [{ htm: 'x' }, 'htm', 'html'],
    [{ replyTo: {} }, 'replyTo', 'reply_to'],
    [{ scheduledAt: 'x' }, 'scheduledAt', 'scheduled_at'],
    [{ to: [{ email: 'a@example.org', nam: 'A' }] }, 'to[0].nam', 'name'],
    [{ tags: [{ name: 'a', value: 'b', valu: 'c' }] }, 'tags[0].valu', 'value'],
    [file({ file_name: 'x' }), 'attachments[0].file_name', 'filename'],
    [file({ contentType: 'x' }), 'attachments[0].contentType', 'content_type'],
    [{ reply_to: { email: 'a@example.org', Name: 'x' } }, 'reply_to.Name', 'name'],
    [{ reply_to: [{ email: 'a@example.org', Name: 'x' }] }, 'reply_to[0].Name', 'name'],
  ])('is refused with the one that was meant: %j', async (changes, field, meant) => {
    const answer = await send(changes);
    expectRefusal(answer, field);
    expect(answer.body.error.details[0].message).toContain(`did you mean \`${meant}\`?`);
  });

  it('is refused where nothing resembles it', async () => {
    const answer = await send({ constructor: 1, zzzzzzzz: 2 });
    expectRefusal(answer, 'constructor', 'zzzzzzzz');
    expect(answer.body.error.details[1].message).not.toContain('did you mean');
  });
});

describe('a value of the wrong type', () => {
  const FIELDS = [
    'from',
    'to',
    'cc',
    'bcc',
    'reply_to',
    'subject',
    'html',
    'text',
    'template_id',
    'template_data',
    'headers',
    'attachments',
    'tags',
    'metadata',
    'priority',
    'scheduled_at',
    'track_opens',
    'expires_in',
  ];
  const objects = new Set(['from', 'reply_to', 'template_data', 'headers', 'metadata']);
  const lists = new Set(['to', 'cc', 'bcc', 'reply_to', 'attachments', 'tags']);

  it.each(FIELDS)('is refused for %s, whatever it is', async (field) => {
    const values: unknown[] = [null, -1.5, 'x\ny'];
    if (field !== 'track_opens') values.push(true);
    if (!objects.has(field)) values.push({});
    if (!lists.has(field)) values.push([], [[]]);
    else values.push([null], [1], ['x'], [[]]);
    // These fields accept any text.
    const texts = ['template_id', 'html', 'text'];
    for (const value of values.filter((one) => !(texts.includes(field) && typeof one === 'string'))) {
      const answer = await send({ [field]: value });
      expect(answer.status).toBe(400);
      expect(fieldsOf(answer).some((one) => one.split(/[.[]/, 1)[0] === field)).toBe(true);
    }
  });
});
