/** A site that says it gets too much. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { newId } from '../../src/runtime/ids.ts';
import { Live, until } from './live.ts';

/** A minute lasts a second, the 90 minutes a minute and a half. */
const SPEED = 60;
const ORG = newId('org');

let live: Live;
beforeAll(async () => {
  live = await Live.start({
    sites: { wary: { mail: '421 4.7.0 Too many messages from your IP, rate limited' } },
    speed: SPEED,
  });
  await live.seed('wary', ORG, 50);
  await live.startWorker();
});
afterAll(() => live.stop());

const count = async (condition: string) =>
  (await live.db.one(adHoc<{ count: number }>(`SELECT count(*) FROM outbox WHERE ${condition}`))).count;

it('is slowed down at once, and says why', async () => {
  const site = await until(
    () => live.site('wary'),
    (row) => row !== undefined,
  );
  expect(site).toMatchObject({ reason: 'rate_limited', blocked_until: null });
  expect(site?.detail).toContain('Too many messages');
});

it('then gets one message at a time, a minute apart', async () => {
  const sink = live.sink('wary');
  // What was on its way when the first reply came has its reply too.
  await until(
    () => count('worker IS NOT NULL'),
    (inHand) => inHand === 0,
  );
  const times: number[] = [];
  sink.script = {
    mail: () => {
      times.push(Date.now());
      return { act: 'agree' };
    },
  };
  await until(
    async () => times.length,
    (seen) => seen >= 4,
  );
  const gaps = times.slice(1).map((time, i) => time - (times[i] as number));
  for (const gap of gaps) expect(gap).toBeGreaterThanOrEqual(950);
  expect(await count('attempt = 0 AND worker IS NULL')).toBeGreaterThan(30);
});
