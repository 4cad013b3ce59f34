import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { letter } from '../support/emails.ts';

const HOST = 'mail.host.test';
const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

let server: TestApi;
let org: TestOrganization;
let other: TestOrganization;
beforeAll(async () => {
  server = await startApi({ env: { POSTRIDER_HOSTNAME: 'Mail.Host.Test' } });
  org = await server.createOrganization();
  other = await server.createOrganization();
});
afterAll(() => server.stop());

const post = (domain: unknown, key = org.key) => server.api('POST', '/domains', { domain }, key);
const get = (path: string, key = org.key) => server.api('GET', path, undefined, key);
const register = async (domain: string) => (await post(domain)).body.data;

describe('registering a domain', () => {
  it('answers 201 with the two records to publish', async () => {
    const { status, body } = await post('register.example');
    expect(status).toBe(201);
    const { data } = body;
    expect(data).toEqual({
      id: expect.stringMatching(/^dom_[0-9a-z]{20}$/),
      domain: 'register.example',
      display_name: 'register.example',
      is_verified: false,
      spf_verified: false,
      dkim_verified: false,
      dkim_selector: expect.stringMatching(/^pr[0-9a-f]{12}$/),
      dkim_public_key: expect.stringMatching(/^MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A[A-Za-z0-9+/]{359}B$/),
      dns_records: [
        {
          type: 'TXT',
          name: `${data.dkim_selector}._domainkey.register.example`,
          value: `v=DKIM1; k=rsa; p=${data.dkim_public_key}`,
        },
        { type: 'TXT', name: 'register.example', value: `v=spf1 include:${HOST} ~all` },
      ],
      recommended_records: [
        {
          type: 'TXT',
          name: '_dmarc.register.example',
          value: expect.stringMatching(/^v=DMARC1; p=none; rua=mailto:dmarc\+[0-9a-z]{49}@mail\.host\.test$/),
          purpose: expect.stringMatching(/Published by the owner of the domain\.$/),
          published_by: 'domain_owner',
        },
        {
          type: 'TXT',
          name: '_smtp._tls.register.example',
          value: expect.stringMatching(/^v=TLSRPTv1; rua=mailto:tlsrpt\+[0-9a-z]{49}@mail\.host\.test$/),
          purpose: expect.stringMatching(/Published by the owner of the domain\.$/),
          published_by: 'domain_owner',
        },
        {
          type: 'TXT',
          name: `*._report._dmarc.${HOST}`,
          value: 'v=DMARC1',
          purpose: expect.stringMatching(/by the operator of this server\.$/),
          published_by: 'operator',
        },
        {
          type: 'MX',
          name: HOST,
          value: `10 ${HOST}`,
          purpose: expect.stringMatching(/^Bounces come back to this host/),
          published_by: 'operator',
        },
        {
          type: 'TXT',
          name: HOST,
          value: 'v=spf1 a mx -all',
          purpose: expect.stringMatching(/by the operator of this server\.$/),
          published_by: 'operator',
        },
        {
          type: 'MX',
          name: 'bounces.register.example',
          value: `10 ${HOST}`,
          purpose: expect.stringMatching(/SPF counts for DMARC/),
          published_by: 'domain_owner',
        },
        {
          type: 'TXT',
          name: 'bounces.register.example',
          value: `v=spf1 include:${HOST} ~all`,
          purpose: expect.stringMatching(/Published by the owner of the domain\.$/),
          published_by: 'domain_owner',
        },
      ],
      created_at: ISO,
    });
    const one = (await get(`/domains/${data.id}`)).body.data;
    expect(one.recommended_records).toEqual(data.recommended_records);
  });

  it('gives every registration a key and a selector of its own', async () => {
    const mine = await register('shared.example');
    const theirs = (await post('shared.example', other.key)).body.data;
    expect(theirs.dkim_selector).not.toBe(mine.dkim_selector);
    expect(theirs.dkim_public_key).not.toBe(mine.dkim_public_key);
    await server.api('DELETE', `/domains/${mine.id}`, undefined, org.key);
    const again = await register('shared.example');
    expect([mine.dkim_selector, theirs.dkim_selector]).not.toContain(again.dkim_selector);
  });

  it.each([
    ['Upper.EXAMPLE', 'upper.example', 'upper.example'],
    ['dotted.example.', 'dotted.example', 'dotted.example'],
    ['bücher.example', 'xn--bcher-kva.example', 'bücher.example'],
  ])('keeps %s as %s, and knows it again in any form', async (given, kept, shown) => {
    expect(await register(given)).toMatchObject({ domain: kept, display_name: shown });
    const again = await post(kept);
    expect(again.status).toBe(409);
    expect(again.body.error).toEqual({
      code: 'CONFLICT',
      message: `${kept} is already registered in this organization.`,
      details: [{ field: 'domain', message: 'is already registered' }],
    });
  });

  it('registers once when asked twice at the same time', async () => {
    const answers = await Promise.all([1, 2, 3, 4].map(() => post('race.example')));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
  });

  it.each([
    ['com', 'The domain "com" has no dot; give the full domain name.'],
    ['co.uk', 'co.uk is a public suffix, under which others register their domains; give your own domain.'],
    [
      'github.io',
      'github.io is a public suffix, under which others register their domains; give your own domain.',
    ],
    ['ada@example.org', 'This is an email address; give only the part after the @.'],
    ['192.0.2.1', 'The domain ends in a number; give a domain name, not an IP address.'],
    ['https://example.org', 'This is a URL; give only the domain name.'],
    ['exam ple.org', 'The domain contains " ", which no domain name can.'],
    [
      `${'a.'.repeat(148)}org`,
      'The domain is longer than 217 characters, so the name of its DKIM record would not fit into DNS.',
    ],
    ['', 'The domain is missing.'],
  ])('refuses %.30s', async (given, message) => {
    const { status, body } = await post(given);
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ field: 'domain', message }] });
  });

  it.each([undefined, null, 7, ['example.org'], {}])('refuses %o', async (given) => {
    const { status, body } = await post(given);
    expect(status).toBe(400);
    expect(body.error.details).toEqual([expect.objectContaining({ field: 'domain' })]);
  });

  it('is not for keys that may only send', async () => {
    const key = await server.createKey(org.id, { scope: 'send' });
    for (const [method, path] of [
      ['POST', '/domains'],
      ['GET', '/domains'],
      ['GET', '/domains/dom_x'],
      ['GET', '/domains/dom_x/verify'],
      ['DELETE', '/domains/dom_x'],
    ] as const) {
      expect((await server.api(method, path, undefined, key)).status).toBe(403);
    }
  });
});

