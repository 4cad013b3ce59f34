/** Every page of the dashboard, with something on it. */

import { adHoc } from '../../src/database/sql.ts';
import { ALL_WELL, narrowed, slowed, suspended } from '../../src/delivery/scheduler/site-condition.ts';
import { insertReadMail } from '../support/receiving.ts';
import { until } from '../support/until.ts';
import type { BrowserFixture, Visitor } from './fixture.ts';
import { moveSome } from './moved-mail.ts';
import { reportAbout } from './reported-domain.ts';
import { letMailWait } from './waiting-mail.ts';

export interface PageOfDashboard {
  readonly name: string;
  readonly path: string;
  /** What is there when the page has its data. */
  readonly ready: string | RegExp;
  /** The heading that a picture of it begins with, where that is not the first. */
  readonly shows?: string;
  /** Opens what is to be looked at. */
  readonly act?: (visitor: Visitor) => Promise<void>;
}

/** A mail at an address of the organization's. */
async function receiveMail({ api, organization }: BrowserFixture, owner: Visitor): Promise<string> {
  const domain = `reply.${organization.domain}`;
  await owner.call('POST', '/inbound/domains', { domain });
  const route = { address: `support@${domain}`, description: 'Goes to the help desk' };
  await owner.call('POST', '/inbound/routes', route);
  return insertReadMail(api.db, { id: organization.id, address: `support@${domain}` });
}

/** Mail of every outcome, and one of each thing that has a page. */
export async function furnish(fixture: BrowserFixture, owner: Visitor): Promise<PageOfDashboard[]> {
  const { delivered, broken } = await furnishOrdinaryDay(fixture, owner);
  await owner.call('POST', '/suppressions', { email: 'left@example.org', reason: 'unsubscribe' });
  await owner.call('POST', '/suppressions', { email: 'angry@example.org', reason: 'complaint' });
  const turning = await owner.call('POST', '/domains', { domain: 'a-rather-long-name.invalid' });
  await owner.call('POST', `/domains/${turning.body.data.id}/dkim/rotate`);
  const template = await owner.call('POST', '/templates', TEMPLATE);
  await owner.call('PUT', `/templates/${template.body.data.id}`, { subject: 'Your receipt, {{name}}' });
  const hook = { url: 'http://127.0.0.1:9/hooks/mail', description: 'Shop, production' };
  const webhook = await owner.call('POST', '/webhooks', hook);
  await owner.call('POST', `/webhooks/${webhook.body.data.id}/test`);
  await owner.call('POST', '/members/invites', { email: 'grace@example.org', role: 'member' });
  const inbox = await owner.call('GET', '/sandbox/messages?to=ada@example.org');
  const held = { scope: 'tag', value: 'campaign:spring', ahead: true, reason: 'Wrong prices' };
  const hold = await owner.call('POST', '/holds', held);
  const stopped = await sendHeld(fixture);
  const unapproved = await handIn(fixture, owner);
  const waiting = await holdMailUp(fixture);
  await owner.call('PUT', '/routes', ROUTES);
  await rememberWarmUp(fixture);
  await owner.call('POST', '/streams', NEWS);
  await moveSome(fixture);
  const sites = await owner.call('GET', '/sites');
  return pages({
    email: delivered,
    domain: broken,
    turning: turning.body.data.id,
    template: template.body.data.id,
    webhook: webhook.body.data.id,
    message: inbox.body.data[0].id,
    site: sites.body.data.find((one: { name: string }) => one.name === SLOW).id,
    waiting,
    stopped,
    hold: hold.body.data.id,
    unapproved,
    received: await receiveMail(fixture, owner),
    refused: await refuseMail(fixture),
    reported: await reportAbout(fixture),
  });
}

/** A month of mail, and one domain that is not verified. Resolves with the ids of a delivered email and of the domain. */
export async function furnishOrdinaryDay(fixture: BrowserFixture, owner: Visitor) {
  const delivered = await sendMail(fixture);
  await rememberYesterday(fixture);
  const broken: string = (await owner.call('POST', '/domains', { domain: 'shop.invalid' })).body.data.id;
  await owner.call('GET', `/domains/${broken}/verify`);
  return { delivered, broken };
}

