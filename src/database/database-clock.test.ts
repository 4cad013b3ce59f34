import { beforeEach, describe, expect, it } from 'vitest';
import { HOUR_MS } from '../runtime/durations.ts';
import { createLog } from '../runtime/log.ts';
import { DatabaseClock } from './database-clock.ts';

let steadyMs: number;
let databaseMs: number;
/** How long an answer takes; the database reads its clock in the middle. */
let tripMs: number;
let setBacks: number[];
let failing: boolean;
let clock: DatabaseClock;

beforeEach(() => {
  steadyMs = 50;
  databaseMs = 1_000_000;
  tripMs = 0;
  setBacks = [];
  failing = false;
  const one = async <Row>(): Promise<Row> => {
    pass(tripMs / 2);
    const answer = { now_ms: databaseMs } as Row;
    pass(tripMs / 2);
    return answer;
  };
  clock = new DatabaseClock({
    db: { one },
    log: createLog('test', 'silent'),
    steadyMs: () => steadyMs,
    onSetBack: async (byMs) => {
      if (failing) throw new Error('the database is away');
      setBacks.push(byMs);
    },
  });
});

function pass(ms: number): void {
  steadyMs += ms;
  databaseMs += ms;
}

describe('the clock of the database', () => {
  it('advances between two readings', async () => {
    await clock.look();
    expect(clock.nowMs()).toBe(databaseMs);
    pass(1_234);
    expect(clock.nowMs()).toBe(databaseMs);
  });

  it('moves no further than slow answers prove', async () => {
    await clock.look();
    tripMs = 6_000;
    await clock.look();
    expect(clock.nowMs()).toBe(databaseMs);
    expect(setBacks).toEqual([]);
  });

  it("follows a change of the database's clock, and reports only a step back", async () => {
    await clock.look();
    databaseMs += HOUR_MS;
    await clock.look();
    expect([clock.nowMs(), setBacks]).toEqual([databaseMs, []]);
    databaseMs -= HOUR_MS;
    await clock.look();
    expect([clock.nowMs(), setBacks]).toEqual([databaseMs, [HOUR_MS]]);
    await clock.look();
    expect(setBacks).toEqual([HOUR_MS]);
  });

  it('repeats the report until it has succeeded', async () => {
    await clock.look();
    databaseMs -= HOUR_MS;
    failing = true;
    await expect(clock.look()).rejects.toThrow('away');
    failing = false;
    await clock.look();
    expect(setBacks).toEqual([HOUR_MS]);
  });

  it('corrects a monotonic clock that runs too slowly or too fast, without a report', async () => {
    await clock.look();
    for (const drift of [300, -300, -300, -300]) {
      databaseMs += drift;
      await clock.look();
      expect(clock.nowMs()).toBe(databaseMs);
    }
    expect(setBacks).toEqual([]);
  });
});
