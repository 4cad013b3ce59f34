/** What becomes of events when a webhook's format has no word for them, or is changed; and tests in each format. */
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { WebhookFixture } from './fixture.ts';

let fixture: WebhookFixture;
beforeAll(async () => {
  fixture = await WebhookFixture.start();
});
afterAll(() => fixture.stop());

describe('an event that a format has no word for', () => {
  it('is done without a call, and leaves nothing in the log', async () => {
    const hook = await fixture.hook('/wordless', {
      format: 'resend',
      event_types: ['email.queued', 'email.delivered', 'email.unsubscribed'],
    });
    await fixture.send({ to: [{ email: 'wordless@example.org' }] });
    await fixture.delivery(hook, ({ status }) => status === 'delivered');
    const log = await fixture.call('GET', `/webhooks/${hook.id}/deliveries`);
    expect(log).toMatchObject([{ type: 'email.delivered', status: 'delivered' }]);
    const calls = fixture.receiver.received.filter(({ path }) => path === '/wordless');
    expect(calls.map(({ body }) => body.type)).toEqual(['email.delivered']);
  });

  it('is not even put in line for a webhook that wants all', async () => {
    const hook = await fixture.hook('/all-of-postmark', { format: 'postmark', enabled: false });
    expect(hook).toMatchObject({ format: 'postmark', event_types: null });
    const { event_types } = await fixture.server.db.one(
      adHoc<{ event_types: string[] }>('SELECT event_types FROM webhook_endpoints WHERE id = $1'),
      [hook.id],
    );
    expect(event_types).not.toContain('queued');
    expect(await fixture.call('PATCH', `/webhooks/${hook.id}`, { format: 'postrider' })).toMatchObject({
      format: 'postrider',
      event_types: null,
    });
  });

  it('cannot be all that a webhook wants', async () => {
    const body = { url: `${fixture.receiver.url}/never`, format: 'postmark', event_types: ['email.queued'] };
    const refused = await fixture.server.api('POST', '/webhooks', body, fixture.org.key);
    expect(refused).toMatchObject({
      status: 400,
      body: { error: { code: 'VALIDATION_ERROR', details: [{ field: 'event_types' }] } },
    });
    const hook = await fixture.hook('/soon', { event_types: ['email.queued'], enabled: false });
    const changed = await fixture.server.api(
      'PATCH',
      `/webhooks/${hook.id}`,
      { format: 'sendgrid' },
      fixture.org.key,
    );
    expect(changed.status).toBe(400);
  });
});

describe('a webhook whose format is changed', () => {
  it('is sent what is replayed in the new one, with the same id', async () => {
    const hook = await fixture.hook('/changed', { format: 'postmark', event_types: ['email.delivered'] });
    await fixture.send({ to: [{ email: 'changed@example.org' }] });
    const { id } = await fixture.delivery(hook, ({ status }) => status === 'delivered');
    expect(await fixture.call('PATCH', `/webhooks/${hook.id}`, { format: 'resend' })).toMatchObject({
      format: 'resend',
      event_types: ['email.delivered'],
    });
    await expect
      .poll(async () => {
        await fixture.server.api('POST', `/webhooks/${hook.id}/deliveries/${id}/replay`, {}, fixture.org.key);
        return fixture.receiver.received.filter(({ path }) => path === '/changed').at(-1)?.body.type;
      })
      .toBe('email.delivered');
    const calls = fixture.receiver.received.filter(({ path }) => path === '/changed');
    expect(new Set(calls.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([id]));
  });

  it('keeps the log of what the new one has no word for', async () => {
    const hook = await fixture.hook('/kept', { event_types: ['email.queued', 'email.delivered'] });
    await fixture.send({ to: [{ email: 'kept@example.org' }] });
    const { id } = await fixture.delivery(
      hook,
      (one) => one.type === 'email.queued' && one.attempts.length === 1,
    );
    await fixture.call('PATCH', `/webhooks/${hook.id}`, { format: 'postmark' });
    const counted = () => fixture.receiver.received.filter(({ path }) => path === '/kept').length;
    await expect
      .poll(async () => {
        const before = counted();
        await fixture.server.api('POST', `/webhooks/${hook.id}/deliveries/${id}/replay`, {}, fixture.org.key);
        const { attempts } = await fixture.delivery(
          hook,
          (one) => one.id === id && one.status === 'delivered',
        );
        return attempts.length > 0 && counted() === before;
      })
      .toBe(true);
  });
});

describe('a test', () => {
  it.each(['resend', 'sendgrid', 'postmark'] as const)(
    'of a webhook with the format %s is a delivery of an email that never was',
    async (format) => {
      const hook = await fixture.hook(`/test-of-${format}`, { format });
      const { id } = await fixture.call('POST', `/webhooks/${hook.id}/test`);
      const [call] = await fixture.receiver.waitFor(1, ({ headers }) => headers['webhook-id'] === id);
      expect(new Webhook(hook.secret).verify(call?.text ?? '', call?.headers ?? {})).toBeTruthy();
      const nobody = '00000000-0000-0000-0000-000000000000';
      const bodies = {
        resend: { type: 'email.delivered', data: { email_id: nobody } },
        sendgrid: [{ event: 'delivered', sg_message_id: nobody }],
        postmark: { RecordType: 'Delivery', MessageID: nobody },
      };
      expect(call?.body).toMatchObject(bodies[format]);
    },
  );
});
