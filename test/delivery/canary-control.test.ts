/** Control of canaries by any number of workers, across restarts, by the database's clock. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { deleteOldCanaries, reviewCanaries } from '../../src/routing/canary/control.ts';
import { addCanaryCounts } from '../../src/routing/canary/counts.ts';
import type { PathCounts } from '../../src/routing/canary/decide.ts';
import type { CanaryPath } from '../../src/routing/canary/plan.ts';
import { pauseCanary, resumeCanary, rollBackCanary } from '../../src/routing/canary/service.ts';
import { lastSteps } from '../../src/routing/canary/steps.ts';
import { createLog } from '../../src/runtime/log.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { inTurn, setRoutes } from '../support/routes.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
  await move();
});
afterEach(() => database.drop());

const POOL = { kind: 'direct' as const, name: 'pool', sources: [{ address: '192.0.2.7' }] };
const OTHER = { kind: 'direct' as const, name: 'other-pool', sources: [{ address: '192.0.2.8' }] };
const ACME = { kind: 'relay' as const, name: 'acme', url: 'smtp://relay.example.net' };
const move = (canary: object = {}) =>
  setRoutes(database.db, {
    transports: [POOL, OTHER, ACME],
    rules: [
      { steps: inTurn('acme'), canary: { name: 'off-acme', to: 'pool', percents: [10, 50], ...canary } },
    ],
  });

const clock = { nowMs: () => Date.now() };
async function look(workers = 1): Promise<void> {
  const deps = { db: database.db, clock, log: createLog('test', 'silent') };
  const { signal } = new AbortController();
  await database.db.exec(adHoc(`UPDATE canaries SET looked_at = '-infinity'`));
  await Promise.all(Array.from({ length: workers }, () => reviewCanaries(deps, signal)));
}
const count = (way: CanaryPath, sent: number, more: Partial<PathCounts> = {}) =>
  addCanaryCounts(database.db, [
    { canary: 'off-acme', provider: 'google', way, deferred: 0, bounced: 0, complained: 0, sent, ...more },
  ]);
/** Moves all recorded times into the past. */
const pass = async (minutes: number) => {
  const earlier = `- ${minutes} * interval '1 minute'`;
  await database.db.exec(adHoc(`UPDATE canary_shares SET since = since ${earlier}`));
  await database.db.exec(adHoc(`UPDATE canary_counts SET at = at ${earlier}`));
};
const share = async () => {
  const rows = await database.db.many(
    adHoc<{ percent: number; falls: number }>('SELECT percent, falls FROM canary_shares'),
  );
  return rows[0];
};
const steps = async () => (await lastSteps(database.db, 100)).toReversed();
const moves = async () => (await steps()).map(({ kind, to_percent }) => [kind, to_percent]);
/** Starts the canary's first step in a ten-second interval of its own. */
async function begun(): Promise<void> {
  await count('old', 500, { deferred: 5 });
  await look();
  await pass(1);
}