type Id =
  | 'reported'
  | 'received'
  | 'refused'
  | 'email'
  | 'domain'
  | 'turning'
  | 'template'
  | 'webhook'
  | 'message'
  | 'site'
  | 'waiting'
  | 'stopped'
  | 'hold'
  | 'unapproved';

function pages(ids: Readonly<Record<Id, string>>) {
  const list: PageOfDashboard[] = [
    { name: 'overview', path: '/', ready: 'Needs attention' },
    { name: 'emails', path: '/emails', ready: 'blocked@simulator.test' },
    { name: 'emails-search', path: '/emails?search=angry', ready: /^angry@example\.org is suppressed/ },
    { name: 'email', path: `/emails/${ids.email}`, ready: /said 250/ },
    { name: 'logs', path: '/logs', ready: 'refused@example.org' },
    { name: 'log-entry', path: `/logs/${ids.refused}`, ready: 'Content of the request' },
    { name: 'compose', path: '/compose', ready: 'Simulator addresses' },
    { name: 'inbox', path: '/inbox', ready: 'Your receipt 1042' },
    { name: 'message', path: `/inbox/${ids.message}`, ready: 'Envelope' },
    {
      name: 'message-checks',
      path: `/inbox/${ids.message}?tab=checks`,
      ready: 'Support by mail clients',
    },
    {
      name: 'email-attachments',
      path: `/emails/${ids.email}?tab=attachments`,
      ready: 'Nothing is attached.',
    },
    { name: 'templates', path: '/templates', ready: 'Receipt' },
    { name: 'template', path: `/templates/${ids.template}`, ready: 'Your receipt, Ada' },
    { name: 'deliverability', path: '/deliverability', ready: 'Trend' },
    { name: 'deliverability-reasons', path: '/deliverability?by=reason&range=7d', ready: 'Trend' },
    { name: 'sites', path: '/sites', ready: 'fewer connections' },
    { name: 'site', path: `/sites/${ids.site}`, ready: 'Reply of the server' },
    { name: 'approvals', path: '/approvals', ready: 'An offer' },
    { name: 'approval', path: `/approvals/${ids.unapproved}`, ready: 'Every part of the message' },
    { name: 'holds', path: '/holds', ready: 'Wrong prices' },
    { name: 'hold', path: `/holds/${ids.hold}`, ready: 'Placed by' },
    { name: 'release-hold', path: '/holds', ready: /(is|are) sent/, act: openRelease },
    { name: 'undo', path: '/undo', ready: 'Recover these emails', act: lookForBounces },
    { name: 'waiting-email', path: `/emails/${ids.waiting}`, ready: /^Waiting for/ },
    { name: 'held-email', path: `/emails/${ids.stopped}`, ready: /^Wrong prices$/ },
    { name: 'received', path: '/inbound', ready: 'Hello' },
    { name: 'received-mail', path: `/inbound/${ids.received}`, ready: 'note.txt' },
    { name: 'received-addresses', path: '/inbound/addresses', ready: /^support@reply/ },
    { name: 'domains', path: '/domains', ready: 'shop.invalid' },
    { name: 'domain', path: `/domains/${ids.domain}`, ready: /has no SPF record/ },
    {
      name: 'domain-reports',
      path: `/domains/${ids.reported}?tab=reports`,
      ready: /from 203\.0\.113\.9 fails both/,
      shows: 'What receivers report',
    },
    {
      name: 'dkim-rotation',
      path: `/domains/${ids.turning}?tab=dkim`,
      ready: 'Cancel the rotation',
      shows: 'DKIM key rotation',
    },
    { name: 'suppressions', path: '/suppressions', ready: 'left@example.org' },
    { name: 'erase-address', path: '/suppressions', ready: 'Erase permanently', act: openErase },
    { name: 'validation', path: '/validation', ready: 'Risk score', act: validateSome },
    { name: 'webhooks', path: '/webhooks', ready: 'Shop, production' },
    { name: 'webhook', path: `/webhooks/${ids.webhook}`, ready: 'webhook.test' },
    { name: 'settings', path: '/settings', ready: 'Retention' },
    { name: 'api-keys', path: '/settings/api-keys', ready: 'active' },
    { name: 'streams', path: '/settings/streams', ready: '600 a minute' },
    { name: 'edit-stream', path: '/settings/streams', ready: 'Edit product-news', act: openStream },
    { name: 'members', path: '/settings/members', ready: 'grace@example.org' },
    { name: 'account', path: '/settings/account', ready: 'Two-factor authentication' },
    { name: 'audit-log', path: '/settings/audit-log', ready: /^invited/ },
    { name: 'routes', path: '/settings/routes', ready: 'smtp://shop@relay.example.net:587' },
    {
      name: 'routes-explained',
      path: '/settings/routes',
      ready: /It goes through relay acme/,
      act: askForRoute,
    },
    { name: 'warm-up', path: '/settings/routes', ready: 'Curve and mail', shows: 'Warming up' },
    { name: 'edit-transport', path: '/settings/routes', ready: 'Edit acme', act: openTransport },
    { name: 'edit-pool', path: '/settings/routes', ready: 'Edit pool', act: openPool },
    { name: 'edit-rule', path: '/settings/routes', ready: 'Edit rule 1', act: openRule },
    { name: 'doctor', path: '/settings/doctor', ready: 'Not checked yet' },
    { name: 'doctor-report', path: '/settings/doctor', ready: /is not fully qualified/, act: examineNow },
    { name: 'palette', path: '/emails', ready: 'blocked@simulator.test', act: openPalette },
    { name: 'new-key', path: '/settings/api-keys', ready: 'active', act: openNewKey },
  ];
  return list;
}

