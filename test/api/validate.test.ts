import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { type DnsZoneServer, startDnsZone } from '../support/dns-zone.ts';
import { MAIL_HOST, TAKES_MAIL } from '../support/validation.ts';

let zone: DnsZoneServer;
let server: TestApi;
let acme: TestOrganization;
let sender: string;

beforeAll(async () => {
  zone = await startDnsZone({
    ...MAIL_HOST,
    'gmail.com': TAKES_MAIL,
    'gmial.com': TAKES_MAIL,
    'corp.com': TAKES_MAIL,
    'mailinator.com': TAKES_MAIL,
    'broken.com': 'SERVFAIL',
  });
  server = await startApi({ env: { POSTRIDER_DNS_SERVERS: zone.address } });
  acme = await server.createOrganization();
  sender = await server.createKey(acme.id, { scope: 'send' });
});
afterAll(async () => {
  await server.stop();
  await zone.stop();
});

const validate = (email: unknown, key = sender) => server.api('POST', '/emails/validate', { email }, key);
const batch = (emails: unknown, key = sender) =>
  server.api('POST', '/emails/validate/batch', { emails }, key);

describe('POST /emails/validate', () => {
  it('answers with verdict, score, all eight checks and their fields', async () => {
    const { status, body } = await validate('jane.doe+news@gmail.com');
    expect(status).toBe(200);
    const check = (fields = {}) => ({
      status: 'pass',
      reason: expect.any(String),
      message: expect.stringMatching(/\.$/),
      ...fields,
    });
    expect(body).toEqual({
      data: {
        email: 'jane.doe+news@gmail.com',
        verdict: 'deliverable',
        risk_score: 0,
        checks: {
          syntax: check(),
          mx: check({ records: [{ priority: 10, exchange: 'mx.mail-host.com' }] }),
          dns: check({ addresses: ['93.184.216.34'] }),
          disposable: check(),
          role: check(),
          typo: check({ suggestions: [] }),
          free_provider: check({ provider_type: 'free' }),
          random: check({ entropy_bits_per_char: expect.any(Number) }),
        },
        suggestions: [],
        signals: [],
        normalized: 'jane.doe+news@gmail.com',
        subaddress: 'news',
        list_version: expect.stringMatching(/^[0-9a-f]{12}$/),
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      },
    });
  });

  it('suggests the full address that was meant and names the signal that made the score', async () => {
    const { body } = await validate('jane@gmial.com');
    expect(body.data).toMatchObject({
      verdict: 'undeliverable',
      risk_score: 0.75,
      suggestions: ['jane@gmail.com'],
      signals: [{ signal: 'known_typo', check: 'typo', kind: 'floor', weight: 0.75 }],
      checks: { typo: { status: 'fail', suggestions: [{ suggested: 'jane@gmail.com' }] } },
    });
  });

  it('answers 200 with every field also for what is no address', async () => {
    const { status, body } = await validate('x'.repeat(50_000));
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      verdict: 'undeliverable',
      risk_score: 1,
      normalized: null,
      subaddress: null,
      checks: {
        syntax: { status: 'fail', reason: 'too_long' },
        mx: { status: 'unknown', records: [] },
        dns: { status: 'unknown', addresses: [] },
        typo: { status: 'unknown', suggestions: [] },
        free_provider: { status: 'unknown', provider_type: 'unknown' },
        random: { status: 'unknown', entropy_bits_per_char: null },
      },
    });
  });

  it('does not fail an address because DNS does not answer', async () => {
    const { body } = await validate('jane@broken.com');
    expect(body.data).toMatchObject({ verdict: 'deliverable', checks: { mx: { status: 'unknown' } } });
  });

  it('takes the addresses of the simulator for good in sandbox mode', async () => {
    expect((await validate('delivered@simulator.test')).body.data.verdict).toBe('deliverable');
    expect((await validate('jane@elsewhere.test')).body.data.verdict).toBe('undeliverable');
  });

  it.each([
    [{}, 'email'],
    [{ email: 7 }, 'email'],
    [{ email: null }, 'email'],
    [{ email: 'a@corp.com', also: 1 }, 'also'],
  ])('refuses %j', async (body, field) => {
    const answer = await server.api('POST', '/emails/validate', body, sender);
    expect(answer.status).toBe(400);
    expect(answer.body.error).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ field }] });
  });

  it('needs a key', async () => {
    const answer = await server.api('POST', '/emails/validate', { email: 'a@corp.com' });
    expect(answer.status).toBe(401);
  });

  it('knows what bounced for this organization, and for no other', async () => {
    const email = 'gone@corp.com';
    await server.api('POST', '/suppressions', { email, reason: 'hard_bounce' }, acme.key);
    const stranger = await server.createOrganization('Stranger');
    expect((await validate('Gone@corp.com')).body.data).toMatchObject({
      risk_score: 0.9,
      signals: [{ signal: 'hard_bounced', check: 'history' }],
    });
    expect((await validate(email, stranger.key)).body.data.risk_score).toBe(0);
  });
});

