/** The stream of events through the client, over a line that breaks. */
import { getEventListeners } from 'node:events';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Postrider } from '../../sdk/src/index.ts';
import { openTcpGate, type TcpGate } from '../support/tcp-gate.ts';
import { WebhookFixture } from '../webhooks/fixture.ts';

let fixture: WebhookFixture;
let gate: TcpGate;
let client: Postrider;
beforeAll(async () => {
  fixture = await WebhookFixture.start();
  gate = await openTcpGate('127.0.0.1', Number(new URL(fixture.server.url).port));
  client = new Postrider({ apiKey: fixture.org.key, baseUrl: `http://127.0.0.1:${gate.port}` });
});
afterAll(async () => {
  await gate.shut();
  await fixture.stop();
});

it('gives every event once and in order, also those that happen while the line is down', async () => {
  const events = client.events.follow();
  await joined(events);
  const seen: string[] = [];
  /** All of these, in whatever order they are delivered. */
  const readUntilDelivered = async (...ids: string[]) => {
    while (!ids.every((id) => seen.includes(`${id} delivered`))) {
      const { email_id, type } = (await events.next()).value as { email_id: string; type: string };
      seen.push(`${email_id} ${type}`);
    }
  };
  const before = await fixture.send();
  await readUntilDelivered(before);
  await gate.shut();
  const during = await fixture.send();
  await gate.open();
  const after = await fixture.send();
  await readUntilDelivered(during, after);
  await events.return();
  expect(new Set(seen).size).toBe(seen.length);
  for (const id of [before, during, after])
    expect(seen.filter((one) => one.startsWith(id))).toEqual(
      ['queued', 'processing', 'delivered'].map((type) => `${id} ${type}`),
    );
});

/** It tells what happens from when it is joined, so something has to happen until it tells. */
async function joined(events: AsyncIterator<unknown>, letter = {}): Promise<void> {
  const first = events.next().then(() => true);
  const soon = () => new Promise<false>((resolve) => setTimeout(resolve, 200, false));
  do await fixture.send(letter);
  while (!(await Promise.race([first, soon()])));
}

it('gives only what is asked for', async () => {
  const events = client.events.follow({ type: 'delivered', recipient: 'Wanted@example.org' });
  await joined(events, { to: [{ email: 'wanted@example.org' }] });
  await fixture.send();
  await fixture.send({ to: [{ email: 'wanted@example.org' }] });
  const { value } = await events.next();
  expect(value).toMatchObject({ type: 'delivered', recipient: 'wanted@example.org' });
  await events.return();
});

it('ends when the caller aborts, and fails at once when it is refused', async () => {
  const caller = new AbortController();
  const events = client.events.follow({}, { signal: caller.signal });
  const next = events.next();
  await expect.poll(() => getEventListeners(caller.signal, 'abort').length).toBe(1);
  caller.abort(new Error('enough'));
  await expect(next).rejects.toThrow('enough');
  expect(getEventListeners(caller.signal, 'abort')).toHaveLength(0);
  const stranger = new Postrider({ apiKey: 'pr_nobody', baseUrl: fixture.server.url });
  await expect(stranger.events.follow().next()).rejects.toMatchObject({ name: 'AuthenticationError' });
});
