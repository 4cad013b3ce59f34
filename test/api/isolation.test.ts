/**
 * Organizations never see data of each other. The routes come from the API's own description. A route with an id that is not in
 * the table below fails the test until it is added.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { siteId } from '../../src/delivery/scheduler/site-views.ts';
import { eventId } from '../../src/events/read.ts';
import { uuidv7 } from '../../src/runtime/ids.ts';
import { insertMessages } from '../../src/sandbox/store.ts';
import { addWebhookDelivery } from '../../src/webhooks/queue.ts';
import { sharedApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { sendLetter } from '../support/emails.ts';
import { insertReadMail } from '../support/receiving.ts';
import { until } from '../support/until.ts';

let server: TestApi;
let owner: TestOrganization;
let stranger: TestOrganization;
/** The owner's resources, by their name in paths. */
const owned = {
  email: '',
  key: '',
  message: '',
  domain: '',
  template: '',
  batch: '',
  suppression: '',
  import: '',
  webhook: '',
  site: '',
  hold: '',
  discardable: '',
  undo: '',
  refused: '',
  stream: '',
  unapproved: '',
  receiving: '',
  route: '',
  view: '',
  received: '',
};

/** In the order in which the owner can use them one after the other. */
const ROUTES: Record<string, { resource: keyof typeof owned; body?: unknown; status?: number }> = {
  'GET /sites/{id}': { resource: 'site' },
  'GET /streams/{name}': { resource: 'stream' },
  'PATCH /streams/{name}': { resource: 'stream', body: { priority: 'low' } },
  'DELETE /streams/{name}': { resource: 'stream' },
  'PATCH /views/{id}': { resource: 'view', body: { name: 'Renamed' } },
  'DELETE /views/{id}': { resource: 'view' },
  // Found by a domain's name and not by an id; its own test asks with both.
  'PUT /feedback-loops/{loop}/{subject}': { resource: 'domain', body: { enrolled: true }, status: 404 },
  'GET /inbound/{id}': { resource: 'received' },
  'GET /inbound/{id}/raw': { resource: 'received' },
  'GET /inbound/{id}/attachments/{number}': { resource: 'received' },
  'POST /inbound/{id}/reply': { resource: 'received', body: { text: 'Hello' }, status: 201 },
  'DELETE /inbound/{id}': { resource: 'received' },
  'GET /inbound/routes/{id}': { resource: 'route' },
  'PATCH /inbound/routes/{id}': { resource: 'route', body: { enabled: false } },
  'DELETE /inbound/routes/{id}': { resource: 'route' },
  'GET /inbound/domains/{domain}/verify': { resource: 'receiving' },
  'DELETE /inbound/domains/{domain}': { resource: 'receiving' },
  'GET /emails/{id}': { resource: 'email' },
  'GET /emails/{id}/content': { resource: 'email' },
  'GET /emails/{id}/attachments/{number}': { resource: 'email' },
  'GET /emails/{id}/events/{event_id}/webhook': { resource: 'email' },
  'GET /emails/{id}/suppressions': { resource: 'email' },
  // It is still to be sent, which only its owner is told.
  'POST /emails/{id}/resend': { resource: 'email', body: {}, status: 409 },
  'GET /emails/{id}/explain': { resource: 'email' },
  'GET /emails/{id}/proof': { resource: 'email' },
  // Nothing has been tried yet, which only its owner is told.
  'POST /emails/{id}/retry': { resource: 'email', status: 409 },
  'PATCH /emails/{id}': { resource: 'email', body: { scheduled_at: '2032-01-01T00:00:00Z' } },
  'GET /emails/{id}/raw': { resource: 'email' },
  'POST /emails/{id}/cancel': { resource: 'email' },
  'GET /emails/batch/{batch_id}': { resource: 'batch' },
  'GET /templates/{id}': { resource: 'template' },
  'GET /templates/{id}/versions': { resource: 'template' },
  'GET /templates/{id}/sends': { resource: 'template' },
  'PUT /templates/{id}': { resource: 'template', body: { name: 'Renamed' } },
  'POST /templates/{id}/preview': { resource: 'template', body: { data: {} } },
  'POST /templates/{id}/test': {
    resource: 'template',
    status: 201,
    get body() {
      return { from: { email: `a@${owner.domain}` }, to: { email: 'a@example.org' } };
    },
  },
  'POST /templates/{id}/test/dry-run': {
    resource: 'template',
    get body() {
      return { from: { email: `a@${owner.domain}` }, to: { email: 'a@example.org' } };
    },
  },
  'POST /templates/{id}/versions/{version}/restore': { resource: 'template' },
  'PUT /templates/{id}/draft': { resource: 'template', body: { text: 'Mine' } },
  'DELETE /templates/{id}/draft': { resource: 'template' },
  // There is no draft any more.
  'POST /templates/{id}/publish': { resource: 'template', status: 409 },
  'DELETE /templates/{id}': { resource: 'template' },
  'GET /suppressions/imports/{id}': { resource: 'import' },
  'DELETE /suppressions/{id}': { resource: 'suppression' },
  'GET /sandbox/messages/{id}': { resource: 'message' },
  'GET /sandbox/messages/{id}/raw': { resource: 'message' },
  'GET /sandbox/messages/{id}/checks': { resource: 'message' },
  'POST /sandbox/messages/{id}/actions': { resource: 'message', body: { action: 'open' }, status: 409 },
  'POST /sandbox/messages/{id}/links/check': { resource: 'message' },
  'PATCH /sandbox/messages/{id}': { resource: 'message', body: { is_read: true } },
  'DELETE /sandbox/messages/{id}': { resource: 'message' },
  'GET /domains/{id}': { resource: 'domain' },
  'GET /domains/{id}/verify': { resource: 'domain' },
  'GET /domains/{id}/reports/dmarc': { resource: 'domain' },
  'GET /domains/{id}/reports/tls': { resource: 'domain' },
  // It is not verified, which only its owner is told.
  'POST /sandbox/domains/{id}/reports': { resource: 'domain', status: 409 },
  'PUT /domains/{id}/tracking': { resource: 'domain', body: { track_clicks: 'html' } },
  'POST /domains/{id}/dkim/rotate': { resource: 'domain' },
  'DELETE /domains/{id}/dkim/rotate': { resource: 'domain' },
  'DELETE /domains/{id}': { resource: 'domain' },
  'GET /webhooks/{id}': { resource: 'webhook' },
  'PATCH /webhooks/{id}': { resource: 'webhook', body: { description: 'Changed' } },
  'POST /webhooks/{id}/rotate-secret': { resource: 'webhook' },
  'POST /webhooks/{id}/test': { resource: 'webhook', status: 202 },
  'GET /webhooks/{id}/deliveries': { resource: 'webhook' },
  'GET /webhooks/{id}/stats': { resource: 'webhook' },
  'GET /webhooks/{id}/deliveries/{delivery_id}': { resource: 'webhook' },
  'POST /webhooks/{id}/deliveries/{delivery_id}/replay': { resource: 'webhook', status: 202 },
  'POST /webhooks/{id}/replay': { resource: 'webhook', body: { since: '2026-01-01T00:00:00Z' }, status: 202 },
  'DELETE /webhooks/{id}': { resource: 'webhook' },
  'GET /holds/{id}': { resource: 'hold' },
  'POST /holds/{id}/release': { resource: 'hold' },
  'POST /holds/{id}/discard': { resource: 'discardable', body: { reason: 'Changed' } },
  'GET /undos/{id}': { resource: 'undo' },
  'GET /approvals/{id}': { resource: 'unapproved' },
  'GET /approvals/{id}/message': { resource: 'unapproved' },
  'GET /approvals/{id}/parts/{number}': { resource: 'unapproved' },
  'GET /approvals/{id}/raw': { resource: 'unapproved' },
  'PATCH /api-keys/{id}': { resource: 'key', body: { policy: { daily_budget: 1 } } },
  'GET /request-logs/{id}': { resource: 'refused' },
  'POST /api-keys/{id}/rotate': { resource: 'key', body: {}, status: 201 },
  'GET /api-keys/{id}/usage': { resource: 'key' },
  'DELETE /api-keys/{id}': { resource: 'key' },
};