const NEWS = { name: 'product-news', description: 'Every other Tuesday', messages_per_minute: 600 };

const ROUTES = {
  version: 0,
  transports: [
    { name: 'acme', kind: 'relay', url: 'smtp://shop@relay.example.net:587', password: 'hunter2' },
    {
      name: 'pool',
      kind: 'direct',
      sources: [
        { address: '192.0.2.7', ehlo_name: 'out7.example.org', weight: 3 },
        { address: '192.0.2.8', warm_up: { since: dayAgo(5) } },
      ],
    },
  ],
  rules: [
    {
      name: 'Newsletters',
      match: { streams: ['broadcast'], providers: ['google', 'microsoft'] },
      steps: [{ choices: [{ transport: 'pool', weight: 3 }, { transport: 'acme' }] }],
    },
    {
      match: { recipient_domains: ['*.example.org', 'example.org'] },
      steps: [{ choices: [{ transport: 'acme' }] }, { choices: [{ transport: 'default' }] }],
      canary: { name: 'off-acme', to: 'pool' },
    },
  ],
};

/** Of an address that went well at first, and then did not. */
export async function rememberWarmUp({ api }: BrowserFixture): Promise<void> {
  const days = [50, 100, 150, 150, 60].map((used, n) => [dayAgo(4 - n), used, n === 3 ? 20 : 0] as const);
  for (const [day, used, objected] of days)
    await api.db.exec(
      adHoc(`INSERT INTO source_days (address, provider, day, used, delivered, objected)
             VALUES ('192.0.2.8', 'google', $1, $2::int, $2::int - $3::int, $3::int)`),
      [day, used, objected],
    );
}

function dayAgo(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
}

const SLOW = '(mx1|mx2|mx3).slow-provider.example';

