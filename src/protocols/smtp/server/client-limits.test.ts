import { describe, expect, it } from 'vitest';
import { ClientLimits, type Limits } from './client-limits.ts';

const nobody = () => false;
const LIMITS = { sessions: 400, sessionsPerAddress: 40, connections: 600, messages: 60, guesses: 60 };

function limited(
  limits: Partial<Limits<'messages' | 'guesses'>>,
  nowMs: () => number = () => 0,
  exempt: typeof nobody | undefined = nobody,
) {
  return new ClientLimits<'messages' | 'guesses'>({
    limits: { ...LIMITS, ...limits },
    nowMs,
    exempt,
    barring: ['guesses'],
  });
}

describe('limits of clients', () => {
  it('count connections per address and minute', () => {
    const limits = limited({ connections: 2 });
    expect([1, 2, 3].map(() => limits.mayConnect('192.0.2.1'))).toEqual([true, true, false]);
    expect(limits.mayConnect('192.0.2.2')).toBe(true);
  });

  it('start over every minute', () => {
    let nowMs = 0;
    const limits = limited({ messages: 2 }, () => nowMs);
    const three = () => [1, 2, 3].map(() => limits.allows('192.0.2.1', 'messages'));
    expect(three()).toEqual([true, true, false]);
    expect(limits.allows('192.0.2.2', 'messages')).toBe(true);
    nowMs = 60_000;
    expect(three()).toEqual([true, true, false]);
  });

  it('close the door for the rest of the minute to who guesses', () => {
    const limits = limited({ guesses: 1 });
    limits.allows('192.0.2.1', 'guesses');
    expect(limits.mayConnect('192.0.2.1')).toBe(true);
    limits.allows('192.0.2.1', 'guesses');
    expect(limits.mayConnect('192.0.2.1')).toBe(false);
    expect(limits.mayConnect('192.0.2.9')).toBe(true);
  });

  it('do not count this machine by the minute', () => {
    const limits = new ClientLimits({ limits: { ...LIMITS, messages: 1 }, nowMs: () => 0 });
    expect([1, 2, 3].every(() => limits.allows('127.0.0.1', 'messages'))).toBe(true);
    expect([1, 2, 3].every(() => limits.allows('::ffff:127.0.0.1', 'messages'))).toBe(true);
    expect([1, 2, 3].every(() => limits.allows('1.127.0.1', 'messages'))).toBe(false);
  });
});