let queuedEvent: string;
beforeAll(async () => {
  server = await sharedApi();
  owner = await server.createOrganization('Owner');
  stranger = await server.createOrganization('Stranger');
  owned.email = await sendLetter(server, owner, {
    scheduled_at: '2031-01-01T00:00:00Z',
    subject: 'Secret subject',
    tags: [{ name: 'secret', value: 'x' }],
  });
  const asMessage = adHoc(
    `UPDATE email_contents
     SET mime = convert_to(E'Subject: Secret subject\\r\\nContent-Disposition: attachment\\r\\n\\r\\nSecret', 'UTF8')
     WHERE email_id = $1`,
  );
  await server.db.exec(asMessage, [owned.email]);
  const { events } = (await server.api('GET', `/emails/${owned.email}`, undefined, owner.key)).body.data;
  queuedEvent = events[0].id;
  owned.key = (await server.api('POST', '/api-keys', { name: 'Secret key' }, owner.key)).body.data.id;
  owned.domain = (await server.api('POST', '/domains', { domain: 'secret.example' }, owner.key)).body.data.id;
  const made = async (path: string, body: object) =>
    (await server.api('POST', path, body, owner.key)).body.data;
  owned.template = (await made('/templates', { name: 'Secret', subject: 'Secret', text: 'Secret' })).id;
  owned.batch = (
    await made('/emails/batch', {
      template_id: owned.template,
      from: { email: `a@${owner.domain}` },
      recipients: [{ to: { email: 'batch@example.org' } }],
    })
  ).batch_id;
  owned.suppression = (await made('/suppressions', { email: 'secret@example.org', reason: 'manual' })).id;
  owned.import = (
    await made('/suppressions/import', { suppressions: [{ email: 'other-secret@example.org' }] })
  ).id;
  owned.stream = (await made('/streams', { name: 'secret-stream' })).name;
  const view = { list: 'emails', name: 'Secret view', query: { to: 'secret@example.org' }, shared: true };
  owned.view = (await made('/views', view)).id;
  owned.receiving = (await made('/inbound/domains', { domain: owner.domain })).domain;
  owned.route = (await made('/inbound/routes', { address: `secret@${owner.domain}` })).id;
  owned.received = await insertReadMail(server.db, { id: owner.id, address: `secret@${owner.domain}` });
  owned.webhook = (await made('/webhooks', { url: 'http://127.0.0.1:9/secret' })).id;
  await endedDelivery(owned.webhook, owner.id);
  owned.hold = (await made('/holds', { scope: 'tag', value: 'secret', ahead: true, reason: 'Secret' })).id;
  owned.discardable = (
    await made('/holds', { scope: 'tag', value: 'other', ahead: true, reason: 'Secret' })
  ).id;
  const hour = { from: '2026-01-01T00:00:00Z', to: '2026-01-01T01:00:00Z' };
  owned.undo = (await made('/undos', { ...hour, reason: 'Secret' })).id;
  const agent = { name: 'Agent', scope: 'agent', policy: { approval: 'required' } };
  const { key: agentKey } = await made('/api-keys', agent);
  owned.unapproved = await sendLetter(server, { ...owner, key: agentKey });
  owned.site = siteId('mx.secret.example');
  await server.db.exec(
    adHoc(
      `INSERT INTO site_domains (domain, site, provider) VALUES ('example.org', 'mx.secret.example', 'other')`,
    ),
  );
  const refused = {
    from: { email: 'a@secret.example' },
    to: [{ email: 'secret@example.org' }],
    subject: 'Secret',
    text: 'x',
  };
  await server.api('POST', '/emails/send', refused, owner.key);
  const logged = async () => (await server.api('GET', '/request-logs', undefined, owner.key)).body.data;
  owned.refused = (await until(logged, (entries) => entries.length > 0))[0].id;
  owned.message = uuidv7(Date.now());
  await insertMessages(server.db, [
    {
      organizationId: owner.id,
      id: owned.message,
      emailId: owned.email,
      position: 0,
      receivedAt: new Date(),
      mailFrom: 'bounce@example.org',
      rcptTo: 'ada@example.org',
      fromEmail: `news@${owner.domain}`,
      fromName: null,
      subject: 'Secret subject',
      raw: Buffer.from('Subject: Secret subject\r\n\r\nSecret text\r\n'),
    },
  ]);
});
afterAll(() => server.stop());

