/** Statistics of a stream: what became of its mail alone, and of what is in no other. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { recordClicks } from '../../src/emails/clicks.ts';
import { recordOpens } from '../../src/emails/opens.ts';
import { streamCountsDiffer } from '../support/counts.ts';
import { until } from '../support/until.ts';
import { Flow } from './flow.ts';

let flow: Flow;
beforeAll(async () => {
  flow = await Flow.start();
  await flow.api('POST', '/streams', { name: 'news' });
});
afterAll(() => flow.stop());

const ACCEPTED = 'delivered@simulator.test';
const BOUNCED = 'bounced@simulator.test';
const totals = async (query = '') => (await flow.api('GET', `/stats?range=24h${query}`)).body.data.totals;

it('are of its mail, however that was handed in, and add up to those of all mail', async () => {
  await flow.send(ACCEPTED, { stream: 'news' });
  await flow.send(BOUNCED, { stream: 'news' });
  await flow.send(ACCEPTED, { stream: 'bulk' });
  await flow.send(ACCEPTED);
  const { id } = (await flow.api('POST', '/templates', { name: 'N', subject: 'N', text: 'N' })).body.data;
  const { body } = await flow.api('POST', '/emails/batch', {
    from: { email: `news@${flow.organization.domain}` },
    ...{ template_id: id, stream: 'news' },
    recipients: Array.from({ length: 30 }, () => ({ to: { email: ACCEPTED } })),
  });
  expect(body.data.accepted).toBe(30);
  const all = await until(totals, ({ delivered, bounced }) => delivered === 33 && bounced === 1);
  expect(await totals('&stream=news')).toMatchObject({ sent: 32, queued: 0, delivered: 31, bounced: 1 });
  expect(await totals('&stream=bulk')).toMatchObject({ sent: 1, delivered: 1, bounced: 0 });
  expect(await totals('&stream=transactional')).toMatchObject({ sent: 1, queued: 0, delivered: 1 });
  expect(await totals('&stream=nobody')).toMatchObject({ sent: 0, delivered: 0 });
  expect(all.sent).toBe(34);
  expect(await streamCountsDiffer(flow.db)).toEqual([]);
});

it('count opens, clicks and what was cancelled, as those of all mail do', async () => {
  const emailId = await flow.send(ACCEPTED, { stream: 'bulk' });
  await flow.when(emailId, ({ status }) => status === 'delivered');
  const of = {
    organizationId: flow.organization.id,
    emailId,
    position: 0,
    userAgent: null,
    machine: null,
    soonMs: 0,
  };
  const atMs = Date.now() + 3_600_000;
  await flow.db.transaction((tx) => recordOpens(tx, [{ ...of, atMs }]));
  await flow.db.transaction((tx) => recordClicks(tx, [{ ...of, atMs, url: 'https://example.org/' }]));
  const later = { scheduled_at: new Date(Date.now() + 3_600_000).toISOString() };
  const id = await flow.send(ACCEPTED, { stream: 'bulk', ...later });
  expect((await flow.api('POST', `/emails/${id}/cancel`)).status).toBe(200);
  expect(await streamCountsDiffer(flow.db)).toEqual([]);
  expect(await totals('&stream=bulk')).toMatchObject({ sent: 3, opened: 1, clicked: 1, failed: 1 });
});

it('are refused for what cannot be the name of a stream', async () => {
  const { status, body } = await flow.api('GET', '/stats?stream=No%20such');
  expect([status, body.error.details]).toMatchObject([400, [{ field: 'stream' }]]);
});
