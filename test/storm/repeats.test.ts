import { describe, expect, it } from 'vitest';
import type { Fault } from './fault-log.ts';
import { ARRIVAL_MS, type Delivery, excuseFor, repeatsIn } from './repeats.ts';

const delivery: Delivery = {
  atMs: 1_000,
  port: 40_001,
  openedAtMs: 500,
  reply: 'whole',
  replyAtMs: 1_000,
  heardAtMs: null,
};
const killed: Fault = {
  kind: 'kill-worker',
  harm: 'killed',
  victim: 'worker',
  pid: 1,
  connections: new Map([[40_001, 0]]),
  fromMs: 1_000 + ARRIVAL_MS - 1,
  toMs: Number.POSITIVE_INFINITY,
};
const frozen: Fault = { ...killed, harm: 'frozen', fromMs: 900, toMs: 30_000 };

describe('a delivery that is repeated', () => {
  it('has no excuse when nothing happened to the process that held its connection', () => {
    expect(excuseFor(delivery, [])).toBeNull();
    expect(excuseFor(delivery, [{ ...killed, connections: new Map([[40_002, 17]]) }])).toBeNull();
    expect(excuseFor(delivery, [{ ...killed, harm: 'stopped' }])).toBeNull();
  });

  it('is ambiguous when that process was killed before it can have noted the reply, and not later', () => {
    expect(excuseFor(delivery, [killed])).toBe('killed');
    expect(excuseFor(delivery, [{ ...killed, fromMs: 990 }])).toBe('killed');
    expect(excuseFor(delivery, [{ ...killed, fromMs: 1_000 + ARRIVAL_MS + 1 }])).toBeNull();
  });

  it('is ambiguous later, too, when that process has ended no turn that began after the reply', () => {
    const slow = (lastTurnMs: number) => ({ ...killed, fromMs: 1_300, lastTurnMs });
    expect(excuseFor(delivery, [slow(1_000 + ARRIVAL_MS)])).toBe('killed');
    expect(excuseFor(delivery, [slow(1_001 + ARRIVAL_MS)])).toBeNull();
  });

  it('is ambiguous however late, when the reply lay unread in that connection', () => {
    const unread = { ...killed, fromMs: 9_000, connections: new Map([[40_001, 17]]) };
    expect(excuseFor(delivery, [unread])).toBe('killed');
    expect(excuseFor({ ...delivery, heardAtMs: 1_010 }, [unread])).toBeNull();
  });

  it('counts the time from the next word where there was one, because that proves the reading', () => {
    const acknowledged = { ...delivery, heardAtMs: 1_200 };
    expect(excuseFor(acknowledged, [{ ...killed, fromMs: 1_200 + ARRIVAL_MS }])).toBe('killed');
    expect(excuseFor(acknowledged, [{ ...killed, fromMs: 1_201 + ARRIVAL_MS }])).toBeNull();
  });

  it('is ambiguous when that process stood still at that moment, and not when it went on before', () => {
    expect(excuseFor(delivery, [frozen])).toBe('frozen');
    expect(excuseFor(delivery, [{ ...frozen, toMs: 999 }])).toBeNull();
    expect(excuseFor(delivery, [{ ...frozen, fromMs: 1_000 + ARRIVAL_MS + 1 }])).toBeNull();
  });

  it('is ambiguous when the sink withheld the reply, and when a harmed client was gone before it', () => {
    expect(excuseFor({ ...delivery, reply: 'none' }, [])).toBe('reply withheld');
    expect(excuseFor({ ...delivery, reply: 'half' }, [])).toBe('reply withheld');
    const late: Delivery = { ...delivery, reply: 'late' };
    expect(excuseFor(late, [])).toBeNull();
    expect(excuseFor(late, [{ ...killed, harm: 'stopped', fromMs: 900 }])).toBe('hung up');
  });

  it('is not excused by the holder of the same port before or after it', () => {
    expect(excuseFor({ ...delivery, openedAtMs: 950 }, [{ ...frozen, fromMs: 900 }])).toBeNull();
  });

  it('is ambiguous when the line about it was lost with the power, and only that one', () => {
    const again = { ...delivery, atMs: 9_000, replyAtMs: 9_000 };
    const what = 'plain-1-0 ada@d1.storm.test';
    const cut: Fault = {
      ...killed,
      connections: new Map(),
      fromMs: 5_000,
      forgotten: new Set(['ada@d1.storm.test']),
    };
    const repeatsOf = (fault: Fault) => repeatsIn(new Map([[what, [delivery, again]]]), [fault]);
    expect(repeatsOf(cut).ambiguous).toEqual({ 'journal lost': 1 });
    expect(repeatsOf({ ...cut, fromMs: 900 }).unexplained).toHaveLength(1);
    expect(repeatsOf({ ...cut, forgotten: new Set(['bea@d1.storm.test']) }).unexplained).toHaveLength(1);
  });

  it('has no excuse when a journal said at that moment that it had been delivered', () => {
    const again = { ...delivery, atMs: 9_000, replyAtMs: 9_000 };
    const repeats = (noted: string) =>
      repeatsIn(new Map([['plain-1-0 ada@d1.storm.test', [delivery, again]]]), [
        { ...killed, noted: new Set([noted]) },
      ]);
    expect(repeats('bea@d1.storm.test').ambiguous).toEqual({ killed: 1 });
    expect(repeats('ada@d1.storm.test').unexplained).toHaveLength(1);
  });

  it('is told apart for each of its copies', () => {
    const again = { ...delivery, port: 40_002, atMs: 2_000, replyAtMs: 2_000 };
    const third = { ...again, atMs: 3_000 };
    const { repeated, ambiguous, unexplained } = repeatsIn(
      new Map([['plain-1-0 ada@d1.storm.test', [delivery, again, third]]]),
      [killed],
    );
    expect([repeated, ambiguous]).toEqual([2, { killed: 1 }]);
    expect(unexplained).toHaveLength(1);
    expect(unexplained[0]).toMatch(/^plain-1-0 ada@d1\.storm\.test: taken .* from port 40002/);
  });
});