const ENDED_DELIVERY = '01a1dd5e-951b-704f-81e9-a76fd2c8ca20';

/** One that can be replayed: there is no worker here to send it. */
async function endedDelivery(endpointId: string, organizationId: string): Promise<void> {
  const event = { eventId: ENDED_DELIVERY, eventType: 'webhook.test', createdAt: new Date() };
  await addWebhookDelivery(server.db, { endpointId, organizationId, ...event });
  await server.db.exec(adHoc(`UPDATE webhook_deliveries SET state = 'failed'`));
}

/** `GET /emails/{id}` and so on, as the API describes itself; those that take a key. People: test/accounts. */
async function describedRoutes(): Promise<string[]> {
  const { paths } = (await (await fetch(`${server.url}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, { security?: readonly object[] }>>;
  };
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, { security }]) => security === undefined || security.some((one) => 'bearer' in one))
      .map(([method]) => `${method.toUpperCase()} ${path}`),
  );
}

function call(route: string, id: string, key: string) {
  const [method = '', path = ''] = route.split(' ');
  return server.api(
    method,
    path
      .replace(/\{(id|batch_id|name|domain)\}/, id)
      .replace('{version}', '1')
      .replace('{number}', '0')
      .replace('{event_id}', queuedEvent)
      .replace('{delivery_id}', eventId(ENDED_DELIVERY)),
    ROUTES[route]?.body,
    key,
  );
}

/** What happens, as it happens; whose it shows is tested where it is. */
const ENDLESS = 'GET /events/stream';

/** A fingerprint of everything that is stored, but for when a key was last used, and who did what, or was refused, for themselves. */
async function fingerprint(): Promise<Record<string, string | null>> {
  const tables = await server.db.many(
    adHoc<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace
       AND (relkind = 'p' OR relkind = 'r' AND NOT relispartition) AND relname NOT IN ('audit_log', 'request_logs', 'api_key_usage', 'secret_key_holders')`,
    ),
  );
  const prints = await Promise.all(
    tables.map(async ({ name }) => {
      const text = `SELECT md5(string_agg(line, E'\\n' ORDER BY line)) AS print
        FROM (SELECT (to_jsonb(t) - 'last_used_at')::text AS line FROM ${name} t) AS lines`;
      return [name, (await server.db.one(adHoc<{ print: string | null }>(text))).print] as const;
    }),
  );
  return Object.fromEntries(prints);
}

describe('another organization', () => {
  it('is kept out of every route with an id that there is', async () => {
    const withIds = (await describedRoutes()).filter((route) => route.includes('{'));
    expect(withIds.sort()).toEqual(Object.keys(ROUTES).sort());
  });

  it.each(Object.keys(ROUTES))('gets 404 and changes nothing at %s', async (route) => {
    const id = owned[ROUTES[route]?.resource ?? 'email'];
    const before = await fingerprint();
    expect(before.emails).not.toBeNull();
    const answer = await call(route, id, stranger.key);
    expect(answer.status).toBe(404);
    expect(answer.body.error).toMatchObject({ code: 'NOT_FOUND', details: [] });
    expect(JSON.stringify(answer.body)).not.toContain(id);
    expect(await fingerprint()).toEqual(before);
  });

  it('cannot tell what exists from what does not', async () => {
    for (const route of Object.keys(ROUTES)) {
      const real = await call(route, owned[ROUTES[route]?.resource ?? 'email'], stranger.key);
      for (const id of ['00000000-0000-7000-8000-000000000000', 'key_00000000000000000000', 'x']) {
        expect((await call(route, id, stranger.key)).body).toEqual(real.body);
      }
    }
  });

  it('finds nothing foreign in any list', async () => {
    const lists = (await describedRoutes()).filter((route) => /^GET [^{]+$/.test(route));
    expect(lists).toEqual(expect.arrayContaining(['GET /emails', 'GET /api-keys', 'GET /sandbox/messages']));
    // One who has not asked for any of it yet: what was refused is logged.
    const newcomer = await server.createOrganization('Newcomer');
    for (const route of lists) {
      if (route === ENDLESS) continue;
      const path = route.slice('GET '.length);
      const text = JSON.stringify((await server.api('GET', path, undefined, newcomer.key)).body);
      for (const secret of [...Object.values(owned), owner.id, owner.domain, 'Secret']) {
        expect(text).not.toContain(secret);
      }
    }
  });

  it.each(['subject=secret', 'tag=secret', 'to=ada@example.org', 'status=queued', 'from_date=2020-01-01'])(
    'finds nothing foreign by filter: %s',
    async (filter) => {
      const { body } = await server.api('GET', `/emails?${filter}`, undefined, stranger.key);
      expect(body).toMatchObject({ data: [], pagination: { total_count: 0 } });
    },
  );

  it('empties only its own inbox', async () => {
    const before = await fingerprint();
    const answer = await server.api('DELETE', '/sandbox/messages', undefined, stranger.key);
    expect(answer.body).toEqual({ data: { deleted: 0 } });
    expect(await fingerprint()).toEqual(before);
  });

  it('cannot send from a domain that is not its own', async () => {
    const before = await fingerprint();
    const body = {
      from: { email: `a@${owner.domain}` },
      to: [{ email: 'a@example.org' }],
      subject: 'x',
      text: 'x',
    };
    const answer = await server.api('POST', '/emails/send', body, stranger.key);
    expect(answer.body.error.code).toBe('DOMAIN_NOT_VERIFIED');
    expect(await fingerprint()).toEqual(before);
  });
});

describe('the organization itself', () => {
  it('gets its own at every route, so the ids above were real', async () => {
    for (const [route, { resource, status = 200 }] of Object.entries(ROUTES)) {
      expect([route, (await call(route, owned[resource], owner.key)).status]).toEqual([route, status]);
    }
  });
});