/** A site of every kind that makes mail wait; resolves with the id of an email that does. */
async function holdMailUp(fixture: BrowserFixture): Promise<string> {
  const moment = { nowMs: Date.now() - 25 * 60_000, random: () => 0.5, speed: 1 };
  const less = {
    reason: 'rate_limited',
    detail:
      '4.7.1 Too much mail from your network; try again later, see https://postmaster.slow-provider.example/',
  } as const;
  const many = { reason: 'rate_limited', detail: '4.7.0 Too many connections' } as const;
  const gone = { reason: 'connection_timed_out', detail: 'connect: no answer within 30 s' } as const;
  const conditions = [
    {
      domain: 'slow.test',
      site: SLOW,
      condition: slowed(ALL_WELL, less, { sent: 60, took: 0, takenSince: 0 }, moment),
    },
    { domain: 'crowded.test', site: 'mx.crowded.test', condition: narrowed(ALL_WELL, many, 3, moment) },
    { domain: 'gone.test', site: 'mx.gone.test', condition: suspended(ALL_WELL, gone, 90, moment), count: 1 },
    { domain: 'paused.test', site: 'mx.paused.test', condition: 'paused', count: 1 },
  ] as const;
  const [first] = await Promise.all(conditions.map((one) => letMailWait(fixture, one)));
  return first as string;
}

/** Resolves with the id of what the log says of it. */
export async function refuseMail(
  { api, organization }: BrowserFixture,
  to = 'refused@example.org',
  from = 'hello@unverified.example',
): Promise<string> {
  const body = { from: { email: from }, to: [{ email: to }], subject: 'Your receipt', text: 'x' };
  await api.api('POST', '/emails/send', body, organization.key);
  const logged = async () =>
    (await api.api('GET', `/request-logs?recipient=${to}`, undefined, organization.key)).body.data;
  return (await until(logged, (entries) => entries.length > 0, 100))[0].id;
}

/** A day of mail before this one, so that there is something to draw. */
async function rememberYesterday({ api, organization }: BrowserFixture): Promise<void> {
  await api.db.exec(
    adHoc(`INSERT INTO hourly_counts (organization_id, hour, accepted, delivered, bounced, failed, opened)
      SELECT $1, date_trunc('hour', now()) - n * interval '1 hour', 40 + mod(n * 37, 60), 26 + mod(n * 37, 60) - mod(n * 17, 20),
             mod(n, 3), 2 - mod(n, 3), 12 + mod(n * 17, 20)
      FROM generate_series(1, 700) AS n`),
    [organization.id],
  );
}

async function validateSome({ page }: Visitor): Promise<void> {
  await page
    .getByLabel('Addresses', { exact: true })
    .fill('jane@gmial.com\nx7k2q9z4w1@mailinator.com\nnot an address');
  await page.getByRole('button', { name: 'Check 3 addresses' }).click();
}

async function examineNow(visitor: Visitor): Promise<void> {
  await visitor.button('Run the checks').click();
}

async function askForRoute(visitor: Visitor): Promise<void> {
  await visitor.page.getByRole('textbox', { name: 'Recipient', exact: true }).fill('ada@example.org');
  await visitor.button('Explain the route').click();
}

async function openPool(visitor: Visitor): Promise<void> {
  await visitor.button('Edit the transport pool').click();
}

async function openTransport(visitor: Visitor): Promise<void> {
  await visitor.button('Edit the transport acme').click();
}

async function openStream(visitor: Visitor): Promise<void> {
  await visitor.button('Edit product-news').click();
}

async function openRule(visitor: Visitor): Promise<void> {
  await visitor.button('Edit rule 1').click();
}

async function openPalette({ page }: Visitor): Promise<void> {
  await page.keyboard.press('Control+K');
  await page.getByRole('combobox', { name: /^Name, address/ }).fill('ada@example.org');
}

async function openErase(visitor: Visitor): Promise<void> {
  await visitor.button('Erase an address').click();
  await visitor.page.getByRole('dialog').waitFor();
}

async function openRelease(visitor: Visitor): Promise<void> {
  await visitor.button('Release').first().click();
  await visitor.page.getByRole('dialog').waitFor();
}

