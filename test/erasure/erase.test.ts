/** The right to be forgotten, on a server with a worker that has delivered mail. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { placeHold } from '../../src/interventions/holds/store.ts';
import { type Person, signUpOwner } from '../accounts/people.ts';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { runCommand } from '../support/command-line.ts';
import { acceptReporting, letter, sendLetter } from '../support/emails.ts';
import { startMailWorker, type TestWorker } from '../support/mail-worker.ts';
import { TEST_SECRET_KEY } from '../support/secret-key.ts';

const ADA = 'Ada.Lovelace@example.org';
const WAIT = { timeout: 30_000, interval: 100 };

let server: TestApi;
let org: TestOrganization;
let owner: Person;
let worker: TestWorker;
let scheduled: string;
let shared: string;

beforeAll(async () => {
  server = await startApi();
  org = await server.createOrganization('Default');
  owner = await signUpOwner(server);
  worker = await startMailWorker(server.database, { POSTRIDER_PUBLIC_URL: server.url });
  const to = [{ email: ADA, name: 'Ada Lovelace' }];
  const content = Buffer.from('Dear Ms Lovelace').toString('base64');
  const ids = [
    await sendLetter(server, org, {
      to,
      subject: 'For Lovelace',
      html: `<p>${ADA}</p>`,
      attachments: [{ filename: 'lovelace.txt', content, content_type: 'text/plain' }],
      tags: [
        { name: 'who', value: 'lovelace' },
        { name: 'message-stream', value: 'lovelace' },
      ],
      metadata: { customer: 'lovelace' },
    }),
  ];
  shared = await sendLetter(server, org, {
    to: [{ email: 'bob@example.org' }],
    cc: to,
    reply_to: [{ email: 'bob@example.org' }, ...to],
    text: ADA,
  });
  scheduled = await sendLetter(server, org, {
    to,
    collapse_key: 'lovelace',
    scheduled_at: new Date(Date.now() + 86_400_000).toISOString(),
  });
  await server.api('POST', '/webhooks', { url: 'http://127.0.0.1:9/hook' }, org.key);
  const sample = { name: 'Sampled', subject: 's', text: 'x', sample_data: { to: [ADA] } };
  await server.api('POST', '/templates', sample, org.key);
  for (const id of [...ids, shared])
    await vi.waitFor(async () => expect((await email(id)).status).toBe('delivered'), WAIT);
  await server.api('POST', '/suppressions', { email: ADA, reason: 'unsubscribe' }, org.key);
  const hold = { scope: 'recipient', value: ADA.toLowerCase(), reason: 'A loop', by: 'guard' } as const;
  await placeHold(server.db, { ...hold, organizationId: org.id, byOperator: false });
  const refused = letter(org, { to: [...to, { email: 'bob@example.org' }], subject: 'For Lovelace again' });
  await server.api('POST', '/emails/send', refused, org.key);
  await vi.waitFor(async () => expect(await total('/request-logs')).toBe(1), WAIT);
});
afterAll(async () => {
  await worker.stop();
  await server.stop();
});

const email = async (id: string) => (await server.api('GET', `/emails/${id}`, undefined, org.key)).body.data;
const total = async (path: string) =>
  (await server.api('GET', path, undefined, org.key)).body.pagination.total_count;

/** Every column of every table that holds the name in any case, as `table.column`. */
async function placesOf(text: string): Promise<string[]> {
  const columns = await server.db.many(
    adHoc<{ t: string; c: string; type: string }>(
      `SELECT c.relname AS t, a.attname AS c, format_type(a.atttypid, NULL) AS type
       FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
       WHERE c.relnamespace = 'public'::regnamespace
         AND (c.relkind = 'p' OR c.relkind = 'r' AND NOT c.relispartition)`,
    ),
  );
  const places: string[] = [];
  for (const { t, c, type } of columns) {
    const shown = type === 'bytea' ? `encode(${c}, 'escape')` : `"${c}"::text`;
    const found = adHoc<{ n: number }>(
      `SELECT count(*) AS n FROM ${t} WHERE ${shown} ILIKE '%' || $1 || '%'`,
    );
    if ((await server.db.one(found, [text])).n > 0) places.push(`${t}.${c}`);
  }
  return places.sort();
}

const run = (argv: string[]) =>
  runCommand(argv, { DATABASE_URL: server.database.url, POSTRIDER_SECRET_KEY: TEST_SECRET_KEY });

