/** The client against the real API and worker, in sandbox mode. */
import { createElement } from 'react';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConflictError, type Email, NotFoundError, Postrider, ValidationError } from '../../sdk/src/index.ts';
import { until } from '../support/until.ts';
import { WebhookFixture } from '../webhooks/fixture.ts';

let fixture: WebhookFixture;
let client: Postrider;
beforeAll(async () => {
  fixture = await WebhookFixture.start();
  client = new Postrider({ apiKey: fixture.org.key, baseUrl: fixture.server.url });
});
afterAll(() => fixture.stop());

function letter(changes: object = {}) {
  return {
    from: { email: `news@${fixture.org.domain}`, name: 'News' },
    to: [{ email: 'ada@example.org' }],
    subject: 'Hello',
    text: 'Hello Ada',
    ...changes,
  };
}

function emailThat(id: string, matches: (email: Email) => boolean): Promise<Email> {
  return until(() => client.emails.get(id), matches);
}

async function listOf<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

const tomorrow = () => new Date(Date.now() + 86_400_000);

describe('emails', () => {
  it('are rendered from React, alone and among others', async () => {
    const react = createElement('p', null, 'Hello ', createElement('b', null, 'Ada & all'));
    const { text: _text, ...bare } = letter();
    const { message_id: id } = await client.emails.send({ ...bare, react });
    expect(await client.emails.content(id)).toMatchObject({
      html: expect.stringContaining('<p>Hello <b>Ada &amp; all</b></p>'),
      text: expect.stringContaining('Hello Ada & all'),
    });
    const { results } = await client.emails.sendMixedBatch({
      emails: [letter(), { ...bare, react, text: 'My own' }],
    });
    const [, second] = results;
    expect(await client.emails.content(second?.message_id ?? '')).toMatchObject({
      html: expect.stringContaining('Ada &amp; all'),
      text: 'My own',
    });
    expect((await client.emails.dryRun({ ...bare, react })).message?.size.text).toBeGreaterThan(0);
    await expect(client.emails.send({ ...letter({ html: '<p>x</p>' }), react } as never)).rejects.toThrow(
      'Give `react` or `html`, not both.',
    );
  });

  it('are sent, delivered and read', async () => {
    const { message_id: id, status } = await client.emails.send(letter({ html: '<p>Hello</p>' }));
    expect(status).toBe('queued');
    const email = await emailThat(id, (one) => one.status === 'delivered');
    expect(email.events.map(({ type }) => type)).toEqual(['queued', 'processing', 'delivered']);
    expect(await client.emails.events(id)).toEqual(email.events);
    expect(await client.emails.content(id)).toMatchObject({ html: '<p>Hello</p>', text: 'Hello Ada' });
    const [recipient] = (await client.emails.explain(id)).recipients;
    expect(recipient).toMatchObject({ email: 'ada@example.org', status: 'delivered', problem: null });
  });

  it('are asked about without being sent, alone and together', async () => {
    const bounced = letter({ to: [{ email: 'bounced@simulator.test' }] });
    const { recipients, message } = await client.emails.dryRun(bounced);
    expect(recipients[0]).toMatchObject({ outcome: 'bounced', reason: 'unknown_recipient' });
    expect(message?.dkim.aligned).toBe(true);
    const { results } = await client.emails.dryRunMixedBatch({ emails: [letter(), bounced] });
    expect(results.map((one) => one.recipients[0]?.outcome)).toEqual(['delivered', 'bounced']);
    const { pagination } = await client.emails.list({ to: 'bounced@simulator.test' });
    expect(pagination.total_count).toBe(0);
  });

  it('are rescheduled, by a date too, and cancelled', async () => {
    const later = tomorrow();
    const { message_id: id } = await client.emails.send(letter({ scheduled_at: later.toISOString() }));
    const moved = new Date(later.getTime() + 3_600_000);
    expect((await client.emails.reschedule(id, moved)).scheduled_at).toBe(moved.toISOString());
    expect((await client.emails.cancel(id)).status).toBe('failed');
    await expect(client.emails.cancel(id)).rejects.toThrow(ConflictError);
  });

  it('that wait for another attempt are tried at once', async () => {
    const { message_id: id } = await client.emails.send(
      letter({ to: [{ email: 'deferred@simulator.test' }] }),
    );
    await emailThat(id, (one) => one.events.some(({ type }) => type === 'deferred'));
    expect((await client.emails.retry(id)).status).toBe('queued');
  });

  it('are listed page by page, and all of them in one loop', async () => {
    const sent: string[] = [];
    for (let n = 0; n < 5; n += 1) {
      const { message_id } = await client.emails.send(
        letter({ scheduled_at: tomorrow().toISOString(), tags: [{ name: 'loop', value: 'yes' }] }),
      );
      sent.unshift(message_id);
    }
    const page = await client.emails.list({ tag: 'loop:yes', limit: 2, page: 2 });
    expect(page.pagination).toEqual({ page: 2, limit: 2, total_count: 5, total_pages: 3 });
    expect(page.data.map(({ id }) => id)).toEqual(sent.slice(2, 4));
    const all = await listOf(client.emails.all({ tag: 'loop:yes', limit: 2 }));
    expect(all.map(({ id }) => id)).toEqual(sent);
  });

  it('are sent by template to many', async () => {
    const template = await client.templates.create({
      name: 'Hi',
      subject: 'Hi {{name}}',
      text: 'Hi {{name}}',
    });
    const batch = await client.emails.sendBatch({
      template_id: template.id,
      from: { email: `news@${fixture.org.domain}` },
      recipients: [
        { to: { email: 'ada@example.org' }, data: { name: 'Ada' } },
        { to: { email: 'bob@example.org' }, data: { name: 'Bob' } },
      ],
    });
    expect(batch).toMatchObject({ total: 2, accepted: 2, rejected: [] });
    expect(await client.emails.getBatch(batch.batch_id)).toMatchObject({ total: 2 });
  });

  it('are sent together, each with a result of its own', async () => {
    const emails = [letter({ to: [{ email: 'ada@example.org' }] }), letter({ to: [{ email: 'nobody' }] })];
    const { accepted, results } = await client.emails.sendMixedBatch({ emails });
    expect(accepted).toBe(1);
    expect(await client.emails.get(results[0]?.message_id ?? '')).toMatchObject({
      subject: emails[0]?.subject,
    });
    expect(results[1]?.error?.details[0]?.field).toBe('to[0].email');
  });
});

