import { describe, expect, it } from 'vitest';
import { HOUR_MS } from '../runtime/durations.ts';
import { type Change, stateAfterCheck, type VerificationState } from './verification-state.ts';
import type { DnsCheckStatus } from './verify.ts';

const NEW: VerificationState = {
  spf_verified: false,
  dkim_verified: false,
  verified_at: null,
  verified_in: null,
  failed_checks: 0,
  failing_since: null,
  next_check_at: null,
};
const VERIFIED: VerificationState = {
  ...NEW,
  spf_verified: true,
  dkim_verified: true,
  verified_at: new Date(0),
  verified_in: 'live',
};

interface Look {
  readonly spf?: DnsCheckStatus;
  readonly dkim?: DnsCheckStatus;
  readonly asked?: boolean;
  readonly hours?: number;
}

function look(
  before: VerificationState,
  { spf = 'pass', dkim = 'pass', asked = false, hours = 0 }: Look,
): Change {
  const context = { asked, mode: 'live', nowMs: Math.round(hours * HOUR_MS), random: 0 } as const;
  return stateAfterCheck(before, { spf, dkim, checks: [] }, context);
}

/** Repeats the same check result whenever the next check is due. */
function looks(before: VerificationState, result: Look, times: number): Change[] {
  const changes: Change[] = [];
  let state = before;
  let hours = result.hours ?? 0;
  for (let n = 0; n < times; n += 1) {
    const change = look(state, { ...result, hours });
    changes.push(change);
    state = change.after;
    if (state.next_check_at === null) break;
    hours = state.next_check_at.getTime() / HOUR_MS;
  }
  return changes;
}

describe('an unverified domain', () => {
  it('is verified when both records are found', () => {
    const { after, transition } = look(NEW, { hours: 5 });
    expect(transition).toBe('verified');
    expect(after).toMatchObject({ spf_verified: true, dkim_verified: true, verified_in: 'live' });
    expect(after.verified_at).toEqual(new Date(5 * HOUR_MS));
    expect(after.next_check_at).toEqual(new Date(29 * HOUR_MS));
  });

  it('keeps each half that was found, even after a check without an answer', () => {
    const half = look(NEW, { spf: 'fail' }).after;
    expect(half).toMatchObject({ spf_verified: false, dkim_verified: true, verified_at: null });
    expect(look(half, { dkim: 'unknown' })).toMatchObject({ transition: 'verified' });
  });

  it('is checked after 1, 2, 5, 10, 30 minutes, hourly for a day, daily for a month, and no more', () => {
    const changes = looks(NEW, { spf: 'fail', dkim: 'unknown' }, 100);
    const times = [0, ...changes.map(({ after }) => (after.next_check_at?.getTime() ?? 0) / 60_000)];
    const waits = times.slice(1).map((at, n) => at - (times[n] as number));
    expect(waits.slice(0, 5)).toEqual([1, 2, 5, 10, 30]);
    expect(waits.slice(5, 29)).toEqual(Array(24).fill(60));
    expect(waits.slice(29, 59)).toEqual(Array(30).fill(1440));
    expect(changes).toHaveLength(60);
    expect(changes.at(-1)?.after.next_check_at).toBeNull();
  });

  it('is checked often again after a user requests a check', () => {
    const given_up = looks(NEW, { spf: 'fail' }, 100).at(-1)?.after as VerificationState;
    const { after } = look(given_up, { spf: 'fail', asked: true });
    expect(after.next_check_at).toEqual(new Date(60_000));
  });
});

describe('a verified domain', () => {
  it('is checked daily, and stays verified', () => {
    const { after, transition } = look(VERIFIED, { hours: 24 });
    expect(transition).toBeNull();
    expect(after).toEqual({ ...VERIFIED, next_check_at: new Date(48 * HOUR_MS) });
  });

  it.each([
    { spf: 'unknown' },
    { dkim: 'unknown' },
    { spf: 'unknown', dkim: 'unknown', asked: true },
  ] as const)('is not touched by DNS that does not answer: %o', (result) => {
    for (const { after, transition } of looks(VERIFIED, result, 200)) {
      expect(transition).toBeNull();
      expect(after).toMatchObject({ spf_verified: true, dkim_verified: true, failing_since: null });
    }
  });

  it('still sends for 72 hours while a record is wrong, with a warning', () => {
    const changes = looks(VERIFIED, { dkim: 'fail', hours: 100 }, 13);
    for (const { after, transition } of changes.slice(0, 12)) {
      expect(transition).toBe('failing');
      expect(after).toMatchObject({ spf_verified: true, dkim_verified: true });
      expect(after.failing_since).toEqual(new Date(100 * HOUR_MS));
    }
    expect(changes[11]?.after.next_check_at).toEqual(new Date(172 * HOUR_MS));
    expect(changes[12]).toMatchObject({
      transition: 'unverified',
      after: { spf_verified: true, dkim_verified: false, verified_at: null, failing_since: null },
    });
  });

  it('recovers when the record is back in time', () => {
    const failing = look(VERIFIED, { spf: 'fail' }).after;
    expect(look(failing, { hours: 71 })).toMatchObject({
      transition: 'recovered',
      after: { failing_since: null },
    });
    const again = look(look(failing, { hours: 71 }).after, { spf: 'fail', hours: 80 });
    expect(again).toMatchObject({ transition: 'failing', after: { failing_since: new Date(80 * HOUR_MS) } });
  });

  it('is not unverified by two checks far apart, nor by one without an answer', () => {
    const failing = look(VERIFIED, { spf: 'fail' }).after;
    expect(look(failing, { spf: 'fail', hours: 1000 }).transition).toBe('failing');
    const long = looks(VERIFIED, { spf: 'fail' }, 12).at(-1)?.after as VerificationState;
    expect(look(long, { spf: 'unknown', hours: 1000 })).toMatchObject({
      transition: null,
      after: { spf_verified: true, failing_since: new Date(0) },
    });
  });

  it('loses nothing by a requested check that a background check would have kept', () => {
    const asked = look(VERIFIED, { spf: 'fail', dkim: 'unknown', asked: true });
    expect(asked).toEqual(look(VERIFIED, { spf: 'fail', dkim: 'unknown' }));
    expect(asked).toMatchObject({
      transition: 'failing',
      after: { spf_verified: true, dkim_verified: true },
    });
  });
});
