/**
 * A key can do as much in another service's words as in ours, and leaves the same behind in the audit log. The routes and
 * their rules are those that a server registers: one that a dialect gains is missing here until its counterpart is named.
 */
import diagnostics from 'node:diagnostics_channel';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { isAllowed } from '../../src/http/access.ts';
import type { Principal } from '../../src/http/principal.ts';
import { domainName } from '../support/addresses.ts';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';

const KINDS = ['full', 'read', 'send', 'tied full', 'tied read', 'tied send'] as const;
type Kind = (typeof KINDS)[number];

/** Keys that may change anything, and nothing but what is of their domain. */
const CHANGING: readonly Kind[] = ['full'];
const CHANGING_TIED: readonly Kind[] = ['full', 'tied full'];

/** By what each does: a route of ours, or where there is none, who may call it. */
const COUNTERPARTS: Readonly<Record<string, Readonly<Record<string, string | readonly Kind[]>>>> = {
  resend: {
    'POST /emails': 'POST /emails/send',
    'POST /emails/batch': 'POST /emails/batch/mixed',
    'GET /emails': 'GET /emails',
    'GET /emails/:id': 'GET /emails/:id',
    'GET /emails/:id/attachments': 'GET /emails/:id/content',
    'GET /emails/:id/attachments/:file': 'GET /emails/:id/content',
    'PATCH /emails/:id': 'PATCH /emails/:id',
    'POST /emails/:id/cancel': 'POST /emails/:id/cancel',
    'GET /domains': 'GET /domains',
    'GET /domains/:id': 'GET /domains/:id',
    'POST /domains': 'POST /domains',
    'PATCH /domains/:id': 'PUT /domains/:id/tracking',
    // It answers nothing but that records were looked for: for a key that cannot have that kept, it would do nothing.
    'POST /domains/:id/verify': CHANGING_TIED,
    'DELETE /domains/:id': 'DELETE /domains/:id',
    'POST /api-keys': 'POST /api-keys',
    'GET /api-keys': 'GET /api-keys',
    'DELETE /api-keys/:id': 'DELETE /api-keys/:id',
    'POST /suppressions': 'POST /suppressions',
    'GET /suppressions': 'GET /suppressions',
    'GET /suppressions/:id': 'GET /suppressions',
    'DELETE /suppressions/:id': 'DELETE /suppressions/:id',
    'POST /suppressions/batch/add': 'POST /suppressions/import',
    'POST /suppressions/batch/remove': 'DELETE /suppressions/:id',
    'GET /templates': 'GET /templates',
    'GET /templates/:id': 'GET /templates/:id',
    'POST /templates': 'POST /templates',
    'PATCH /templates/:id': 'PUT /templates/:id',
    'DELETE /templates/:id': 'DELETE /templates/:id',
    'POST /templates/:id/publish': CHANGING,
    'POST /templates/:id/duplicate': 'POST /templates',
    'GET /webhooks': 'GET /webhooks',
    'GET /webhooks/:id': 'GET /webhooks/:id',
    'POST /webhooks': 'POST /webhooks',
    'PATCH /webhooks/:id': 'PATCH /webhooks/:id',
    'DELETE /webhooks/:id': 'DELETE /webhooks/:id',
    'POST /webhooks/:id/signing-secret/rotate': 'POST /webhooks/:id/rotate-secret',
  },
  sendgrid: {
    'POST /v3/mail/send': 'POST /emails/batch/mixed',
    'GET /v3/scopes': 'GET /organization',
    'GET /v3/suppression/bounces': 'GET /suppressions',
    'DELETE /v3/suppression/bounces': 'DELETE /suppressions/:id',
    'GET /v3/suppression/bounces/:email': 'GET /suppressions',
    'DELETE /v3/suppression/bounces/:email': 'DELETE /suppressions/:id',
    'GET /v3/suppression/spam_reports': 'GET /suppressions',
    'DELETE /v3/suppression/spam_reports': 'DELETE /suppressions/:id',
    'GET /v3/suppression/spam_reports/:email': 'GET /suppressions',
    'DELETE /v3/suppression/spam_reports/:email': 'DELETE /suppressions/:id',
    'GET /v3/asm/suppressions/global/:email': 'GET /suppressions',
    'POST /v3/asm/suppressions/global': 'POST /suppressions',
    'DELETE /v3/asm/suppressions/global/:email': 'DELETE /suppressions/:id',
  },
  postmark: {
    'POST /email': 'POST /emails/send',
    'POST /email/withTemplate': 'POST /emails/send',
    'POST /email/batch': 'POST /emails/batch/mixed',
    'POST /email/batchWithTemplates': 'POST /emails/batch/mixed',
    'GET /messages/outbound': 'GET /emails',
    'GET /messages/outbound/:id/details': 'GET /emails/:id',
    'GET /messages/outbound/:id/dump': 'GET /emails/:id/raw',
    'GET /messages/outbound/opens': 'GET /events',
    'GET /messages/outbound/opens/:id': 'GET /emails/:id',
    'GET /messages/outbound/clicks': 'GET /events',
    'GET /messages/outbound/clicks/:id': 'GET /emails/:id',
    'GET /bounces': 'GET /events',
    'GET /bounces/:id': 'GET /events',
    'GET /bounces/:id/dump': 'GET /events',
    'PUT /bounces/:id/activate': 'DELETE /suppressions/:id',
    'GET /deliverystats': 'GET /stats',
    'GET /deliveryStats': 'GET /stats',
    'GET /stats/outbound': 'GET /stats',
    'GET /message-streams/:stream/suppressions/dump': 'GET /suppressions/export',
    'POST /message-streams/:stream/suppressions': 'POST /suppressions',
    'POST /message-streams/:stream/suppressions/delete': 'DELETE /suppressions/:id',
    'GET /templates': 'GET /templates',
    'GET /templates/:id': 'GET /templates/:id',
    'POST /templates': 'POST /templates',
    'POST /templates/': 'POST /templates',
    'PUT /templates/:id': 'PUT /templates/:id',
    'DELETE /templates/:id': 'DELETE /templates/:id',
    'POST /templates/validate': 'POST /templates/:id/preview',
    'GET /server': 'GET /settings/tracking',
    'GET /message-streams': 'GET /organization',
    'GET /message-streams/:id': 'GET /organization',
  },
  mailgun: {
    'POST /v3/:domain/messages': 'POST /emails/send',
    'POST /v3/:domain/messages.mime': 'POST /emails/send',
    'GET /v4/address/validate': 'POST /emails/validate',
    ...Object.assign(
      {},
      ...['bounces', 'complaints', 'unsubscribes'].map((list) => ({
        [`GET /v3/:domain/${list}`]: 'GET /suppressions',
        [`POST /v3/:domain/${list}`]: 'POST /suppressions',
        [`GET /v3/:domain/${list}/:address`]: 'GET /suppressions',
        [`DELETE /v3/:domain/${list}/:address`]: 'DELETE /suppressions/:id',
      })),
    ),
  },
};

