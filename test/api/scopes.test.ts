/**
 * The permissions of each kind of key on every route. The routes come from the API's own description. A new route must be refused
 * for keys of scope `send` and for keys restricted to a domain until it is listed here.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { sharedApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { sendLetter } from '../support/emails.ts';

interface Operation {
  readonly 'x-access'?: string;
  readonly security?: readonly object[];
}

const TIED = 'tied.test';
/** Has the same ending as the other domain, which must not give access. */
const OTHER = 'not-tied.test';

let server: TestApi;
let org: TestOrganization;
let routes: string[];
let template: string;
const keys = {} as Record<
  'full' | 'read' | 'agent' | 'send' | 'otherSend' | 'tied' | 'tiedRead' | 'tiedSend',
  string
>;

beforeAll(async () => {
  server = await sharedApi();
  org = await server.createOrganization();
  await server.addVerifiedDomain(org.id, OTHER);
  const made = async (key: Parameters<TestApi['createKey']>[1]) => server.createKey(org.id, key);
  keys.full = org.key;
  keys.read = await made({ scope: 'read' });
  keys.agent = await made({ scope: 'agent' });
  keys.send = await made({ scope: 'send' });
  keys.otherSend = await made({ scope: 'send' });
  keys.tied = await made({ scope: 'full', domain: TIED });
  keys.tiedRead = await made({ scope: 'read', domain: TIED });
  keys.tiedSend = await made({ scope: 'send', domain: TIED });
  const created = await server.api('POST', '/templates', { name: 'T', subject: 'S', text: 'T' }, org.key);
  template = created.body.data.id;
  routes = await describedRoutes();
});
afterAll(() => server.stop());