describe('POST /emails/validate/batch', () => {
  it('answers for each address in order, whatever the others are', async () => {
    const emails = ['a@corp.com', 'nonsense', 'a@corp.com', 'info@gmail.com', ''];
    const { status, body } = await batch(emails);
    expect(status).toBe(200);
    expect(body.data.map((one: { email: string }) => one.email)).toEqual(emails);
    expect(body.data.map((one: { risk_score: number }) => one.risk_score)).toEqual([0, 1, 0, 0.15, 1]);
  });

  it('has a verdict for text that cannot be stored too, and asks neither DNS nor the database about it', async () => {
    const odd = ['nul\0@strange-nul.com', 'half\ud83d@strange-half.com', 'a@strange\udc00.com'];
    const { status, body } = await batch(['a@corp.com', ...odd]);
    expect(status).toBe(200);
    expect(body.data.map((one: { email: string }) => one.email)).toEqual(['a@corp.com', ...odd]);
    for (const one of body.data.slice(1))
      expect(one).toMatchObject({ verdict: 'undeliverable', checks: { syntax: { status: 'fail' } } });
    expect(body.data[0].verdict).toBe('deliverable');
    expect(zone.queries.filter(({ name }) => name.includes('strange'))).toEqual([]);
    expect((await validate(odd[0])).body.data.verdict).toBe('undeliverable');
  });

  it('takes 100 addresses and not one more', async () => {
    const many = (count: number) => Array.from({ length: count }, (_, at) => `user${at}@corp.com`);
    const full = await batch(many(100));
    expect([full.status, full.body.data.length]).toEqual([200, 100]);
    const over = await batch(many(101));
    expect(over.status).toBe(400);
    expect(over.body.error).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ field: 'emails' }] });
  });

  it('takes a hundred addresses as long as they can be, however they are written, and no book', async () => {
    const longest = `"${'\\u0061'.repeat(500)}"`;
    const raw = (body: string) =>
      fetch(`${server.url}/api/v1/emails/validate/batch`, {
        method: 'POST',
        headers: { authorization: `Bearer ${sender}`, 'content-type': 'application/json' },
        body,
      });
    expect((await raw(`{"emails":[${Array(100).fill(longest).join()}]}`)).status).toBe(200);
    const over = await raw(`{"emails":["${'a'.repeat(512 * 1024)}@corp.com"]}`);
    expect([over.status, await over.json()]).toMatchObject([
      413,
      { error: { code: 'PAYLOAD_TOO_LARGE', message: 'The body is larger than 512 KiB.' } },
    ]);
  });

  it.each([
    ['no array', 'a@corp.com', 'emails'],
    ['nothing', undefined, 'emails'],
    ['an empty array', [], 'emails'],
    ['something that is no text', ['a@corp.com', 7], 'emails[1]'],
  ])('refuses %s', async (_, emails, field) => {
    const answer = await batch(emails);
    expect(answer.status).toBe(400);
    expect(answer.body.error).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ field }] });
  });
});

describe('/settings/validation', () => {
  const settings = '/settings/validation';

  it('is empty at first, and keeps what is put there in canonical form', async () => {
    const { key } = await server.createOrganization();
    const before = await server.api('GET', settings, undefined, key);
    expect(before.body).toEqual({ data: { disposable_allow: [], disposable_deny: [] } });
    const lists = { disposable_allow: ['Mailinator.com', 'mailinator.com'], disposable_deny: ['münchen.de'] };
    const put = await server.api('PUT', settings, lists, key);
    const kept = { data: { disposable_allow: ['mailinator.com'], disposable_deny: ['xn--mnchen-3ya.de'] } };
    expect([put.status, put.body]).toEqual([200, kept]);
    expect((await server.api('GET', settings, undefined, key)).body).toEqual(kept);
  });

  it('keeps the list that is not given', async () => {
    const { key } = await server.createOrganization();
    await server.api('PUT', settings, { disposable_allow: ['a.com'] }, key);
    const { body } = await server.api('PUT', settings, { disposable_deny: ['b.com'] }, key);
    expect(body.data).toEqual({ disposable_allow: ['a.com'], disposable_deny: ['b.com'] });
  });

  it('changes the verdicts of this organization and of no other', async () => {
    const { key } = await server.createOrganization();
    await server.api(
      'PUT',
      settings,
      { disposable_allow: ['mailinator.com'], disposable_deny: ['corp.com'] },
      key,
    );
    const scores = async (as: string) =>
      (await batch(['a@mailinator.com', 'a@corp.com'], as)).body.data.map(
        (one: { risk_score: number }) => one.risk_score,
      );
    expect(await scores(key)).toEqual([0, 0.65]);
    expect(await scores(sender)).toEqual([0.65, 0]);
  });

  it.each([
    [{}, undefined],
    [{ disposable_allow: ['no domain'] }, 'disposable_allow[0]'],
    [{ disposable_allow: ['a.com'], disposable_deny: ['A.com'] }, 'disposable_deny'],
    [{ disposable_deny: 'a.com' }, 'disposable_deny'],
  ])('refuses %j', async (body, field) => {
    const answer = await server.api('PUT', settings, body, acme.key);
    expect(answer.status).toBe(400);
    if (field !== undefined) expect(answer.body.error.details[0].field).toBe(field);
  });

  it('is closed to keys that may only send', async () => {
    expect((await server.api('GET', settings, undefined, sender)).status).toBe(403);
    expect((await server.api('PUT', settings, { disposable_allow: [] }, sender)).status).toBe(403);
  });
});
