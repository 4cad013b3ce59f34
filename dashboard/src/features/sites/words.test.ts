import { describe, expect, it } from 'vitest';
import { isAboutToBe, nextTryOf, paceOf, stateOf, waitingOf } from './words.ts';

const held = {
  connections: null,
  reason: null,
  messages_per_minute: null,
  until: null,
  due: 3,
  scheduled: 0,
};
const open = { ...held, state: 'open' } as const;
const slow = { ...held, state: 'slow', reason: 'rate_limited', messages_per_minute: 30 } as const;
const blocked = { ...held, state: 'blocked', until: '2026-11-15T22:40:00.000Z' } as const;
const paused = { ...held, state: 'paused' } as const;

describe('a site in words', () => {
  it('has a name for each state, and for one that only gets fewer connections', () => {
    expect(stateOf(open).name).toBe('open');
    expect(stateOf({ ...open, connections: 3 }).name).toBe('fewer connections');
    expect(stateOf(slow).name).toBe('slowed');
    expect(stateOf(paused).name).toBe('paused');
    expect(stateOf({ ...held, state: 'probing' }).name).toBe('being tried');
  });

  it('is called not reachable only where nobody answered', () => {
    expect(stateOf({ ...blocked, reason: 'connection_refused' }).name).toBe('not reachable');
    expect(stateOf({ ...blocked, reason: 'host_busy' }).name).toBe('blocked');
  });

  it('has a pace that can be read aloud', () => {
    expect(paceOf(slow)).toBe('30 messages a minute');
    expect(paceOf({ ...slow, messages_per_minute: 1 })).toBe('one message a minute');
    expect(paceOf({ ...slow, messages_per_minute: 3.75, connections: 1 })).toBe(
      '3.8 messages a minute, one connection at a time',
    );
    expect(paceOf(open)).toBe('at full speed');
    expect(paceOf(paused)).toBe('nothing is sent');
  });

  it('tells what is due from what waits for a time of its own', () => {
    expect(waitingOf({ due: 1200, scheduled: 2 })).toBe('1,200 due now, 2 later');
    expect(waitingOf({ due: 0, scheduled: 2 })).toBe('2 later');
    expect(waitingOf({ due: 0, scheduled: 0 })).toBe('none');
  });

  it('promises a time only where there is one', () => {
    expect(nextTryOf(blocked)).toEqual({ at: blocked.until });
    expect(nextTryOf(paused)).toEqual({ words: 'when it is resumed' });
    expect(nextTryOf(slow)).toEqual({ words: 'one every 2 seconds' });
    expect(nextTryOf({ ...slow, messages_per_minute: 1 })).toEqual({ words: 'one every minute' });
    expect(nextTryOf(open)).toEqual({ words: 'when its turn comes' });
    expect(nextTryOf({ ...open, due: 0, scheduled: 2 })).toEqual({ words: 'each at its own time' });
  });

  it('takes the next seconds for now', () => {
    const nowMs = Date.parse('2026-11-15T22:39:58.000Z');
    expect(isAboutToBe(blocked.until, nowMs)).toBe(true);
    expect(isAboutToBe(blocked.until, nowMs - 60_000)).toBe(false);
  });
});