describe('a canary', () => {
  it('begins with a provider as soon as mail of the rule goes there', async () => {
    await look();
    expect(await share()).toBeUndefined();
    await begun();
    expect(await share()).toMatchObject({ percent: 10, falls: 0 });
    expect(await steps()).toMatchObject([
      {
        ...{ canary: 'off-acme', transport: 'pool', provider: 'google', kind: 'rise' },
        ...{ from_percent: 0, to_percent: 10 },
        message: '10 % of the mail to google goes through pool from now on.',
        numbers: { old: { sent: 500, deferred: 5 }, new: { sent: 0 }, rate: null },
      },
    ]);
  });

  it('takes each step once, however many workers look at the same time', async () => {
    await count('old', 500);
    await look(5);
    expect(await moves()).toEqual([['rise', 10]]);
  });

  it('counts mail of a step for as long as that lasts, and no longer', async () => {
    await begun();
    await count('old', 300);
    await count('new', 60);
    await pass(70);
    await look();
    expect((await share())?.percent).toBe(10);
    const left = await database.db.many(adHoc<{ sent: number }>('SELECT sent FROM canary_counts'));
    expect(left).toEqual([]);
    await count('new', 40);
    await look();
    expect(await moves()).toEqual([
      ['rise', 10],
      ['rise', 50],
    ]);
    expect((await steps()).at(-1)?.numbers).toMatchObject({ old: { sent: 300 }, new: { sent: 100 } });
    // Outcomes before the step do not count for it.
    await pass(70);
    await look();
    expect((await share())?.percent).toBe(50);
  });

  it('falls for bounces and complaints as for deferrals, and rests longer every time', async () => {
    await begun();
    for (const [nth, rate] of (['bounced', 'complained', 'deferred'] as const).entries()) {
      await count('old', 1_000);
      await count('new', 500, { [rate]: 100 });
      await look();
      expect(await share()).toEqual({ percent: 0, falls: nth + 1 });
      expect((await steps()).at(-1)).toMatchObject({ kind: 'fall', numbers: { rate } });
      await pass(60 * 2 ** nth - 1);
      await look();
      expect((await share())?.percent).toBe(0);
      await pass(2);
      await look();
      expect((await share())?.percent).toBe(10);
      await pass(1);
    }
  });

  it('stays while it is paused, falls all the same, and goes on when it is resumed', async () => {
    const deps = { db: database.db, nowMs: clock.nowMs };
    await begun();
    await pauseCanary(deps, 'off-acme', null);
    await count('new', 200);
    await pass(61);
    await look();
    expect((await share())?.percent).toBe(10);
    await resumeCanary(deps, 'off-acme', null);
    await look();
    expect((await share())?.percent).toBe(50);
    await pass(1);
    await pauseCanary(deps, 'off-acme', 'google');
    await count('new', 100, { deferred: 90 });
    await look();
    expect(await share()).toEqual({ percent: 0, falls: 1 });
    await pass(10_000);
    await look();
    expect((await share())?.percent).toBe(0);
    await resumeCanary(deps, 'off-acme', 'google');
    await look();
    expect(await share()).toEqual({ percent: 10, falls: 0 });
  });

  it('stays back where it was taken back, until it is resumed', async () => {
    const deps = { db: database.db, nowMs: clock.nowMs };
    await begun();
    await rollBackCanary(deps, 'off-acme', null);
    expect((await share())?.percent).toBe(0);
    await pass(10_000);
    await look();
    expect((await share())?.percent).toBe(0);
    await resumeCanary(deps, 'off-acme', null);
    await look();
    expect(await moves()).toEqual([
      ['rise', 10],
      ['back', null],
      ['resume', null],
      ['rise', 10],
    ]);
  });

  it('begins anew where it moves mail to another transport', async () => {
    await begun();
    await count('new', 200);
    await pass(61);
    await look();
    expect((await share())?.percent).toBe(50);
    await move({ to: 'other-pool' });
    await count('old', 10);
    await look();
    expect((await share())?.percent).toBe(10);
    expect((await steps()).at(-1)).toMatchObject({ transport: 'other-pool', from_percent: 0 });
  });

  it('is forgotten when no rule has it any more, but for its steps', async () => {
    await begun();
    await move({ name: 'another' });
    await look();
    expect(await share()).toBeUndefined();
    expect(await moves()).toEqual([['rise', 10]]);
    await pass(2 * 24 * 60);
    await database.db.exec(adHoc(`UPDATE canary_steps SET at = at - interval '181 days'`));
    await deleteOldCanaries(database.db);
    expect(await moves()).toEqual([]);
    expect(await database.db.many(adHoc('SELECT FROM canary_counts'))).toEqual([]);
  });

  it('waits, and does not leap, where the clock of the database is set back', async () => {
    await begun();
    await count('new', 200);
    await pass(-30);
    await look();
    expect((await share())?.percent).toBe(10);
  });
});
