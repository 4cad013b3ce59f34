/** What our dispatcher really sends, verified by the client. */
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Postrider, verifyWebhook, type WebhookEvent } from '../../sdk/src/index.ts';
import type { ReceivedWebhook } from '../support/webhook-receiver.ts';
import { WebhookFixture } from '../webhooks/fixture.ts';

let fixture: WebhookFixture;
let client: Postrider;
beforeAll(async () => {
  fixture = await WebhookFixture.start();
  client = new Postrider({ apiKey: fixture.org.key, baseUrl: fixture.server.url });
});
afterAll(() => fixture.stop());

async function received(path: string, type: string): Promise<ReceivedWebhook> {
  const [found] = await fixture.receiver.waitFor(1, (one) => one.path === path && one.body.type === type);
  if (found === undefined) throw new Error('nothing came');
  return found;
}

/** The compiler knows what is inside by the type. */
function describeEvent(event: WebhookEvent): string {
  switch (event.type) {
    case 'email.delivered':
      return `${event.data.recipient} ${event.data.subject} ${event.data.metadata.order}`;
    case 'webhook.test':
      return event.data.webhook_id;
    default:
      return 'something else';
  }
}

it('verifies and types an event of an email', async () => {
  const { secret } = await fixture.hook('/events');
  const id = await fixture.send({
    subject: 'Grüße ✓',
    metadata: { order: 7 },
    tags: [{ name: 'a', value: 'b' }],
  });
  const { text, headers, body } = await received('/events', 'email.delivered');
  const event = await verifyWebhook(text, headers, secret);
  expect(describeEvent(event)).toBe('ada@example.org Grüße ✓ 7');
  expect(event).toMatchObject({ type: 'email.delivered', data: { type: 'delivered', email_id: id } });
  expect(event).toEqual(body);
  expect(new Webhook(secret).verify(text, headers)).toEqual(event);
});

it('verifies with the old secret and with the new one while both are good', async () => {
  const { id, secret } = await fixture.hook('/rotated');
  const rotated = await client.webhooks.rotateSecret(id);
  await expect
    .poll(
      async () => {
        const { id: eventId } = await client.webhooks.sendTest(id);
        const [one] = await fixture.receiver.waitFor(1, ({ headers }) => headers['webhook-id'] === eventId);
        return one?.headers['webhook-signature']?.split(' ').length;
      },
      { timeout: 10_000 },
    )
    .toBe(2);
  const [both] = fixture.receiver.received.filter(({ path }) => path === '/rotated').slice(-1);
  if (both === undefined) throw new Error('nothing came');
  for (const good of [secret, rotated.secret, [`whsec_${'A'.repeat(43)}=`, secret]])
    expect(describeEvent(await verifyWebhook(both.text, both.headers, good))).toBe(id);
  const changed = both.text.replace('"test":true', '"test":null');
  await expect(verifyWebhook(changed, both.headers, secret)).rejects.toMatchObject({
    reason: 'wrong_signature',
  });
});