let server: TestApi;
let org: TestOrganization;
const registered = new Map<string, RouteOptions>();

function note(message: unknown): void {
  const { fastify } = message as { fastify: FastifyInstance };
  fastify.addHook('onRoute', (route) => {
    if (route.config?.public !== true && route.method !== 'HEAD')
      registered.set(`${String(route.method)} ${route.url}`, route);
  });
}

beforeAll(async () => {
  diagnostics.subscribe('fastify.initialization', note);
  server = await startApi();
  diagnostics.unsubscribe('fastify.initialization', note);
  org = await server.createOrganization();
});
afterAll(() => server.stop());

function registeredUnder(prefix: string, route: string): RouteOptions {
  const [method, path] = route.split(' ');
  const found = registered.get(`${method} ${prefix}${path}`);
  if (found === undefined) throw new Error(`There is no ${route} under ${prefix}.`);
  return found;
}

function allowedTo({ config = {}, method }: RouteOptions): Kind[] {
  return KINDS.filter((kind) => {
    const [scope, isTied] = kind.split(' ').toReversed() as [Principal['scope'], string?];
    const domain = isTied === undefined ? null : domainName('tied.test');
    return isAllowed({ organizationId: org.id, keyId: 'key_1', scope, domain }, config, String(method));
  });
}

it('every dialect that the server registers has a table of counterparts', () => {
  const names = [...registered.values()].flatMap(({ url }) => /^\/compat\/([^/]+)/.exec(url)?.[1] ?? []);
  expect([...new Set(names)].sort()).toEqual(Object.keys(COUNTERPARTS).sort());
});