describe('verifying in the sandbox', () => {
  it('succeeds at once, and mail may be sent', async () => {
    const { id, domain } = await register('verify.example');
    const from = letter({ domain });
    expect((await server.api('POST', '/emails/send', from, org.key)).body.error.code).toBe(
      'DOMAIN_NOT_VERIFIED',
    );
    const { status, body } = await get(`/domains/${id}/verify`);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      id,
      is_verified: true,
      spf_verified: true,
      dkim_verified: true,
      verified_at: ISO,
      last_checked_at: ISO,
      warning: null,
      checks: [
        { record: 'dkim', status: 'pass' },
        { record: 'spf', status: 'pass' },
        { record: 'dmarc', status: 'pass' },
      ],
    });
    expect(body.data).not.toHaveProperty('dns_records');
    expect((await server.api('POST', '/emails/send', from, org.key)).status).toBe(201);
  });

  it('also succeeds for two organizations with the same name, each by its own key', async () => {
    const mine = await register('both.example');
    const theirs = (await post('both.example', other.key)).body.data;
    expect((await get(`/domains/${mine.id}/verify`)).body.data.is_verified).toBe(true);
    expect((await get(`/domains/${theirs.id}/verify`, other.key)).body.data.is_verified).toBe(true);
  });

  it('never does under .invalid, and says what is missing', async () => {
    const { id, dns_records } = await register('shop.invalid');
    const { status, body } = await get(`/domains/${id}/verify`);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ is_verified: false, spf_verified: false, dkim_verified: false });
    expect(body.data).not.toHaveProperty('verified_at');
    expect(body.data.checks).toMatchObject([
      {
        record: 'dkim',
        status: 'fail',
        name: dns_records[0].name,
        expected: dns_records[0].value,
        found: [],
      },
      { record: 'spf', status: 'fail', name: dns_records[1].name, expected: dns_records[1].value, found: [] },
      {
        record: 'dmarc',
        status: 'warn',
        name: '_dmarc.shop.invalid',
        expected: expect.stringMatching(/^v=DMARC1; p=none; rua=mailto:dmarc\+/),
        found: [],
      },
    ]);
  });

  it('works for a domain that was put there without a key', async () => {
    const { data } = (await get('/domains')).body;
    const own = data.find((one: { domain: string }) => one.domain === org.domain);
    expect(own.dkim_public_key).toMatch(/^MIIB/);
    expect((await get(`/domains/${own.id}/verify`)).body.data.is_verified).toBe(true);
  });
});

