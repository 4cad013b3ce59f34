/** Statistics of a stream: what became of its mail alone, and of what is in no other. */
import { afterAll, beforeAll, expect, it } from 'vitest';
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
});

it('are refused for what cannot be the name of a stream', async () => {
  const { status, body } = await flow.api('GET', '/stats?stream=No%20such');
  expect([status, body.error.details]).toMatchObject([400, [{ field: 'stream' }]]);
});