describe.each(Object.entries(COUNTERPARTS))('of %s', (dialect, table) => {
  const prefix = `/compat/${dialect}`;

  it('every route has a counterpart', () => {
    const routes = [...registered.keys()].filter((route) => route.includes(` ${prefix}/`));
    expect(routes.map((route) => route.replace(prefix, '')).sort()).toEqual(Object.keys(table).sort());
  });

  it.each(Object.entries(table))('%s is for whom %s is for, and audited like it', (route, counterpart) => {
    const theirs = registeredUnder(prefix, route);
    const ours = typeof counterpart === 'string' ? registeredUnder('/api/v1', counterpart) : null;
    expect(allowedTo(theirs)).toEqual(ours === null ? counterpart : allowedTo(ours));
    expect(theirs.config?.audit?.action).toBe(ours?.config?.audit?.action);
  });
});

interface Entry {
  readonly action: string;
  readonly target_id: string | null;
  readonly target_name: string | null;
  readonly details: object;
}

const newest = adHoc<Entry>(
  `SELECT action, target_id, target_name, details FROM audit_log WHERE organization_id = $1 ORDER BY id DESC LIMIT 1`,
);

/** Ids begin with what they are of; those of two things differ. */
async function audited(call: Promise<{ readonly status: number }>): Promise<Entry> {
  expect((await call).status).toBeLessThan(300);
  const { target_id: id, ...entry } = await server.db.one(newest, [org.id]);
  return { ...entry, target_id: id?.replace(/_.*$/, '') ?? null };
}

async function idOfDomain(name: string): Promise<string> {
  const { body } = await server.api('GET', '/domains', undefined, org.key);
  return body.data.find(({ domain }: { domain: string }) => domain === name).id;
}

type Call = (method: string, path: string, body?: unknown) => Promise<{ status: number; data: Made }>;
interface Made {
  readonly id: string;
  readonly TemplateId: number;
}

const ours: Call = async (method, path, body) => {
  const { status, body: answer } = await server.api(method, path, body, org.key);
  return { status, data: answer.data };
};

