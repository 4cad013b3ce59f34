/**
 * What an agent can look up about mail that another key sent: nothing, unless its policy says `read: organization`. The routes
 * are those that a server registers, other services' APIs and MCP included: one that agents gain is missing here until it is
 * named, with how it is asked.
 */
import diagnostics from 'node:diagnostics_channel';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isAllowed } from '../../src/http/access.ts';
import { MAIL_TOOLS } from '../../src/ingress/mcp/mcp-server.ts';
import type { Answer } from '../support/api.ts';
import { until } from '../support/until.ts';
import { type AgentFixture, type AgentKey, letter, startAgentFixture } from './agent-fixture.ts';

/** In everything about the mail of the other key. */
const SECRET = /zebra/i;
const PERSON = 'zebra.person@hidden.example';

let fixture: AgentFixture;
/** Of the other key. */
const theirs = { email: '', batch: '', template: '' };
const registered = new Map<string, RouteOptions>();

function note(message: unknown): void {
  const { fastify } = message as { fastify: FastifyInstance };
  fastify.addHook('onRoute', (route) => {
    if (route.config?.public === true || route.method === 'HEAD') return;
    if (/^\/(api\/v1|compat|mcp)\b/.test(route.url)) registered.set(`${route.method} ${route.url}`, route);
  });
}

beforeAll(async () => {
  diagnostics.subscribe('fastify.initialization', note);
  fixture = await startAgentFixture();
  diagnostics.unsubscribe('fastify.initialization', note);
  await sendSecrets();
});
afterAll(() => fixture.stop());