describe('templates', () => {
  it('have versions, previews and tests', async () => {
    const { id } = await client.templates.create({ name: 'Receipt', subject: 'One', text: 'Dear {{name}}' });
    await client.templates.update(id, { subject: 'Two' });
    expect(await client.templates.preview(id, { data: { name: 'Ada' } })).toMatchObject({
      subject: 'Two',
      text: 'Dear Ada',
    });
    expect(
      (await listOf(client.templates.allVersions(id, { limit: 1 }))).map(({ version }) => version),
    ).toEqual([2, 1]);
    expect((await client.templates.restore(id, 1)).subject).toBe('One');
    expect((await client.templates.get(id)).name).toBe('Receipt');
    const from = { email: `news@${fixture.org.domain}` };
    const test = await client.templates.sendTest(id, {
      to: { email: 'ada@example.org' },
      from,
      data: { name: 'A' },
    });
    expect(test.status).toBe('queued');
    expect((await listOf(client.templates.all({ search: 'Receipt' }))).map((one) => one.id)).toEqual([id]);
    expect(await client.templates.delete(id)).toEqual({ id, deleted: true });
  });
});

describe('suppressions', () => {
  it('stop mail until they are taken off', async () => {
    const { id } = await client.suppressions.create({ email: 'no@example.org', reason: 'unsubscribe' });
    const refused = client.emails.send(letter({ to: [{ email: 'no@example.org' }] }));
    await expect(refused).rejects.toMatchObject({
      name: 'ValidationError',
      code: 'RECIPIENTS_SUPPRESSED',
      details: [{ field: 'to[0].email' }],
    });
    expect((await client.suppressions.list({ email: 'no@example.org' })).data).toHaveLength(1);
    await client.suppressions.delete(id);
    await expect(client.suppressions.delete(id)).rejects.toThrow(NotFoundError);
  });

  it('are imported from entries and from CSV, and exported whole or as a stream', async () => {
    const progress: string[] = [];
    const first = await client.suppressions.import([{ email: 'a@example.org' }], { reason: 'complaint' });
    const done = await client.suppressions.waitForImport(first.id, {
      intervalMs: 20,
      onProgress: ({ status }) => progress.push(status),
    });
    expect(done).toMatchObject({ status: 'done', total: 1, added: 1 });
    expect(progress.at(-1)).toBe('done');
    const second = await client.suppressions.import('email,reason\nä@example.org,manual\nnobody,\n');
    const counts = await client.suppressions.waitForImport(second.id, { intervalMs: 20 });
    expect(counts).toMatchObject({ status: 'done', total: 2, added: 1, invalid: 1 });
    const csv = await client.suppressions.export();
    expect(csv).toMatch(/^id,email,reason,source,created_at,unsubscribe_group\r?\n/);
    expect(csv).toContain(',a@example.org,complaint,');
    expect(csv).toContain(',ä@example.org,manual,');
    expect(await new Response(await client.suppressions.exportStream()).text()).toBe(csv);
    expect(await listOf(client.suppressions.all({ limit: 1 }))).toHaveLength(2);
  });
});

