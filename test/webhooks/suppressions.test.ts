/** Webhooks that ask for it by name hear what changes on the suppression list. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { EmailAddress } from '../../src/protocols/message/address.ts';
import { applySignals } from '../../src/suppressions/automatic.ts';
import { WebhookFixture } from './fixture.ts';

let fixture: WebhookFixture;
beforeAll(async () => {
  fixture = await WebhookFixture.start();
  await fixture.hook('/list', { event_types: ['suppression.added', 'suppression.removed'] });
  await fixture.hook('/all');
});
afterAll(() => fixture.stop());

const bodiesAbout = async (email: string, count: number) => {
  const calls = await fixture.receiver.waitFor(
    count,
    ({ path, body }) => path === '/list' && body.data.email === email,
  );
  return calls.map(({ body }) => body);
};

it('of an address that somebody adds and removes', async () => {
  const email = 'manual@example.org';
  const { id } = await fixture.call('POST', '/suppressions', { email, reason: 'manual' });
  await fixture.call('DELETE', `/suppressions/${id}`);
  const bodies = await bodiesAbout(email, 2);
  const news = { suppression_id: id, email, reason: 'manual', source: 'manual', unsubscribe_group: null };
  expect(bodies.map(({ type }) => type).toSorted()).toEqual(['suppression.added', 'suppression.removed']);
  for (const { type, data } of bodies) expect(data).toMatchObject({ type, ...news, email_id: null });
});

it('of an address that is added again only if it was not there', async () => {
  const email = 'twice@example.org';
  await fixture.call('POST', '/suppressions', { email, reason: 'manual' });
  const { id } = await fixture.call('POST', '/suppressions', { email, reason: 'complaint' });
  await fixture.call('DELETE', `/suppressions/${id}`);
  expect((await bodiesAbout(email, 2)).map(({ type }) => type).toSorted()).toEqual([
    'suppression.added',
    'suppression.removed',
  ]);
});

it('of an address that a bounce puts there, with the email that it came from', async () => {
  const email = 'gone@example.org' as EmailAddress;
  const emailId = await fixture.send();
  const signal = {
    signal: 'hard_bounce',
    organizationId: fixture.org.id,
    recipient: email,
    emailId,
  } as const;
  await fixture.server.db.transaction((tx) =>
    applySignals(tx, [{ ...signal, atMs: Date.now(), cause: 'unknown_recipient' }]),
  );
  const [bodies] = await bodiesAbout(email, 1);
  expect(bodies.data).toMatchObject({ reason: 'hard_bounce', source: 'automatic', email_id: emailId });
});

it('but not those that want all events without naming them', async () => {
  const email = 'unnamed@example.org';
  await fixture.call('POST', '/suppressions', { email, reason: 'manual' });
  await bodiesAbout(email, 1);
  const emailId = await fixture.send();
  await fixture.receiver.waitFor(
    1,
    ({ path, body }) => path === '/all' && body.data.email_id === emailId && body.type === 'email.delivered',
  );
  const toAll = fixture.receiver.received.filter(({ path }) => path === '/all');
  expect(toAll.filter(({ body }) => body.type.startsWith('suppression.'))).toEqual([]);
});

it('and not of another organization', async () => {
  const stranger = await fixture.server.createOrganization();
  const foreign = { email: 'foreign@example.org', reason: 'manual' };
  expect((await fixture.server.api('POST', '/suppressions', foreign, stranger.key)).status).toBe(201);
  await fixture.call('POST', '/suppressions', { email: 'own@example.org', reason: 'manual' });
  await bodiesAbout('own@example.org', 1);
  expect(fixture.receiver.received.filter(({ body }) => body.data.email === foreign.email)).toEqual([]);
});