describe('reading', () => {
  it('lists all domains, the newest first, with verified_at only where it is verified', async () => {
    const reader = await server.createOrganization();
    const first = (await post('first.example', reader.key)).body.data;
    const second = (await post('second.example', reader.key)).body.data;
    await get(`/domains/${first.id}/verify`, reader.key);
    const { body } = await get('/domains', reader.key);
    expect(Object.keys(body)).toEqual(['data']);
    expect(body.data.map((one: { domain: string }) => one.domain)).toEqual([
      'second.example',
      'first.example',
      reader.domain,
    ]);
    expect(body.data[0]).not.toHaveProperty('verified_at');
    expect(body.data[1].verified_at).toEqual(ISO);
    for (const one of body.data) expect(one).not.toHaveProperty('dns_records');
    expect((await get(`/domains/${second.id}`, reader.key)).body.data).toEqual(body.data[0]);
  });

  it('tells what to publish before anyone has checked', async () => {
    const { id, dns_records, recommended_records } = await register('pending.example');
    const { data } = (await get(`/domains/${id}`)).body;
    expect(data.last_checked_at).toBeNull();
    expect(
      data.checks.map(({ name, expected }: { name: string; expected: string }) => ({ name, expected })),
    ).toEqual([...dns_records, recommended_records[0]].map(({ name, value }) => ({ name, expected: value })));
    expect(data.checks[0].status).toBe('pending');
  });

  it.each([
    '/domains/dom_00000000000000000000',
    '/domains/nonsense',
    '/domains/%20',
    '/domains/dom_x/verify',
  ])('answers 404 to %s', async (path) => {
    const { status, body } = await get(path);
    expect(status).toBe(404);
    expect(body.error.code).toBe('NOT_FOUND');
  });
});

describe('deleting', () => {
  it('takes the domain away, and with it the right to send', async () => {
    const { id, domain } = await register('gone.example');
    await get(`/domains/${id}/verify`);
    const answer = await server.api('DELETE', `/domains/${id}`, undefined, org.key);
    expect(answer.body).toEqual({ data: { id, deleted: true } });
    expect((await server.api('DELETE', `/domains/${id}`, undefined, org.key)).status).toBe(404);
    expect((await get(`/domains/${id}`)).status).toBe(404);
    const sent = await server.api('POST', '/emails/send', letter({ domain }), org.key);
    expect(sent.body.error.code).toBe('DOMAIN_NOT_VERIFIED');
  });
});

it('shows the private key to nobody', async () => {
  const { id } = await register('private.example');
  const { sealed } = await server.db.one(
    adHoc<{ sealed: Buffer }>('SELECT private_key AS sealed FROM domains WHERE id = $1'),
    [id],
  );
  expect(sealed.length).toBeGreaterThan(1200);
  for (const path of ['/domains', `/domains/${id}`, `/domains/${id}/verify`]) {
    const text = JSON.stringify((await get(path)).body);
    expect(text).not.toMatch(/private_key|PRIVATE KEY|MIIEv/);
    expect(text).not.toContain(sealed.toString('base64').slice(40, 80));
  }
});

it('counts failing domains for Prometheus', async () => {
  await server.db.exec(adHoc('UPDATE domains SET failing_since = now() WHERE domain = $1'), [other.domain]);
  const metrics = await (await fetch(`${server.url}/metrics`)).text();
  expect(metrics).toMatch(/^postrider_domain_verification_failing\{role="test"\} 1$/m);
  const { data } = (await get('/domains', other.key)).body;
  const failing = data.find((one: { domain: string }) => one.domain === other.domain);
  expect(failing.warning).toMatch(
    /^Its DNS records are wrong\. Unless they are fixed, it stops sending at \d{4}-.*Z\./,
  );
});