describe('webhooks and events', () => {
  it('are made, told, changed, replayed and removed', async () => {
    const hook = await client.webhooks.create({
      url: fixture.receiver.url,
      event_types: ['email.delivered'],
    });
    expect(hook.secret).toMatch(/^whsec_/);
    const { id: eventId } = await client.webhooks.sendTest(hook.id);
    await fixture.receiver.waitFor(1, (one) => one.headers['webhook-id'] === eventId);
    expect((await listOf(client.webhooks.allDeliveries(hook.id, { limit: 1 }))).map(({ id }) => id)).toEqual([
      eventId,
    ]);
    await expect
      .poll(async () => (await client.webhooks.deliveries(hook.id)).data[0]?.status, { timeout: 10_000 })
      .toBe('delivered');
    expect((await client.webhooks.delivery(hook.id, eventId)).request?.headers['webhook-id']).toBe(eventId);
    expect(await client.webhooks.stats(hook.id)).toMatchObject({ events: 1, success_rate: 1 });
    await client.webhooks.replay(hook.id, eventId);
    await fixture.receiver.waitFor(2, (one) => one.headers['webhook-id'] === eventId);
    const since = new Date(Date.now() - 60_000);
    expect(await client.webhooks.replayFailed(hook.id, since)).toEqual({ replayed: 0, next_since: null });
    const span = { since: '2020-01-01T00:00:00Z', until: '2020-01-02T00:00:00Z', status: 'all' } as const;
    expect(await client.webhooks.replayRange(hook.id, span)).toEqual({ replayed: 0, next_since: null });
    expect((await client.webhooks.rotateSecret(hook.id)).secret).not.toBe(hook.secret);
    expect((await client.webhooks.update(hook.id, { enabled: false })).disabled_reason).toBe('manual');
    expect((await client.webhooks.get(hook.id)).enabled).toBe(false);
    expect((await client.webhooks.list()).map(({ id }) => id)).toContain(hook.id);
    expect(await client.webhooks.delete(hook.id)).toEqual({ id: hook.id, deleted: true });
  });

  it('are one stream, read by cursor', async () => {
    const { message_id: id } = await client.emails.send(letter({ to: [{ email: 'stream@example.org' }] }));
    await emailThat(id, (one) => one.status === 'delivered');
    const types: string[] = [];
    for await (const event of client.events.all({ recipient: 'stream@example.org', limit: 1 }))
      types.push(event.type);
    expect(types).toEqual(['delivered', 'processing', 'queued']);
  });
});

