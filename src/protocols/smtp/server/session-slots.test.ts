import { describe, expect, it } from 'vitest';
import { DAY_MS } from '../../../runtime/durations.ts';
import { type Activity, SessionSlots, type Slot } from './session-slots.ts';

class Visitor {
  activity: Activity = 'idle';
  isDropped = false;
  makeRoom(): void {
    this.isDropped = true;
  }
}

function slotsOf(sessions: number, sessionsPerAddress = sessions, nowMs: () => number = () => 0) {
  const slots = new SessionSlots({ sessions, sessionsPerAddress }, nowMs);
  return {
    enter(address: string, activity: Activity = 'idle') {
      const visitor = Object.assign(new Visitor(), { activity });
      return { visitor, slot: slots.take(address, visitor) };
    },
  };
}

function proven(slot: Slot | string): Slot {
  if (typeof slot === 'string') throw new Error(slot);
  slot.prove();
  return slot;
}

describe('the slots of a mail server', () => {
  it('are limited for each address, and for all addresses', () => {
    const { enter } = slotsOf(4, 2);
    const first = enter('192.0.2.1', 'busy');
    enter('192.0.2.1', 'busy');
    expect(enter('192.0.2.1').slot).toBe('address_full');
    expect(enter('192.0.2.2', 'busy').slot).not.toBeTypeOf('string');
    expect(enter('192.0.2.3').slot).toBe('server_full');
    (first.slot as Slot).leave();
    expect(enter('192.0.2.3').slot).not.toBeTypeOf('string');
  });

  it('take all addresses of an IPv6 network of 64 bits for one', () => {
    const { enter } = slotsOf(10, 1);
    enter('2001:db8::1');
    expect(enter('2001:db8::2').slot).toBe('address_full');
    expect(enter('2001:db8:0:1::1').slot).not.toBeTypeOf('string');
  });

  it('are taken from the oldest idle connection when none is left', () => {
    const { enter } = slotsOf(4);
    const [busy, oldest, next] = [enter('192.0.2.1', 'busy'), enter('192.0.2.2'), enter('192.0.2.3')];
    expect(enter('192.0.2.4').slot).not.toBeTypeOf('string');
    expect([busy, oldest, next].map(({ visitor }) => visitor.isDropped)).toEqual([false, true, false]);
  });

  it('are taken from the address with the most idle connections, so that a flood drops its own', () => {
    const { enter } = slotsOf(4);
    const slow = enter('192.0.2.1').visitor;
    const flood = ['192.0.2.2', '192.0.2.2', '192.0.2.2', '192.0.2.2'].map((one) => enter(one).visitor);
    expect(slow.isDropped).toBe(false);
    expect(flood.map(({ isDropped }) => isDropped)).toEqual([true, true, false, false]);
  });

  it('are taken from a stalled connection when no idle one is left, and from no busy one', () => {
    const { enter } = slotsOf(4);
    const busy = enter('192.0.2.1', 'busy').visitor;
    const stalled = enter('192.0.2.2', 'stalled').visitor;
    enter('192.0.2.3', 'busy');
    expect(enter('192.0.2.4', 'busy').slot).not.toBeTypeOf('string');
    expect([busy.isDropped, stalled.isDropped]).toEqual([false, true]);
    expect(enter('192.0.2.5').slot).toBe('server_full');
  });

  it('are kept in part for addresses that have proven themselves', () => {
    const { enter } = slotsOf(4);
    const known = enter('192.0.2.1');
    proven(known.slot).leave();
    for (const address of ['192.0.2.2', '192.0.2.3', '192.0.2.4']) enter(address, 'busy');
    expect(enter('192.0.2.5').slot).toBe('server_full');
    expect(enter('192.0.2.1').slot).not.toBeTypeOf('string');
  });

  it('are all taken by clients without a proof where no part is kept', () => {
    const slots = new SessionSlots({ sessions: 2, sessionsPerAddress: 3 }, () => 0, 0);
    const enter = () => slots.take('127.0.0.1', Object.assign(new Visitor(), { activity: 'busy' }));
    expect([enter(), enter()].filter((slot) => typeof slot === 'string')).toEqual([]);
    expect(enter()).toBe('server_full');
  });

  it('of proven clients are the last to be taken', () => {
    const { enter } = slotsOf(4);
    const known = enter('192.0.2.1');
    proven(known.slot);
    const strangers = ['192.0.2.2', '192.0.2.3'].map((address) => enter(address, 'stalled').visitor);
    enter('192.0.2.4', 'busy');
    enter('192.0.2.1', 'busy');
    expect([known.visitor, ...strangers].map(({ isDropped }) => isDropped)).toEqual([false, true, false]);
  });

  it('forget after a day that an address has proven itself', () => {
    let nowMs = 0;
    const { enter } = slotsOf(4, 4, () => nowMs);
    proven(enter('192.0.2.1').slot).leave();
    for (const address of ['192.0.2.2', '192.0.2.3', '192.0.2.4']) enter(address, 'busy');
    nowMs = DAY_MS;
    expect(enter('192.0.2.1').slot).toBe('server_full');
  });
});