async function lookForBounces(visitor: Visitor): Promise<void> {
  await visitor.page.getByLabel('From', { exact: true }).fill(localDay(Date.now() - 86_400_000));
  await visitor.page.getByLabel('To', { exact: true }).fill(localDay(Date.now() + 86_400_000));
  await visitor.button('Show the bounces').click();
}

const localDay = (ms: number) => `${new Date(ms).toISOString().slice(0, 10)}T00:00`;

/** Mail of an agent that waits for approval. */
async function handIn({ api, organization }: BrowserFixture, owner: Visitor): Promise<string> {
  const agent = { name: 'Agent', scope: 'agent', policy: { approval: 'required', daily_budget: 10 } };
  const { key } = (await owner.call('POST', '/api-keys', agent)).body.data;
  const mail = { from: { email: `agent@${organization.domain}` }, to: [{ email: 'ada@example.org' }] };
  const body = { ...mail, subject: 'An offer', html: '<p>Dear Ada, an offer.</p>' };
  return (await api.api('POST', '/emails/send', body, key)).body.data.message_id;
}

/** Resolves with the id of an email that a worker has parked under a hold. */
async function sendHeld({ api, organization }: BrowserFixture): Promise<string> {
  const call = (method: string, path: string, body?: object) => api.api(method, path, body, organization.key);
  const { body } = await call('POST', '/emails/send', {
    from: { email: `billing@${organization.domain}` },
    to: [{ email: 'ada@example.org' }],
    subject: 'Spring prices',
    text: 'All for one.',
    tags: [{ name: 'campaign', value: 'spring' }],
  });
  const id: string = body.data.message_id;
  await until(async () => (await call('GET', `/emails/${id}`)).body.data.state === 'held');
  return id;
}

async function openNewKey({ page }: Visitor): Promise<void> {
  await page.getByRole('button', { name: 'Create a key' }).first().click();
  await page.getByRole('dialog').waitFor();
}

const TEMPLATE = {
  name: 'Receipt',
  subject: 'Thank you, {{name}}',
  html: `<div style="font-family:Arial,sans-serif;padding:24px">
  <h1 style="color:#b93d0b">Thank you, {{name}}</h1>
  <ul>
    {{#each items}}<li>{{this.title}}: {{this.price}}</li>{{/each}}
  </ul>
  {{#if coupon}}<p>Next time: <b>{{coupon}}</b></p>{{/if}}
</div>
`,
  text: 'Thank you, {{name}}.',
};

const HTML = `<div style="font-family:Arial,sans-serif;max-width:520px;margin:0 auto;padding:24px">
<h1 style="font-size:22px;color:#b93d0b">Your receipt 1042</h1><p>Thank you, Ada. You paid 42.00 EUR.</p></div>`;

/** Resolves with the id of one that was delivered, when all have come to an end that will. */
async function sendMail({ api, organization }: BrowserFixture): Promise<string> {
  const send = async (to: string, subject: string, more: object = {}) => {
    const body = {
      from: { email: `billing@${organization.domain}`, name: 'Acme Billing' },
      to: [{ email: to }],
      subject,
      html: HTML,
      text: 'Thank you, Ada.',
      tags: [{ name: 'kind', value: 'receipt' }],
      ...more,
    };
    return (await api.api('POST', '/emails/send', body, organization.key)).body.data.message_id as string;
  };
  const first = await send('ada@example.org', 'Your receipt 1042');
  const rest = [
    first,
    await send('bounced@simulator.test', 'Welcome'),
    await send('full@simulator.test', 'Invoice'),
  ];
  for (let number = 1; number <= 9; number += 1)
    rest.push(await send(`customer${number}@example.org`, `Your receipt 10${number}`));
  rest.push(await send('blocked@simulator.test', 'Your order is on its way'));
  await send('later@example.org', 'See you soon', {
    scheduled_at: new Date(Date.now() + 86_400_000).toISOString(),
  });
  const email = async (id: string) =>
    (await api.api('GET', `/emails/${id}`, undefined, organization.key)).body.data;
  for (const id of rest) await until(async () => (await email(id)).status !== 'queued');
  return first;
}