const under =
  (dialect: string, headers: () => Record<string, string>): Call =>
  async (method, path, body) => {
    const response = await fetch(`${server.url}/compat/${dialect}${path}`, {
      method,
      headers: { ...headers(), ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, data: text === '' ? {} : JSON.parse(text) };
  };

const bearer = () => ({ authorization: `Bearer ${org.key}` });
const resend = under('resend', bearer);
const sendgrid = under('sendgrid', bearer);
const postmark = under('postmark', () => ({ 'x-postmark-server-token': org.key }));
const mailgun = under('mailgun', () => ({
  authorization: `Basic ${Buffer.from(`api:${org.key}`).toString('base64')}`,
}));

describe('the audit log says the same of', () => {
  it('keys', async () => {
    const asked = { name: 'CI', scope: 'full' };
    expect(await audited(resend('POST', '/api-keys', { name: 'CI' }))).toEqual(
      await audited(ours('POST', '/api-keys', asked)),
    );
    const made = [await ours('POST', '/api-keys', asked), await ours('POST', '/api-keys', asked)];
    const [one, other] = made.map(({ data }) => `/api-keys/${data.id}`) as [string, string];
    expect(await audited(resend('DELETE', one))).toEqual(await audited(ours('DELETE', other)));
  });

  it('domains', async () => {
    const name = 'a.example';
    const created = await audited(ours('POST', '/domains', { domain: name }));
    const deleted = await audited(ours('DELETE', `/domains/${await idOfDomain(name)}`));
    expect(await audited(resend('POST', '/domains', { name }))).toEqual(created);
    expect(await audited(resend('DELETE', `/domains/${await idOfDomain(name)}`))).toEqual(deleted);
  });

  it('templates', async () => {
    const fields = { name: 'T', subject: 'S', text: 'T' };
    const pathOfNew = async () => `/templates/${(await ours('POST', '/templates', fields)).data.id}`;
    const own = await pathOfNew();
    const created = await audited(ours('POST', '/templates', fields));
    const updated = await audited(ours('PUT', own, { subject: 'New' }));
    const deleted = await audited(ours('DELETE', own));

    const path = await pathOfNew();
    const copied = { ...created, target_name: 'Copy of T' };
    expect(await audited(resend('POST', '/templates', fields))).toEqual(created);
    expect(await audited(resend('POST', `${path}/duplicate`))).toEqual(copied);
    expect(await audited(resend('PATCH', path, { subject: 'New' }))).toEqual(updated);
    expect(await audited(resend('DELETE', path))).toEqual(deleted);

    const theirs = { Name: 'T', Subject: 'S', TextBody: 'T' };
    const { data } = await postmark('POST', '/templates', theirs);
    expect(await audited(postmark('POST', '/templates', { ...theirs, Alias: 'known' }))).toEqual(created);
    expect(await audited(postmark('PUT', '/templates/known', { Subject: 'New' }))).toEqual(updated);
    expect(await audited(postmark('DELETE', `/templates/${data.TemplateId}`))).toEqual(deleted);
  });

  it('webhooks', async () => {
    const url = 'http://127.0.0.1:9/';
    const created = await audited(ours('POST', '/webhooks', { url }));
    const { data: own } = await ours('POST', '/webhooks', { url });
    const updated = await audited(ours('PATCH', `/webhooks/${own.id}`, { enabled: false }));
    const rotated = await audited(ours('POST', `/webhooks/${own.id}/rotate-secret`));
    const deleted = await audited(ours('DELETE', `/webhooks/${own.id}`));

    const asked = { endpoint: url, events: ['email.sent'] };
    expect(await audited(resend('POST', '/webhooks', asked))).toEqual(created);
    const { data: theirs } = await resend('POST', '/webhooks', asked);
    const path = `/webhooks/${theirs.id}`;
    expect(await audited(resend('PATCH', path, { status: 'disabled' }))).toEqual(updated);
    expect(await audited(resend('POST', `${path}/signing-secret/rotate`))).toEqual(rotated);
    expect(await audited(resend('DELETE', path))).toEqual(deleted);
  });

  it.each([
    {
      service: 'Resend',
      reason: 'manual',
      add: () => resend('POST', '/suppressions', { email: STOP }),
      remove: () => resend('DELETE', `/suppressions/${STOP}`),
    },
    {
      service: 'SendGrid',
      reason: 'unsubscribe',
      add: () => sendgrid('POST', '/v3/asm/suppressions/global', { recipient_emails: [STOP] }),
      remove: () => sendgrid('DELETE', `/v3/asm/suppressions/global/${STOP}`),
    },
    {
      service: 'Postmark',
      reason: 'manual',
      add: () => postmark('POST', STREAM, LISTED),
      remove: () => postmark('POST', `${STREAM}/delete`, LISTED),
    },
    ...(['hard_bounce', 'complaint', 'unsubscribe'] as const).map((reason, index) => {
      const path = () => `/v3/${org.domain}/${['bounces', 'complaints', 'unsubscribes'][index]}`;
      return {
        service: 'Mailgun',
        reason,
        add: () => mailgun('POST', path(), [{ address: STOP }]),
        remove: () => mailgun('DELETE', `${path()}/${STOP}`),
      };
    }),
  ])('an address that is suppressed ($reason) and mailed again through $service', async (theirs) => {
    const asked = { email: STOP, reason: theirs.reason };
    const created = await audited(ours('POST', '/suppressions', asked));
    const { data } = await ours('POST', '/suppressions', asked);
    const deleted = await audited(ours('DELETE', `/suppressions/${data.id}`));
    // Services that know addresses alone have no id to tell.
    const target_id = theirs.service === 'Resend' ? 'sup' : null;
    expect(await audited(theirs.add())).toEqual({ ...created, target_id });
    expect(await audited(theirs.remove())).toEqual({ ...deleted, target_id });
  });
});

const STOP = 'stop@example.org';
const STREAM = '/message-streams/outbound/suppressions';
const LISTED = { Suppressions: [{ EmailAddress: STOP }] };

describe('a key that only sends', () => {
  it('learns what became of its mail in any dialect, and reads none of it', async () => {
    const key = await server.createKey(org.id, { scope: 'send' });
    const letter = { from: `a@${org.domain}`, to: 'ada@example.org', subject: 'Hi', text: 'Between us' };
    const asSender = under('resend', () => ({ authorization: `Bearer ${key}` }));
    const { data } = await asSender('POST', '/emails', letter);
    expect(await asSender('GET', `/emails/${data.id}`)).toMatchObject({
      status: 200,
      data: { id: data.id, subject: 'Hi', last_event: 'queued', html: null, text: null },
    });
    const asServer = under('postmark', () => ({ 'x-postmark-server-token': key }));
    expect(await asServer('GET', `/messages/outbound/${data.id}/details`)).toMatchObject({
      status: 200,
      data: { MessageID: data.id, Subject: 'Hi', TextBody: null, HtmlBody: null, Body: '', Attachments: [] },
    });
    const { data: others } = await resend('POST', '/emails', letter);
    expect((await asSender('GET', `/emails/${others.id}`)).status).toBe(404);
    expect((await asServer('GET', `/messages/outbound/${others.id}/details`)).status).toBe(422);
  });
});
