/** The stream of events through the client, over a line that breaks. */
import { getEventListeners } from 'node:events';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Postrider } from '../../sdk/src/index.ts';
import { openTcpGate, type TcpGate } from '../support/tcp-gate.ts';
import { World } from '../webhooks/world.ts';

let world: World;
let gate: TcpGate;
let client: Postrider;
beforeAll(async () => {
  world = await World.start();
  gate = await openTcpGate('127.0.0.1', Number(new URL(world.server.url).port));
  client = new Postrider({ apiKey: world.org.key, baseUrl: `http://127.0.0.1:${gate.port}` });
});
afterAll(async () => {
  await gate.shut();
  await world.stop();
});

it('gives every event once and in order, also those that happen while the line is down', async () => {
  await firstDelivery();
  const events = client.events.follow();
  const first = events.next();
  const before = await world.send();
  expect((await first).value).toMatchObject({ email_id: before, type: 'queued' });

  await gate.shut();
  const during = await world.send();
  await gate.open();
  const after = await world.send();
  const told = [`${before} queued`];
  for await (const { email_id, type } of events) {
    told.push(`${email_id} ${type}`);
    if (email_id === after && type === 'delivered') break;
  }
  expect(new Set(told).size).toBe(told.length);
  for (const id of [before, during, after])
    expect(told.filter((one) => one.startsWith(id))).toEqual(
      ['queued', 'processing', 'delivered'].map((type) => `${id} ${type}`),
    );
});

/** So that there is something to go on after. */
async function firstDelivery(): Promise<void> {
  const id = await world.send();
  await expect.poll(async () => (await client.emails.get(id)).status, { timeout: 20_000 }).toBe('delivered');
}

it('gives only what is asked for', async () => {
  const events = client.events.follow({ type: 'delivered', recipient: 'Wanted@example.org' });
  const first = events.next();
  await world.send();
  const wanted = await world.send({ to: [{ email: 'wanted@example.org' }] });
  expect((await first).value).toMatchObject({ type: 'delivered', email_id: wanted });
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
  const stranger = new Postrider({ apiKey: 'pr_nobody', baseUrl: world.server.url });
  await expect(stranger.events.follow().next()).rejects.toMatchObject({ name: 'AuthenticationError' });
});
