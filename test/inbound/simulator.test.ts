/** What the simulator sends back, through the real receiver: API, worker and inbound together. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { Flow, typesOf } from '../flows/flow.ts';
import { startApi } from '../support/api.ts';
import { countsDiffer } from '../support/counts.ts';
import { INBOUND_HOST, startInbound, type TestInbound } from '../support/inbound.ts';

let flow: Flow;
let inbound: TestInbound;
beforeAll(async () => {
  const api = await startApi();
  inbound = await startInbound(api.database);
  flow = await Flow.on(api, {
    POSTRIDER_HOSTNAME: INBOUND_HOST,
    POSTRIDER_INBOUND_PORT: String(inbound.port),
  });
});
afterAll(async () => {
  await flow?.stop();
  await inbound?.stop();
});

async function suppressed(): Promise<number> {
  return (await flow.api('GET', '/suppressions')).body.pagination.total_count;
}

async function stillWaiting(): Promise<number> {
  return (await flow.db.one(adHoc<{ count: number }>('SELECT count(*) FROM inbound_messages'))).count;
}

it('late-bounce is delivered at first and bounced a moment later, without being suppressed', async () => {
  const id = await flow.send('late-bounce+1@simulator.test');
  const email = await flow.when(id, ({ status }) => status === 'bounced');
  expect(typesOf(email)).toEqual(['queued', 'processing', 'delivered', 'bounced']);
  expect(email.recipients).toMatchObject([{ status: 'bounced', attempts: 1 }]);
  expect(email.events.at(-1)).toMatchObject({
    reason: 'unknown_recipient',
    smtp_code: 550,
    enhanced_code: '5.1.1',
    mx_host: 'mailbox.sandbox.postrider.test',
    recipient: 'late-bounce+1@simulator.test',
    attempt: null,
  });
  expect(await suppressed()).toBe(0);
  const { body } = await flow.api('GET', `/emails/${id}/explain`);
  expect(body.data.recipients[0].problem).toMatchObject({ reason: 'unknown_recipient' });
  expect(body.data.recipients[0].attempts).toMatchObject([
    { kind: 'attempt', attempt: 1, outcome: 'delivered', duration_ms: expect.any(Number), reported_by: null },
    { kind: 'report', attempt: null, outcome: 'bounced', duration_ms: null, reported_by: expect.any(String) },
  ]);
});

it('complained is delivered, and the complaint finds it although it hides the recipient', async () => {
  const id = await flow.send(['complained+2@simulator.test', 'delivered@simulator.test']);
  const email = await flow.when(id, (seen) => typesOf(seen).includes('complained'));
  expect(email.status).toBe('delivered');
  expect(email.events.filter(({ type }) => type === 'complained')).toMatchObject([
    { recipient: 'complained+2@simulator.test', reason: 'abuse' },
  ]);
  const { body } = await flow.api('GET', '/stats/deliverability?by=provider');
  // The bounce before may have come before it was known whose domain that is, and is counted for `other` then.
  expect(body.data.groups.find(({ name }: { name: string }) => name === 'sandbox')).toMatchObject({
    complained: 1,
    rates: { complained: expect.any(Number) },
  });
  expect(await suppressed()).toBe(0);
});

it('autoreply is delivered, and nothing else', async () => {
  const id = await flow.send('autoreply@simulator.test');
  await flow.final(id);
  // What came before it in the same queue has been read: the automatic answer, too, is gone.
  const after = await flow.send('late-bounce@simulator.test');
  await flow.when(after, ({ status }) => status === 'bounced');
  await expect.poll(stillWaiting, { timeout: 20_000 }).toBe(0);
  expect(typesOf(await flow.email(id))).toEqual(['queued', 'processing', 'delivered']);
  expect(await countsDiffer(flow.db)).toEqual([]);
});
