/** What workers count of the mail that they deliver. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Flow } from './flow.ts';

let flow: Flow;
beforeAll(async () => {
  flow = await Flow.start({ POSTRIDER_SANDBOX_SPEED: '60' });
});
afterAll(() => flow.stop());

const read = async (by: string) => (await flow.api('GET', `/stats/deliverability?by=${by}`)).body.data;

it('counts every delivery once by what it has in common with others, and every attempt that was put off', async () => {
  const template = { name: 'Welcome', subject: 'Hi', html: '<p>Hi</p>' };
  const made = await flow.api('POST', '/templates', template);
  const tags = [{ name: 'kind', value: 'receipt' }];
  const sent = [
    await flow.send(['ada@example.org', 'grace@example.org'], { tags }),
    await flow.send('bounced@simulator.test', { tags }),
    await flow.send('greylisted@simulator.test'),
    await flow.send('carl@example.org', {
      ...{ text: undefined, template_id: made.body.data.id, template_data: {} },
    }),
  ];
  for (const id of sent) await flow.final(id);
  const { totals, groups } = await read('domain');
  const all = { sent: 5, delivered: 4, deferred: 1, bounced: 1, failed: 0 };
  expect(totals).toMatchObject(all);
  expect(groups).toMatchObject([{ name: flow.organization.domain, ...all }]);
  expect(totals.p50_seconds).toBeGreaterThan(0);
  expect(totals.p95_seconds).toBeGreaterThanOrEqual(totals.p50_seconds);
  expect((await read('tag')).groups).toMatchObject([
    { name: 'kind:receipt', sent: 3, delivered: 2, bounced: 1 },
  ]);
  expect((await read('template')).groups).toMatchObject([{ label: 'Welcome', sent: 1, delivered: 1 }]);
  const reasons = (await read('reason')).groups.map(
    ({ name, deferred, bounced }: Record<string, unknown>) => [name, deferred, bounced],
  );
  expect(reasons).toContainEqual(['greylisted', 1, 0]);
  expect(reasons).toHaveLength(2);
  const [provider] = (await read('provider')).groups;
  expect(provider).toMatchObject({ sent: 5 });
  expect(provider.name).not.toBe('');
});

it('does not count mail that was never tried', async () => {
  const before = (await read('domain')).totals;
  const id = await flow.send('left@example.org', {
    scheduled_at: new Date(Date.now() + 3_000).toISOString(),
  });
  await flow.api('POST', '/suppressions', { email: 'left@example.org', reason: 'manual' });
  expect((await flow.final(id)).status).toBe('failed');
  expect((await read('domain')).totals).toEqual(before);
});

it('tells of the worker that does it', async () => {
  const { body } = await flow.api('GET', '/stats/workers');
  expect(body.data).toMatchObject([{ alive: true, host: null }]);
});