describe('what is held about an address', () => {
  it('is exported whole, to owners only', async () => {
    const refused = await server.api('POST', '/recipients/export', { email: ADA }, org.key);
    expect(refused.status).toBe(403);
    const { status, body } = await owner.api('POST', '/recipients/export', { email: ADA.toUpperCase() });
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body.data.emails).toHaveLength(3);
    expect(body.data.emails[0]).toMatchObject({
      subject: 'For Lovelace',
      html: `<p>${ADA}</p>`,
      attachments: [{ filename: 'lovelace.txt' }],
    });
    expect(body.data.suppression).toMatchObject({ email: ADA, reason: 'unsubscribe' });
    expect(body.data.events.map(({ type }: { type: string }) => type)).toContain('delivered');
    expect(body.data.sandbox_messages).toHaveLength(2);
    expect(body.data.request_logs).toMatchObject([{ code: 'RECIPIENTS_SUPPRESSED', path: '/emails/send' }]);
    const cli = await run(['export', ADA, '--org', org.id]);
    expect(JSON.parse(cli.out).emails).toHaveLength(3);
  });

  it('is erased, with only a keyed hash left in the whole database', async () => {
    const before = { emails: await total('/emails'), suppressions: await total('/suppressions') };
    expect(await placesOf('lovelace')).toContain('recipients.address');
    expect((await server.api('POST', '/recipients/erase', { email: ADA }, org.key)).status).toBe(403);
    const { status, body } = await owner.api('POST', '/recipients/erase', { email: ADA.toUpperCase() });
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body.data).toMatchObject({ emails: 3, waiting: 0, complete: true });
    expect(await placesOf('lovelace')).toEqual([]);
    expect(await placesOf(body.data.placeholder)).toEqual([
      'audit_log.target_name',
      'emails.addresses',
      'events.recipient',
      'holds.value',
      'recipients.address',
      'request_logs.facts',
      'request_logs.message',
      'suppressions.email',
      'templates.sample_data',
    ]);
    const left = (await server.api('GET', '/request-logs?recipient=bob@example.org', undefined, org.key)).body
      .data;
    expect(left).toMatchObject([{ recipients: [body.data.placeholder, 'bob@example.org'], excerpt: null }]);
    expect({ emails: await total('/emails'), suppressions: await total('/suppressions') }).toEqual(before);
    const again = await owner.api('POST', '/recipients/erase', { email: ADA });
    expect(again.body.data).toMatchObject({ emails: 0, complete: true, placeholder: body.data.placeholder });
  });

  it('leaves others in the same mail as they were, and takes back what was not sent yet', async () => {
    expect((await email(shared)).status).toBe('delivered');
    expect(JSON.stringify(await email(shared))).toContain('bob@example.org');
    const unsent = await email(scheduled);
    expect(unsent.status).toBe('failed');
    expect(unsent.events.at(-1)).toMatchObject({ type: 'rejected', reason: 'erased' });
    expect(await total('/emails?status=failed')).toBe(1);
  });

  it('was in mail that cannot be sent again, not even to the other recipients', async () => {
    const { status, body } = await server.api('POST', `/emails/${shared}/resend`, {}, org.key);
    expect([status, body.error.message]).toEqual([409, expect.stringContaining('no longer stored')]);
  });

  it('is still not mailed where it was suppressed', async () => {
    const refused = await server.api('POST', '/emails/send', letter(org, { to: [{ email: ADA }] }), org.key);
    expect(refused.body.error.code).toBe('RECIPIENTS_SUPPRESSED');
    const list = await server.api('GET', '/suppressions', undefined, org.key);
    expect(list.body.data[0]).toMatchObject({
      email: expect.stringMatching(/^[0-9a-f]{24}@erased\.invalid$/),
      reason: 'unsubscribe',
    });
  });

  it('is rejected by the worker where it was suppressed and the mail was accepted all the same', async () => {
    const id = await acceptReporting(server.db, org, { to: [{ email: ADA }] });
    await vi.waitFor(async () => expect((await email(id)).status).toBe('failed'), WAIT);
    expect((await email(id)).events.at(-1)).toMatchObject({ type: 'rejected', reason: 'suppressed' });
  });

  it('is found on the list only by its address, in any spelling', async () => {
    const found = await server.api('GET', '/suppressions?email=ADA.lovelace@Example.org', undefined, org.key);
    expect(found.body.data).toMatchObject([
      { email: expect.stringMatching(/@erased\.invalid$/), reason: 'unsubscribe' },
    ]);
    expect(await total(`/suppressions?email=${ADA}&reason=complaint`)).toBe(0);
    expect(await total('/suppressions?email=somebody@example.org')).toBe(0);
    const others = await server.createOrganization('Others');
    const elsewhere = await server.api('GET', `/suppressions?email=${ADA}`, undefined, others.key);
    expect(elsewhere.body.data).toEqual([]);
  });

  it('is still not mailed what it has unsubscribed from, and nobody can read whose that is', async () => {
    const kim = 'kim@example.org';
    const to = [{ email: kim }];
    const add = { email: kim, reason: 'unsubscribe', unsubscribe_group: 'news' };
    await server.api('POST', '/suppressions', add, org.key);
    const exported = await owner.api('POST', '/recipients/export', { email: kim });
    expect(exported.body.data.unsubscriptions).toMatchObject([{ email: kim, unsubscribe_group: 'news' }]);
    for (let twice = 0; twice < 2; twice += 1) {
      await owner.api('POST', '/recipients/erase', { email: kim });
      expect(await placesOf('kim@')).toEqual([]);
      const found = await server.api('GET', `/suppressions?email=${kim}`, undefined, org.key);
      expect(found.body.data).toMatchObject([
        { email: expect.stringMatching(/@erased\.invalid$/), unsubscribe_group: 'news' },
      ]);
      await server.api('POST', '/suppressions', add, org.key);
    }
    await owner.api('POST', '/recipients/erase', { email: kim });
    const send = (more: object) => server.api('POST', '/emails/send', letter(org, { to, ...more }), org.key);
    expect((await send({ unsubscribe_group: 'news' })).body.error.code).toBe('RECIPIENTS_SUPPRESSED');
    expect((await send({ unsubscribe_group: 'offers' })).status).toBe(201);
    expect(await total('/suppressions')).toBe(
      (await server.api('GET', '/suppressions?limit=100', undefined, org.key)).body.data.length,
    );
  });

  it('is shown beside an entry that was made anew', async () => {
    const path = '/suppressions?email=eve@example.org';
    const add = { email: 'eve@example.org', reason: 'manual' };
    await server.api('POST', '/suppressions', add, org.key);
    await owner.api('POST', '/recipients/erase', { email: 'eve@example.org' });
    await server.api('POST', '/suppressions', { ...add, reason: 'complaint' }, org.key);
    const { body } = await server.api('GET', path, undefined, org.key);
    expect(body.data.map((one: { reason: string }) => one.reason)).toEqual(['complaint', 'manual']);
    expect(body.pagination.total_count).toBe(2);
    await owner.api('POST', '/recipients/erase', { email: 'eve@example.org' });
    expect(await total(path)).toBe(1);
  });

  it('is left in the address of somebody else that contains it', async () => {
    const steve = { email: 'steve@example.org', reason: 'manual' };
    const added = await server.api('POST', '/suppressions', steve, org.key);
    await server.api('DELETE', `/suppressions/${added.body.data.id}`, undefined, org.key);
    await owner.api('POST', '/recipients/erase', { email: 'eve@example.org' });
    expect(await placesOf('steve@example.org')).toEqual(['audit_log.target_name']);
  });

  it('is exported as far as it fits into memory, and without what is about somebody else', async () => {
    const to = [{ email: 'leo@example.org' }];
    for (let i = 0; i < 9; i += 1) await sendLetter(server, org, { to, html: 'x'.repeat(2_000_000) });
    await server.api('POST', '/suppressions', { email: 'cleo@example.org', reason: 'manual' }, org.key);
    const { body } = await owner.api('POST', '/recipients/export', { email: 'leo@example.org' });
    expect(body.data).toMatchObject({ truncated: true, audit_log: [] });
    expect(body.data.emails).toHaveLength(8);
  });

  it('keeps the files of a batch for its other recipients, and takes them with the last', async () => {
    const template = { name: 'T', subject: 's', text: 'x' };
    const { id } = (await server.api('POST', '/templates', template, org.key)).body.data;
    const people = ['carol@example.org', 'dave@example.org'];
    const batch = {
      template_id: id,
      from: { email: `a@${org.domain}` },
      recipients: people.map((to) => ({ to: { email: to } })),
      attachments: [{ filename: 'terms.txt', content: Buffer.from('Terms of all').toString('base64') }],
      scheduled_at: new Date(Date.now() + 86_400_000).toISOString(),
    };
    expect((await server.api('POST', '/emails/batch', batch, org.key)).status).toBe(201);
    const filesOf = async (person: string) =>
      (await owner.api('POST', '/recipients/export', { email: person })).body.data.emails[0].attachments;
    const erase = (person: string) => owner.api('POST', '/recipients/erase', { email: person });
    expect(await filesOf('carol@example.org')).toMatchObject([{ filename: 'terms.txt' }]);
    expect((await erase('carol@example.org')).status).toBe(200);
    expect(await filesOf('dave@example.org')).toMatchObject([{ filename: 'terms.txt' }]);
    expect((await erase('dave@example.org')).status).toBe(200);
    expect(await placesOf('Terms of all')).toEqual([]);
  });

  it('is erased one at a time', async () => {
    const erase = (email: string) => owner.api('POST', '/recipients/erase', { email });
    const answers = await Promise.all(['a@example.org', 'b@example.org', 'c@example.org'].map(erase));
    const statuses = answers.map(({ status }) => status);
    expect(statuses).toContain(200);
    expect(statuses).toContain(429);
  });

  it('is erased on the command line too, when that is meant', async () => {
    await sendLetter(server, org, { to: [{ email: 'grace.hopper@example.org' }], text: 'Hi Hopper' });
    expect((await run(['erase', 'grace.hopper@example.org', '--org', org.id])).err).toContain('Add --yes');
    await expect
      .poll(
        async () => (await run(['erase', 'grace.hopper@example.org', '--org', org.id, '--yes'])).code,
        WAIT,
      )
      .toBe(0);
    expect(await placesOf('hopper')).toEqual([]);
    expect((await run(['erase', 'nobody', '--org', org.id, '--yes'])).code).toBe(2);
  });
});
