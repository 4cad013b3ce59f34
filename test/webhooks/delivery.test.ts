import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebhookFixture } from './fixture.ts';

let fixture: WebhookFixture;
beforeAll(async () => {
  fixture = await WebhookFixture.start();
});
afterAll(() => fixture.stop());

describe('events of domains', () => {
  it('are told to webhooks that want them, with what a person needs to know', async () => {
    const wanted = await fixture.hook('/domains', { event_types: ['domain.verified', 'email.bounced'] });
    const all = await fixture.hook('/everything');
    const other = await fixture.hook('/other', { event_types: ['domain.failing'] });
    const domain = 'told.example';
    const { id } = await fixture.call('POST', '/domains', { domain });
    await fixture.call('GET', `/domains/${id}/verify`);
    for (const hook of [wanted, all]) {
      const delivery = await fixture.delivery(hook, (one) => one.status === 'delivered');
      expect(delivery).toMatchObject({ type: 'domain.verified', email_id: null });
    }
    const [call] = await fixture.receiver.waitFor(1, ({ path }) => path === '/domains');
    const body = call?.body;
    expect(body).toEqual({
      type: 'domain.verified',
      timestamp: body.data.created_at,
      data: {
        id: call?.headers['webhook-id'],
        type: 'domain.verified',
        domain_id: id,
        domain,
        is_verified: true,
        stops_sending_at: null,
        problems: [],
        created_at: expect.any(String),
      },
    });
    expect(fixture.receiver.received.filter(({ path }) => path === '/other')).toEqual([]);
    for (const hook of [wanted, all, other]) await fixture.call('DELETE', `/webhooks/${hook.id}`);
  });
});

describe('an organization with a webhook', () => {
  it('is told everything that happens to an email, in order', async () => {
    await fixture.hook('/all');
    const id = await fixture.send({
      subject: 'Told',
      tags: [{ name: 'kind', value: 'receipt' }],
      metadata: { order: 7 },
    });
    const calls = await fixture.receiver.waitFor(
      3,
      (one) => one.path === '/all' && one.body.data.email_id === id,
    );
    expect(calls.map((one) => one.body.type)).toEqual([
      'email.queued',
      'email.processing',
      'email.delivered',
    ]);
    const { events, request_id } = await fixture.call('GET', `/emails/${id}`);
    expect(calls.map((one) => one.body)).toEqual(
      events.map((event: { type: string; created_at: string }) => ({
        type: `email.${event.type}`,
        timestamp: event.created_at,
        data: {
          ...event,
          request_id,
          email_id: id,
          subject: 'Told',
          tags: [{ name: 'kind', value: 'receipt' }],
          metadata: { order: 7 },
          stream: 'transactional',
          unsubscribe_group: null,
        },
      })),
    );
    expect(calls.map((one) => one.headers['webhook-id'])).toEqual(
      events.map((event: { id: string }) => event.id),
    );
    expect(calls[0]?.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': expect.stringMatching(/^Postrider\/\d/),
    });
  });

  it('can verify every one of them with a library of its choice', async () => {
    const { secret } = await fixture.hook('/verified', { event_types: ['email.delivered'] });
    await fixture.send({ subject: 'Zażółć gęślą jaźń 🎉' });
    const [calls] = await fixture.receiver.waitFor(1, (one) => one.path === '/verified');
    const verified = new Webhook(secret).verify(calls?.text ?? '', calls?.headers ?? {});
    expect(verified).toEqual(calls?.body);
    const other = `whsec_${Buffer.alloc(32).toString('base64')}`;
    expect(() => new Webhook(other).verify(calls?.text ?? '', calls?.headers ?? {})).toThrow();
  });

  it('is told only what it asked for', async () => {
    await fixture.hook('/some', { event_types: ['email.bounced', 'email.queued'] });
    await fixture.send({ to: [{ email: 'bounce@simulator.test' }] });
    const seen = await fixture.receiver.waitFor(2, (one) => one.path === '/some');
    expect(seen.map((one) => one.body.type)).toEqual(['email.queued', 'email.bounced']);
  });

  it('hears nothing of other organizations', async () => {
    const other = await fixture.server.createOrganization('Other');
    const { id } = (
      await fixture.server.api('POST', '/webhooks', { url: `${fixture.receiver.url}/other` }, other.key)
    ).body.data;
    const email = await fixture.send();
    await fixture.receiver.waitFor(
      1,
      (one) => one.body.data.email_id === email && one.body.type === 'email.delivered',
    );
    const log = await fixture.server.api('GET', `/webhooks/${id}/deliveries`, undefined, other.key);
    expect(log.body).toEqual({ data: [], pagination: { limit: 20, next_cursor: null } });
  });

  it('hears nothing while it is disabled, and nothing of that time afterwards', async () => {
    const hook = await fixture.hook('/paused', { enabled: false, event_types: ['email.delivered'] });
    const missed = await fixture.send();
    await fixture.receiver.waitFor(
      1,
      (one) => one.body.data.email_id === missed && one.body.type === 'email.delivered',
    );
    expect(await fixture.call('PATCH', `/webhooks/${hook.id}`, { enabled: true })).toMatchObject({
      enabled: true,
      disabled_reason: null,
    });
    const email = await fixture.send();
    const calls = await fixture.receiver.waitFor(1, (one) => one.path === '/paused');
    expect(calls.map((one) => one.body.data.email_id)).toEqual([email]);
  });

  it('finds every attempt in the log', async () => {
    const hook = await fixture.hook('/log', { event_types: ['email.delivered'] });
    fixture.receiver.reply = (one) =>
      one.path === '/log' ? { status: 200, body: `${'x'.repeat(2000)}\0` } : 204;
    const email = await fixture.send();
    const delivery = await fixture.delivery(hook, (one) => one.status === 'delivered');
    expect(delivery).toEqual({
      id: expect.stringMatching(/^evt_[0-9a-f]{32}$/),
      type: 'email.delivered',
      email_id: email,
      recipient: expect.stringContaining('@'),
      subject: expect.any(String),
      status: 'delivered',
      next_attempt_at: null,
      attempts: [
        {
          at: expect.any(String),
          status: 200,
          latency_ms: expect.any(Number),
          response: 'x'.repeat(1024),
          response_headers: expect.any(Object),
          error: null,
          next_attempt_at: null,
        },
      ],
      created_at: expect.any(String),
    });
  });

  it('can ask for a test', async () => {
    const hook = await fixture.hook('/test', { event_types: ['email.bounced'] });
    const asked = await fixture.call('POST', `/webhooks/${hook.id}/test`);
    expect(asked).toMatchObject({
      ...{ type: 'webhook.test', email_id: null, recipient: null, subject: null },
      ...{ status: 'pending', attempts: [] },
    });
    const [calls] = await fixture.receiver.waitFor(1, (one) => one.path === '/test');
    expect(calls?.body).toEqual({
      type: 'webhook.test',
      timestamp: asked.created_at,
      data: { id: asked.id, webhook_id: hook.id, test: true },
    });
    expect(new Webhook(hook.secret).verify(calls?.text ?? '', calls?.headers ?? {})).toEqual(calls?.body);
  });
});
