/** A test of every type that a webhook may be told, in its own words and in those of others. */
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FORMAT_EVENT_TYPES } from '../../src/webhooks/endpoints/formats.ts';
import { WEBHOOK_TYPES } from '../../src/webhooks/endpoints/schema.ts';
import { type Hooked, WebhookFixture } from './fixture.ts';

let fixture: WebhookFixture;
let hook: Hooked;
beforeAll(async () => {
  fixture = await WebhookFixture.start();
  hook = await fixture.hook('/own', { event_types: ['email.delivered'] });
});
afterAll(() => fixture.stop());

const test = ({ id }: Hooked, type: string) =>
  fixture.server.api('POST', `/webhooks/${id}/test?type=${type}`, undefined, fixture.org.key);

async function testCall(to: Hooked, type: string) {
  const asked = await test(to, type);
  expect([asked.status, asked.body.data.type]).toEqual([202, type]);
  const { id } = asked.body.data;
  const [call] = await fixture.receiver.waitFor(1, ({ headers }) => headers['webhook-id'] === id);
  return call;
}

describe('a test of a type', () => {
  it.each(WEBHOOK_TYPES)(
    '%s is told as the real thing is, whatever the webhook subscribes to',
    async (type) => {
      const call = await testCall(hook, type);
      new Webhook(hook.secret).verify(call?.text ?? '', call?.headers ?? {});
      expect(call?.body).toMatchObject({ type, timestamp: expect.any(String) });
      expect(call?.body.data.id).toBe(call?.headers['webhook-id']);
    },
  );

  it('has the fields that events of mail have', async () => {
    const real = await fixture.hook('/real', { event_types: ['email.bounced'] });
    await fixture.send({ to: [{ email: 'bounced@simulator.test' }] });
    const [happened] = await fixture.receiver.waitFor(1, ({ path }) => path === '/real');
    const tested = await testCall(real, 'email.bounced');
    expect(Object.keys(tested?.body.data)).toEqual(Object.keys(happened?.body.data));
    expect(tested?.body.data).toMatchObject({ smtp_code: 550, reason: 'unknown_recipient' });
  });

  it.each(['resend', 'sendgrid', 'postmark'] as const)(
    'is in the words of %s, where it has one',
    async (format) => {
      const foreign = await fixture.hook(`/${format}`, { format });
      for (const type of FORMAT_EVENT_TYPES[format]) {
        const call = await testCall(foreign, `email.${type}`);
        expect(call?.text).toContain(format === 'resend' ? '"type":"email.' : 'example.org');
      }
      const refused = await test(foreign, 'domain.failing');
      expect([refused.status, refused.body.error.details[0].field]).toEqual([400, 'type']);
    },
  );

  it('is refused where there is no such type', async () => {
    const { status, body } = await test(hook, 'email.eaten');
    expect([status, body.error.details[0].field]).toEqual([400, 'type']);
  });
});