describe('the rest', () => {
  it('has domains', async () => {
    const made = await client.domains.create('sdk.example.org');
    expect(made.dns_records.length).toBeGreaterThan(0);
    expect((await client.domains.get(made.id)).domain).toBe('sdk.example.org');
    expect((await client.domains.verify(made.id)).id).toBe(made.id);
    expect((await client.domains.list()).map(({ domain }) => domain)).toContain('sdk.example.org');
    expect(await client.domains.delete(made.id)).toEqual({ id: made.id, deleted: true });
  });

  it('has keys', async () => {
    const made = await client.apiKeys.create({ name: 'Shop', scope: 'send' });
    const shop = new Postrider({ apiKey: made.key, baseUrl: fixture.server.url });
    await expect(shop.domains.list()).rejects.toMatchObject({ name: 'PermissionError', status: 403 });
    await client.apiKeys.revoke(made.id);
    expect((await listOf(client.apiKeys.all({ limit: 1 }))).map(({ id }) => id)).toContain(made.id);
    await expect
      .poll(() => shop.organization.get().catch((error: Error) => error.name), { timeout: 10_000 })
      .toBe('AuthenticationError');
  });

  it('has validation and settings', async () => {
    expect((await client.validation.validate('ada@gmial.com')).email).toBe('ada@gmial.com');
    expect(await client.validation.validateBatch(['no', 'ada@example.org'])).toHaveLength(2);
    expect(await client.settings.updateAutoValidation({ threshold: 'high' })).toEqual({
      auto_validation_threshold: 'high',
    });
    await client.settings.updateAutoValidation({ threshold: 'off' });
    expect((await client.settings.autoValidation()).auto_validation_threshold).toBe('off');
    expect(await client.settings.updateRetention({ content_days: 7 })).toEqual(
      await client.settings.retention(),
    );
    expect(await client.settings.updateValidation({ disposable_deny: ['x.example'] })).toEqual(
      await client.settings.validation(),
    );
  });

  it('has the organization and the sandbox inbox', async () => {
    expect((await client.organization.get()).id).toBe(fixture.org.id);
    const { message_id: id } = await client.emails.send(letter({ to: [{ email: 'inbox@example.org' }] }));
    await emailThat(id, (one) => one.status === 'delivered');
    const [message] = await listOf(client.sandbox.all({ to: 'inbox@example.org' }));
    if (message === undefined) throw new Error('nothing was captured');
    expect((await client.sandbox.get(message.id)).subject).toBe('Hello');
    expect(await client.sandbox.raw(message.id)).toMatch(/^Subject: Hello\r?$/m);
    expect((await client.sandbox.checks(message.id)).size.message).toBeGreaterThan(0);
    expect(await client.sandbox.checkLinks(message.id)).toEqual([]);
    expect(await client.sandbox.mark(message.id, true)).toEqual({ is_read: true });
    expect((await client.sandbox.markAll(false)).changed).toBeGreaterThan(0);
    expect(await client.sandbox.delete(message.id)).toEqual({ id: message.id, deleted: true });
    await client.sandbox.clear();
  });

  it('has numbers', async () => {
    const { range, totals } = await client.stats.overview({ range: '7d' });
    expect(range).toBe('7d');
    expect(totals.sent).toBeGreaterThan(0);
    expect((await client.stats.attention()).queue.due).toBeGreaterThanOrEqual(0);
    expect((await client.stats.deliverability({ by: 'domain' })).by).toBe('domain');
    expect(await client.stats.workers()).toEqual(expect.any(Array));
  });

  it('can be called by the name of the operation', async () => {
    const { data } = await client.request('POST /emails/validate', { body: { email: 'ada@example.org' } });
    expect(data.email).toBe('ada@example.org');
  });

  it('says what is wrong, field by field, with the id the server logged', async () => {
    const error = await client.emails
      .send(letter({ to: [{ email: 'nobody' }] }))
      .catch((one: unknown) => one);
    expect(error).toBeInstanceOf(ValidationError);
    expect(error).toMatchObject({
      code: 'VALIDATION_ERROR',
      status: 400,
      details: [{ field: 'to[0].email' }],
    });
    expect(error).toHaveProperty('requestId', expect.stringMatching(/^req_/));
  });
});
