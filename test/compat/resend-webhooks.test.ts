/** Webhooks through Resend's own client: made, called in its form, and verified by it. */
import type { Resend } from 'resend';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ResendFixture, startResend } from '../support/resend.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';

let fixture: ResendFixture;
let receiver: WebhookReceiver;
let resend: Resend;

beforeAll(async () => {
  receiver = await startWebhookReceiver();
  fixture = await startResend();
  ({ resend } = fixture);
});
afterAll(async () => {
  await fixture.stop();
  await receiver.close();
});

describe('webhooks', () => {
  it('tell events in the form of Resend, signed so that its client verifies them', async () => {
    const events = ['email.sent', 'email.delivered', 'email.suppressed', 'email.clicked'] as const;
    const { data: made } = await resend.webhooks.create({ endpoint: receiver.url, events: [...events] });
    expect(made).toMatchObject({ object: 'webhook', signing_secret: expect.stringMatching(/^whsec_/) });
    const tags = [{ name: 'kind', value: 'test' }];
    const id = await fixture.send({ to: 'ada@example.org', tags });
    const isA = (type: string) => (webhook: { body: { type: string } }) => webhook.body.type === type;
    const [delivered] = await receiver.waitFor(1, isA('email.delivered'));
    if (delivered === undefined) throw new Error('nothing was told');
    const { headers, text } = delivered;
    const verified = resend.webhooks.verify({
      payload: text,
      headers: {
        id: headers['svix-id'] ?? '',
        timestamp: headers['svix-timestamp'] ?? '',
        signature: headers['svix-signature'] ?? '',
      },
      webhookSecret: made?.signing_secret ?? '',
    });
    expect(verified).toMatchObject({
      type: 'email.delivered',
      created_at: expect.any(String),
      data: {
        email_id: id,
        from: `The Shop <hello@${fixture.org.domain}>`,
        to: ['ada@example.org'],
        subject: 'Your receipt',
        tags: { kind: 'test' },
      },
    });
    expect(headers['webhook-id']).toBe(headers['svix-id']);
  });

  it('are read, listed, changed and removed, and show their secret once', async () => {
    const endpoint = `${receiver.url}/second`;
    const { data: made } = await resend.webhooks.create({
      endpoint,
      events: ['email.bounced', 'email.opened'],
    });
    const id = made?.id ?? '';
    const shown = { id, endpoint, status: 'enabled', events: ['email.bounced', 'email.opened'] };
    expect((await resend.webhooks.get(id)).data).toMatchObject({
      object: 'webhook',
      ...shown,
      signing_secret: '',
    });
    const { data: list } = await resend.webhooks.list({ limit: 1 });
    expect(list).toMatchObject({ object: 'list', has_more: true, data: [shown] });
    const change = { events: ['email.failed' as const], status: 'disabled' as const };
    expect((await resend.webhooks.update(id, change)).data).toEqual({ object: 'webhook', id });
    expect((await resend.webhooks.get(id)).data).toMatchObject({
      status: 'disabled',
      events: ['email.failed'],
    });
    const { data: rotated } = await resend.webhooks.rotateSigningSecret(id);
    expect(rotated?.signing_secret).toMatch(/^whsec_/);
    expect(rotated?.signing_secret).not.toBe(made?.signing_secret);
    expect((await resend.webhooks.remove(id)).data).toEqual({ object: 'webhook', id, deleted: true });
    expect((await resend.webhooks.get(id)).error).toMatchObject({ statusCode: 404, name: 'not_found' });
  });

  it('are refused where nothing would ever be told, or nobody may be called', async () => {
    const refusal = async (payload: object) =>
      (await resend.webhooks.create(payload as { endpoint: string; events: [] })).error;
    expect(await refusal({ endpoint: receiver.url, events: ['contact.created'] })).toMatchObject({
      statusCode: 422,
      message: expect.stringContaining('`events`'),
    });
    expect(await refusal({ events: ['email.sent'] })).toMatchObject({ name: 'missing_required_field' });
    expect(await refusal({ endpoint: 'ftp://x', events: ['email.sent'] })).toMatchObject({
      statusCode: 422,
      message: expect.stringContaining('`endpoint`'),
    });
  });
});
