/** Answers at an installation whose host name has no dot, as in the sandbox of a developer's machine. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from '../processes/supervised.ts';
import { startInbound, type TestInbound } from '../support/inbound.ts';
import { until } from '../support/until.ts';
import { WebhookFixture } from '../webhooks/fixture.ts';

const HOST = 'Laptop';

let fixture: WebhookFixture;
let inbound: TestInbound;
beforeAll(async () => {
  const port = String(await freePort());
  fixture = await WebhookFixture.start({ POSTRIDER_HOSTNAME: HOST }, { POSTRIDER_INBOUND_PORT: port });
  inbound = await startInbound(fixture.server.database, {
    env: { POSTRIDER_INBOUND_PORT: port, POSTRIDER_HOSTNAME: HOST },
  });
});
afterAll(async () => {
  await inbound?.stop();
  await fixture?.stop();
});

/** Answers the captured message of an email, as its recipient would. */
async function answer(emailId: string, text: string): Promise<void> {
  const captured = await until(async () => {
    const all = await fixture.call('GET', '/sandbox/messages?limit=100');
    return all.find(({ email_id }: { email_id: string }) => email_id === emailId);
  });
  await fixture.call('POST', `/sandbox/messages/${captured.id}/actions`, { action: 'reply', text });
}

/** Received mail with a text that was read. */
function receivedWith(text: string) {
  return until(async () => {
    for (const { id, status } of await fixture.call('GET', '/inbound')) {
      if (status !== 'read') continue;
      const mail = await fixture.call('GET', `/inbound/${id}`);
      if (mail.stripped_reply === text) return mail;
    }
    return undefined;
  });
}

it('a conversation goes on in both directions', async () => {
  const id = await fixture.send({ receive_replies: true, subject: 'Question' });
  expect((await fixture.call('GET', `/emails/${id}`)).reply_to.email).toMatch(/^r\+[0-9a-z]{61}@laptop$/i);
  await answer(id, 'First answer');
  const first = await receivedWith('First answer');
  expect(first).toMatchObject({ in_reply_to_email_id: id, conversation_id: id });

  const replied = await fixture.call('POST', `/inbound/${first.id}/reply`, { text: 'Second question' });
  await answer(replied.message_id, 'Second answer');
  expect(await receivedWith('Second answer')).toMatchObject({ conversation_id: id });
});