/** The routes for API keys. Routes for people only are tested in test/accounts. */
async function describedRoutes(): Promise<string[]> {
  const { paths } = (await (await fetch(`${server.url}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, Operation>>;
  };
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, { security, 'x-access': access }]) => access === undefined && security?.length !== 0)
      .map(([method]) => `${method.toUpperCase()} ${path}`),
  );
}

const get = (path: string, key: string) => server.api('GET', path, undefined, key);
const isGet = (route: string) => route.startsWith('GET ');

/** The stream of events, whose answer never ends. */
const ENDLESS = 'GET /events/stream';

/** Sends an invalid body to every route: a permitted key gets a validation error, or an error for the unknown id. */
async function allowedTo(key: string): Promise<string[]> {
  const allowed: string[] = [];
  for (const route of routes) {
    if (route === ENDLESS) continue;
    const [method = '', path = ''] = route.split(' ');
    const body = isGet(route) ? undefined : { nonsense: true };
    const answer = await server.api(method, path.replaceAll(/\{\w+\}/g, 'nothing'), body, key);
    expect([route, answer.status]).not.toContain(401);
    if (answer.status !== 403) allowed.push(route);
    else
      expect(answer.body.error).toMatchObject({ code: 'FORBIDDEN', message: expect.stringMatching(/key/) });
  }
  return allowed.sort();
}

/** Routes that only read, although they have a request body. */
const QUESTIONS = [
  'POST /emails/validate',
  'POST /emails/validate/batch',
  'POST /templates/{id}/preview',
  'POST /templates/check',
  'POST /templates/validate',
  'POST /undos/preview',
];

const OF_SEND = [
  'GET /api-keys/current',
  'GET /emails/batch/{batch_id}',
  'GET /emails/{id}',
  'GET /organization',
  'POST /emails/batch',
  'POST /emails/batch/dry-run',
  'POST /emails/batch/mixed',
  'POST /emails/batch/mixed/dry-run',
  'POST /emails/resend',
  'POST /emails/send',
  'POST /emails/send/dry-run',
  'POST /emails/validate',
  'POST /emails/validate/batch',
  'POST /emails/{id}/resend',
];

const OF_AGENT = [
  ...OF_SEND,
  'GET /domains',
  'GET /emails',
  'GET /emails/{id}/explain',
  'GET /search',
  'GET /streams',
  'GET /templates',
  'GET /templates/{id}',
  'POST /templates/{id}/preview',
].toSorted();

const OF_TIED = [
  'DELETE /api-keys/{id}',
  'GET /api-keys',
  'GET /api-keys/current',
  'GET /api-keys/{id}/usage',
  'GET /domains',
  'GET /domains/export',
  'GET /domains/{id}',
  'GET /domains/{id}/reports/dmarc',
  'GET /domains/{id}/reports/tls',
  'GET /domains/{id}/verify',
  'GET /emails',
  'GET /emails/batch/{batch_id}',
  'GET /emails/{id}',
  'GET /emails/{id}/attachments/{number}',
  'GET /emails/{id}/content',
  'GET /emails/{id}/explain',
  'GET /emails/{id}/proof',
  'GET /emails/{id}/raw',
  'GET /feedback-loops',
  'GET /organization',
  'GET /search',
  'GET /templates',
  'GET /templates/{id}',
  'GET /templates/{id}/versions',
  'PATCH /api-keys/{id}',
  'PATCH /emails/{id}',
  'POST /api-keys',
  'POST /api-keys/{id}/rotate',
  'POST /emails/batch',
  'POST /emails/batch/dry-run',
  'POST /emails/batch/mixed',
  'POST /emails/batch/mixed/dry-run',
  'POST /emails/cancel',
  'POST /emails/resend',
  'POST /emails/retry',
  'POST /emails/send',
  'POST /emails/send/dry-run',
  'POST /emails/validate',
  'POST /emails/validate/batch',
  'POST /emails/{id}/cancel',
  'POST /emails/{id}/resend',
  'POST /emails/{id}/retry',
  'POST /templates/check',
  'POST /templates/validate',
  'POST /templates/{id}/preview',
  'POST /templates/{id}/test',
  'POST /templates/{id}/test/dry-run',
  'PUT /feedback-loops/{loop}/{subject}',
];

describe('every route', () => {
  it('is there to be tested', () => {
    expect(routes.length).toBeGreaterThan(50);
  });

  it('is open to full keys', async () => {
    expect(await allowedTo(keys.full)).toEqual(routes.filter((route) => route !== ENDLESS).sort());
  });

  it('is open to read keys where it changes nothing', async () => {
    const reading = routes.filter((route) => isGet(route) && route !== ENDLESS);
    expect(await allowedTo(keys.read)).toEqual([...reading, ...QUESTIONS].sort());
  });

  it('is closed to send keys, but for sending and what they sent', async () => {
    expect(await allowedTo(keys.send)).toEqual(OF_SEND);
  });

  it('is closed to keys of agents, but for sending and looking up what became of mail', async () => {
    expect(await allowedTo(keys.agent)).toEqual(OF_AGENT);
  });

  it('is closed to keys that are tied to a domain, but for what is of that domain or of none', async () => {
    expect(await allowedTo(keys.tied)).toEqual(OF_TIED);
    const reading = OF_TIED.filter((route) => isGet(route) || QUESTIONS.includes(route));
    expect(await allowedTo(keys.tiedRead)).toEqual(reading);
    expect(await allowedTo(keys.tiedSend)).toEqual(OF_SEND);
  });

  it('of what happens as it happens is closed to both', async () => {
    for (const key of [keys.send, keys.tied]) expect((await get('/events/stream', key)).status).toBe(403);
  });
});

const sendBatch = async (key: string, from: string, to = 'ada@example.org') => {
  const body = { template_id: template, from: { email: `a@${from}` }, recipients: [{ to: { email: to } }] };
  return (await server.api('POST', '/emails/batch', body, key)).body.data.batch_id as string;
};

/** Expects the same answer as for an email that never existed. */
async function expectUnknown(path: string, key: string, method = 'GET', body?: unknown): Promise<void> {
  const answer = await server.api(method, path, body, key);
  expect([path, answer.status, answer.body.error.code]).toEqual([path, 404, 'NOT_FOUND']);
}

describe('a key of scope send', () => {
  it('looks up what it sent, with its events', async () => {
    const id = await sendLetter(server, { ...org, key: keys.send });
    const { body } = await get(`/emails/${id}`, keys.send);
    expect(body.data).toMatchObject({ id, status: 'queued', events: [{ type: 'queued' }] });
  });

  it('does not find what was sent with another key, or by a key that sees all', async () => {
    for (const key of [keys.otherSend, keys.full]) {
      await expectUnknown(`/emails/${await sendLetter(server, { ...org, key })}`, keys.send);
      await expectUnknown(`/emails/batch/${await sendBatch(key, org.domain)}`, keys.send);
      await expectUnknown(`/emails/batch/${await sendBatch(key, org.domain, 'nobody')}`, keys.send);
    }
  });

  it('counts its own batches, the empty ones too', async () => {
    for (const to of ['ada@example.org', 'nobody']) {
      const id = await sendBatch(keys.send, org.domain, to);
      expect((await get(`/emails/batch/${id}`, keys.send)).status).toBe(200);
    }
  });

  it('does not read the content of its own mail', async () => {
    const id = await sendLetter(server, { ...org, key: keys.send });
    const answer = await get(`/emails/${id}/content`, keys.send);
    expect(answer.status).toBe(403);
    expect(answer.body.error.message).toContain('full or read');
  });
});

/** Of everything that is stored, but for when a key was last used, which processes are there, and what was refused before. */
async function fingerprint(): Promise<Record<string, string | null>> {
  const tables = await server.db.many(
    adHoc<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace
       AND (relkind = 'p' OR relkind = 'r' AND NOT relispartition) AND relname NOT IN ('request_logs', 'api_key_usage', 'secret_key_holders')`,
    ),
  );
  const prints = tables.map(async ({ name }) => {
    const text = `SELECT md5(string_agg(line, E'\\n' ORDER BY line)) AS print
      FROM (SELECT (to_jsonb(t) - 'last_used_at')::text AS line FROM ${name} t) AS lines`;
    return [name, (await server.db.one(adHoc<{ print: string | null }>(text))).print] as const;
  });
  return Object.fromEntries(await Promise.all(prints));
}

describe('a key of scope read', () => {
  it('reads the mail of everybody, content and events', async () => {
    const id = await sendLetter(server, { ...org, key: keys.send }, { text: 'For whom it concerns' });
    expect((await get(`/emails/${id}/content`, keys.read)).body.data.text).toBe('For whom it concerns');
    expect((await get('/emails?limit=1', keys.read)).body.data[0].id).toBe(id);
    expect((await get('/events?limit=1', keys.read)).body.data[0].email_id).toBe(id);
  });

  it('changes nothing by reading, not even a domain whose records it has checked', async () => {
    const made = await server.api('POST', '/domains', { domain: 'fresh.example' }, org.key);
    const path = `/domains/${made.body.data.id}`;
    await get('/domains', keys.full); // makes the keys that the domains of the tests came without
    const before = await fingerprint();
    const checked = await get(`${path}/verify`, keys.read);
    expect(checked.body.data).toMatchObject({ is_verified: false, last_checked_at: null });
    expect(checked.body.data.checks.map(({ status }: { status: string }) => status)).toEqual([
      'pass',
      'pass',
      'pass',
    ]);
    for (const route of routes.filter((one) => isGet(one) && one !== ENDLESS && !one.includes('{'))) {
      const asked = route === 'GET /search' ? '/search?q=ada' : route.slice('GET '.length);
      expect([route, (await get(asked, keys.read)).status]).toEqual([route, 200]);
    }
    expect(await fingerprint()).toEqual(before);
    expect((await get(`${path}/verify`, keys.full)).body.data.is_verified).toBe(true);
  });

  it('never sees a secret', async () => {
    const hook = await server.api('POST', '/webhooks', { url: 'http://127.0.0.1:9/' }, org.key);
    const { id, secret } = hook.body.data;
    const seen = [await get(`/webhooks/${id}`, keys.read), await get('/webhooks', keys.read)];
    for (const { status, body } of seen) {
      expect([status, JSON.stringify(body).includes(secret)]).toEqual([200, false]);
    }
  });
});

describe('a key that is tied to a domain', () => {
  const sentFrom = (domain: string, changes: object = {}) =>
    sendLetter(server, { ...org, domain }, { scheduled_at: '2031-01-01T00:00:00Z', ...changes });

  it('finds the mail from its domain, whichever key sent it', async () => {
    const id = await sentFrom(TIED);
    for (const path of [`/emails/${id}`, `/emails/${id}/content`, `/emails/${id}/explain`]) {
      expect([path, (await get(path, keys.tied)).status]).toEqual([path, 200]);
      expect([path, (await get(path, keys.tiedRead)).status]).toEqual([path, 200]);
    }
    expect((await server.api('POST', `/emails/${id}/cancel`, undefined, keys.tied)).status).toBe(200);
  });

  it('does not find the mail from other domains, and cannot change it', async () => {
    for (const id of [await sentFrom(org.domain), await sentFrom(OTHER), await sentFromQuotedName()]) {
      for (const path of ['', '/content', '/explain']) await expectUnknown(`/emails/${id}${path}`, keys.tied);
      await expectUnknown(`/emails/${id}/cancel`, keys.tied, 'POST');
      await expectUnknown(`/emails/${id}/retry`, keys.tied, 'POST');
      const later = { scheduled_at: '2032-01-01T00:00:00Z' };
      await expectUnknown(`/emails/${id}`, keys.tied, 'PATCH', later);
    }
    await expectUnknown(`/emails/batch/${await sendBatch(keys.full, OTHER)}`, keys.tied);
    const own = await sendBatch(keys.full, TIED);
    expect((await get(`/emails/batch/${own}`, keys.tied)).body.data.total).toBe(1);
  });

  /** Of mail that was accepted before such senders were refused. */
  async function sentFromQuotedName(): Promise<string> {
    const id = await sentFrom(OTHER);
    await server.db.exec(adHoc('UPDATE emails SET from_email = $3 WHERE organization_id = $1 AND id = $2'), [
      org.id,
      id,
      `"a@${TIED}"@${OTHER}`,
    ]);
    return id;
  }

  it('lists the mail from its domain only, with the right total, whatever it asks for', async () => {
    const counted = await server.db.one(
      adHoc<{ count: number }>(
        `SELECT count(*) AS count FROM emails WHERE organization_id = $1 AND from_email LIKE '%@${TIED}'`,
      ),
      [org.id],
    );
    expect(counted.count).toBeGreaterThan(1);
    const list = await get('/emails?include=addresses&limit=100', keys.tied);
    expect(list.body.pagination.total_count).toBe(counted.count);
    for (const { from } of list.body.data) expect(from.email).toMatch(new RegExp(`@${TIED}$`));
    for (const [from, total] of [
      [`@${TIED}`, counted.count],
      [`@${OTHER}`, 0],
      [`news@${OTHER}`, 0],
      [`news@${org.domain}`, 0],
    ]) {
      const narrowed = await get(`/emails?from=${encodeURIComponent(String(from))}`, keys.tied);
      expect([from, narrowed.body.pagination.total_count]).toEqual([from, total]);
    }
    expect(
      (await get('/emails?subject=hello', keys.tiedRead)).body.pagination.total_count,
    ).toBeLessThanOrEqual(counted.count);
  });

  it('sees its own domain alone', async () => {
    const all = (await get('/domains', keys.full)).body.data as { id: string; domain: string }[];
    const own = (await get('/domains', keys.tied)).body.data as { id: string; domain: string }[];
    expect(own.map(({ domain }) => domain)).toEqual([TIED]);
    for (const { id } of all.filter(({ domain }) => domain !== TIED)) {
      await expectUnknown(`/domains/${id}`, keys.tied);
      await expectUnknown(`/domains/${id}/verify`, keys.tied);
    }
  });

  it('sees and revokes keys of its domain alone', async () => {
    const all = (await get('/api-keys?limit=100', keys.full)).body.data as {
      id: string;
      domain: string | null;
    }[];
    const own = await get('/api-keys', keys.tied);
    expect(own.body.data.map((one: { domain: string }) => one.domain)).toEqual([TIED, TIED, TIED]);
    expect(own.body.pagination.total_count).toBe(3);
    const foreign = all.find(({ domain }) => domain === null);
    await expectUnknown(`/api-keys/${foreign?.id}`, keys.tied, 'DELETE');
    const another = await server.api('POST', '/api-keys', { name: 'x', domain: TIED }, keys.tied);
    const path = `/api-keys/${another.body.data.id}`;
    expect((await server.api('DELETE', path, undefined, keys.tied)).status).toBe(200);
  });

  it('sends from no other domain, not even a batch without a recipient', async () => {
    const body = {
      template_id: template,
      from: { email: `a@${OTHER}` },
      recipients: [{ to: { email: 'nobody' } }],
    };
    expect((await server.api('POST', '/emails/batch', body, keys.tied)).status).toBe(403);
  });
});