async function sendSecrets(): Promise<void> {
  const { org, send, server } = fixture;
  const from = { email: `zebra@${org.domain}`, name: 'Zebra' };
  const sent = await send(org.key, {
    ...{ from, to: [{ email: PERSON, name: 'Zebra Person' }], subject: 'Zebra figures' },
    ...{ tags: [{ name: 'zebra', value: 'zebra' }], metadata: { zebra: 'zebra' }, text: 'Zebra' },
  });
  theirs.email = sent.body.data.message_id;
  const recipients = [{ to: { email: PERSON }, data: { name: 'Zebra' } }];
  const batch = await server.api(
    'POST',
    '/emails/batch',
    { from, template_id: 'welcome', recipients },
    org.key,
  );
  theirs.batch = batch.body.data.batch_id;
  theirs.template = fixture.templates.welcome;
  const suppressed = { email: 'zebra.bounced@hidden.example', reason: 'manual' };
  await server.api('POST', '/suppressions', suppressed, org.key);
  await until(async () => (await fixture.left()).filter((to) => to === PERSON).length === 2);
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const postmark = (key: string) => ({ 'x-postmark-server-token': key });
const mailgun = (key: string) => ({
  authorization: `Basic ${Buffer.from(`api:${key}`).toString('base64')}`,
});

async function asked(method: string, path: string, headers: Record<string, string>, body?: unknown) {
  const isJson = body !== undefined;
  const response = await fetch(fixture.server.url + path, {
    method,
    headers: { ...headers, ...(isJson ? { 'content-type': 'application/json' } : {}) },
    ...(isJson ? { body: JSON.stringify(body) } : {}),
  });
  return { status: response.status, text: await response.text() };
}

interface Question {
  readonly paths: () => readonly string[];
  readonly body?: unknown;
  readonly headers?: (key: string) => Record<string, string>;
}

const at = (...paths: string[]): Question => ({ paths: () => paths });
const ofEmail = (path: (id: string) => string, headers?: Question['headers']): Question => ({
  paths: () => [path(theirs.email)],
  ...(headers === undefined ? {} : { headers }),
});

/** Every route that tells an agent anything, with the ways to ask it for mail of others. */
const QUESTIONS: Readonly<Record<string, Question>> = {
  'GET /api/v1/emails': {
    paths: () =>
      [
        ...['', 'include=addresses', 'search=zebra', 'subject=zebra', `to=${PERSON}`, 'to=@hidden.example'],
        ...[`from=zebra@${fixture.org.domain}`, 'tag=zebra', 'status=delivered', 'stream=transactional'],
        ...[`batch_id=${theirs.batch}`, `search=${theirs.email}`, 'from_date=2020-01-01', 'limit=1&page=2'],
        ...['state=awaiting_approval', 'state=scheduled', 'to_date=2099-01-01'],
      ].map((query) => `/api/v1/emails?${query}`),
  },
  'GET /api/v1/emails/:id': ofEmail((id) => `/api/v1/emails/${id}`),
  'GET /api/v1/emails/:id/explain': ofEmail((id) => `/api/v1/emails/${id}/explain`),
  'GET /api/v1/emails/:id/suppressions': ofEmail((id) => `/api/v1/emails/${id}/suppressions`),
  'POST /api/v1/emails/:id/resend': { ...ofEmail((id) => `/api/v1/emails/${id}/resend`), body: {} },
  'POST /api/v1/emails/resend': {
    ...at('/api/v1/emails/resend'),
    body: {
      get ids() {
        return [theirs.email];
      },
    },
  },
  'GET /api/v1/emails/batch/:batch_id': { paths: () => [`/api/v1/emails/batch/${theirs.batch}`] },
  'GET /api/v1/stats': at('/api/v1/stats', '/api/v1/stats?range=7d'),
  'GET /api/v1/search': {
    paths: () => ['zebra', 'hidden', PERSON, theirs.email].map((words) => `/api/v1/search?q=${words}`),
  },
  'GET /api/v1/suppressions': at('/api/v1/suppressions', '/api/v1/suppressions?search=zebra'),
  'GET /api/v1/domains': at('/api/v1/domains'),
  'GET /api/v1/streams': at('/api/v1/streams'),
  'GET /api/v1/organization': at('/api/v1/organization'),
  'GET /api/v1/api-keys/current': at('/api/v1/api-keys/current'),
  'GET /api/v1/templates': at('/api/v1/templates'),
  'GET /api/v1/templates/:id': { paths: () => [`/api/v1/templates/${theirs.template}`] },
  'POST /api/v1/templates/:id/preview': {
    paths: () => [`/api/v1/templates/${theirs.template}/preview`],
    body: { data: { name: 'Ann' } },
  },
  'GET /compat/resend/emails/:id': ofEmail((id) => `/compat/resend/emails/${id}`),
  'GET /compat/sendgrid/v3/scopes': at('/compat/sendgrid/v3/scopes'),
  'GET /compat/postmark/messages/outbound/:id/details': ofEmail(
    (id) => `/compat/postmark/messages/outbound/${id}/details`,
    postmark,
  ),
  'GET /compat/postmark/messages/outbound/opens/:id': ofEmail(
    (id) => `/compat/postmark/messages/outbound/opens/${id}`,
    postmark,
  ),
  'GET /compat/postmark/messages/outbound/clicks/:id': ofEmail(
    (id) => `/compat/postmark/messages/outbound/clicks/${id}`,
    postmark,
  ),
  'GET /compat/postmark/message-streams': {
    ...at('/compat/postmark/message-streams'),
    headers: postmark,
  },
  'GET /compat/postmark/message-streams/:id': {
    ...at('/compat/postmark/message-streams/outbound'),
    headers: postmark,
  },
};

/** They take mail, or an address to judge, and tell nothing of other mail. */
const SENDING: readonly string[] = [
  ...['send', 'batch', 'batch/mixed', 'send/dry-run', 'batch/dry-run', 'batch/mixed/dry-run'].map(
    (path) => `POST /api/v1/emails/${path}`,
  ),
  ...['validate', 'validate/batch'].map((path) => `POST /api/v1/emails/${path}`),
  ...['emails', 'emails/batch'].map((path) => `POST /compat/resend/${path}`),
  'POST /compat/sendgrid/v3/mail/send',
  ...['', '/withTemplate', '/batch', '/batchWithTemplates'].map(
    (path) => `POST /compat/postmark/email${path}`,
  ),
  ...['messages', 'messages.mime'].map((path) => `POST /compat/mailgun/v3/:domain/${path}`),
  'GET /compat/mailgun/v4/address/validate',
  'POST /mcp',
  'POST /mcp/',
];

it('knows every route that a key of scope agent may call', () => {
  const agent = { organizationId: fixture.org.id, keyId: 'key_1', scope: 'agent', domain: null } as const;
  const policy = { ...everything, read: 'organization' } as never;
  const open = [...registered].filter(([, { config = {}, method }]) =>
    isAllowed({ ...agent, policy }, config, String(method)),
  );
  const known = [...Object.keys(QUESTIONS), ...SENDING].filter((route) => registered.has(route));
  expect(open.map(([route]) => route).toSorted()).toEqual(known.toSorted());
  expect(Object.keys(QUESTIONS).filter((route) => !registered.has(route))).toEqual([]);
});

const everything = {
  ...{ recipients: null, templates: null, attachments: false, daily_budget: null, approval: 'none' },
};

const agents: readonly [string, () => Promise<AgentKey>][] = [
  ['without a policy', async () => plainAgent()],
  ['whose policy says nothing about it', () => fixture.newKey({ recipients: ['team.example'] })],
  ['whose policy says own', () => fixture.newKey({ read: 'own' })],
];

async function plainAgent(): Promise<AgentKey> {
  return (await fixture.owner.api('POST', '/api-keys', { name: 'plain', scope: 'agent' })).body.data;
}

describe.each(agents)('an agent %s', (_, made) => {
  let agent: AgentKey;

  beforeAll(async () => {
    agent = await made();
  });

  it.each(Object.keys(QUESTIONS))('learns nothing of mail of others from %s', async (route) => {
    const { paths, body, headers = bearer } = QUESTIONS[route] as Question;
    for (const path of paths()) {
      const { status, text } = await asked(route.split(' ')[0] ?? '', path, headers(agent.key), body);
      expect([path, SECRET.test(text)]).toEqual([path, false]);
      expect([path, status < 500]).toEqual([path, true]);
    }
  });

  it('sees only its own emails, batches and totals', async () => {
    const get = (path: string) => fixture.server.api('GET', path, undefined, agent.key);
    for (const path of [`/emails/${theirs.email}`, `/emails/${theirs.email}/explain`])
      expect([path, (await get(path)).status]).toEqual([path, 404]);
    expect((await get(`/emails/batch/${theirs.batch}`)).status).toBe(404);
    for (const path of ['/emails', '/emails?status=delivered', '/emails?from_date=2020-01-01'])
      expect((await get(path)).body).toMatchObject({ data: [], pagination: { total_count: 0 } });
    for (const path of ['/stats', '/suppressions']) {
      const { status, body } = await get(path);
      expect([status, body.error.code]).toEqual([403, 'FORBIDDEN']);
      expect(body.error.message).toMatch(/read: organization/);
    }
  });

  it('finds the mail that it sent itself', async () => {
    const id = await sentBy(agent);
    const get = (path: string) => fixture.server.api('GET', path, undefined, agent.key);
    expect((await get(`/emails/${id}`)).body.data.subject).toBe('Mine');
    expect((await get(`/emails/${id}/explain`)).status).toBe(200);
    for (const query of ['', '?subject=Mine', '?to=own@team.example', '?search=Mine', '?include=addresses'])
      expect(idsIn(await get(`/emails${query}`))).toEqual([id]);
    const page = await get('/emails?limit=1&page=2');
    expect(page.body).toMatchObject({ data: [], pagination: { total_count: 1, total_pages: 1 } });
  });
});

const idsIn = ({ body }: Answer) => body.data.map((one: { id: string }) => one.id);

async function sentBy({ key }: AgentKey): Promise<string> {
  const mail = { ...letter(fixture.org), to: [{ email: 'own@team.example' }], subject: 'Mine' };
  return (await fixture.server.api('POST', '/emails/send', mail, key)).body.data.message_id;
}

describe('an agent that may read what the organization sent', () => {
  let key: string;

  beforeAll(async () => {
    key = (await fixture.newKey({ read: 'organization' })).key;
  });

  const get = (path: string) => fixture.server.api('GET', path, undefined, key);

  it('looks up what became of any mail, suppressions and statistics', async () => {
    expect((await get(`/emails/${theirs.email}`)).body.data.subject).toBe('Zebra figures');
    expect(idsIn(await get('/emails?search=figures'))).toEqual([theirs.email]);
    expect((await get(`/emails/batch/${theirs.batch}`)).body.data.total).toBe(1);
    expect((await get('/suppressions?search=zebra')).body.data).toHaveLength(1);
    expect((await get('/stats')).status).toBe(200);
  });

  it('reads the content of none', async () => {
    expect((await get(`/emails/${theirs.email}/content`)).status).toBe(403);
    const { text } = await asked('GET', `/compat/resend/emails/${theirs.email}`, bearer(key));
    expect(text).not.toMatch(SECRET);
  });

  it('is not a key of scope send', async () => {
    const { status, body } = await fixture.owner.api('POST', '/api-keys', {
      ...{ name: 'x', scope: 'send', policy: { read: 'organization' } },
    });
    expect([status, body.error.details[0].field]).toEqual([400, 'policy.read']);
  });
});

describe('the content of an agent’s own mail', () => {
  it('is not told in the words of other services', async () => {
    const { key } = await fixture.newKey({});
    const mail = { ...letter(fixture.org), text: 'Zebra content' };
    const { body } = await fixture.server.api('POST', '/emails/send', mail, key);
    const id = body.data.message_id;
    const resend = await asked('GET', `/compat/resend/emails/${id}`, bearer(key));
    const details = `/compat/postmark/messages/outbound/${id}/details`;
    const postmarks = await asked('GET', details, postmark(key));
    expect([resend.status, postmarks.status]).toEqual([200, 200]);
    expect(resend.text + postmarks.text).not.toMatch(SECRET);
  });
});

describe('the tools of an agent over MCP', () => {
  const GIVEN: Readonly<Record<string, () => Record<string, unknown>>> = {
    get_email: () => ({ id: theirs.email }),
    search_emails: () => ({ subject: 'zebra' }),
    preview_template: () => ({ template: 'welcome', data: { name: 'Ann' } }),
  };

  async function connected(key: string): Promise<Client> {
    const client = new Client({ name: 'test', version: '1' });
    const url = new URL(`${fixture.server.url}/mcp`);
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers: bearer(key) } }));
    return client;
  }

  const namesOf = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name);

  it('that look things up tell nothing of mail of others', async () => {
    const client = await connected((await plainAgent()).key);
    const readOnly = MAIL_TOOLS.filter((tool) => tool.readOnly).map(({ name }) => name);
    const names = (await namesOf(client)).filter((name) => readOnly.includes(name));
    expect(names).toContain('search_emails');
    for (const name of names) {
      const { content } = await client.callTool({ name, arguments: GIVEN[name]?.() ?? {} });
      expect([name, SECRET.test(JSON.stringify(content))]).toEqual([name, false]);
    }
    await client.close();
  });

  it('are without those about all mail, unless the policy says organization', async () => {
    const [own, all] = [await plainAgent(), await fixture.newKey({ read: 'organization' })];
    const clients = [await connected(own.key), await connected(all.key)];
    const [few = [], many = []] = await Promise.all(clients.map(namesOf));
    expect(many.filter((name) => !few.includes(name)).toSorted()).toEqual(['get_stats', 'list_suppressions']);
    await Promise.all(clients.map((client) => client.close()));
  });
});

it('lists nothing to a key of Mailgun’s form that it would not list here', async () => {
  const { key } = await plainAgent();
  const path = `/compat/mailgun/v3/${fixture.org.domain}/bounces`;
  expect((await asked('GET', path, mailgun(key))).status).toBe(403);
});
