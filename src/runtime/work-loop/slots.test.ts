import { describe, expect, it } from 'vitest';
import { Slots } from './slots.ts';

const never = new AbortController().signal;

/** Enters, records that, and stays until released. */
function visitor(slots: Slots, inside: string[], caller: string, name: string, signal = never) {
  let letGo = () => {};
  const stay = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const done = slots.hold(caller, signal, async () => {
    inside.push(name);
    await stay;
    return name;
  });
  return { done, letGo };
}

const aMoment = () => new Promise((resolve) => setImmediate(resolve));

describe('slots', () => {
  it('limit each party, and let others overtake its waiting callers', async () => {
    const slots = new Slots({ all: 3, perCaller: 2 });
    const inside: string[] = [];
    const [a1, a2, a3, b1, b2] = [
      visitor(slots, inside, 'a', 'a1'),
      visitor(slots, inside, 'a', 'a2'),
      visitor(slots, inside, 'a', 'a3'),
      visitor(slots, inside, 'b', 'b1'),
      visitor(slots, inside, 'b', 'b2'),
    ];
    await aMoment();
    expect(inside).toEqual(['a1', 'a2', 'b1']);
    b1.letGo();
    await b1.done;
    await aMoment();
    expect(inside).toEqual(['a1', 'a2', 'b1', 'b2']);
    a1.letGo();
    await a1.done;
    await aMoment();
    expect(inside).toEqual(['a1', 'a2', 'b1', 'b2', 'a3']);
    for (const one of [a2, a3, b2]) one.letGo();
    expect(await Promise.all([a2.done, a3.done, b2.done])).toEqual(['a2', 'a3', 'b2']);
  });

  it('stop waiting when the signal aborts', async () => {
    const slots = new Slots({ all: 1, perCaller: 1 });
    const inside: string[] = [];
    const timeout = new AbortController();
    const first = visitor(slots, inside, 'a', 'first');
    const second = visitor(slots, inside, 'b', 'second', timeout.signal);
    const third = visitor(slots, inside, 'c', 'third');
    timeout.abort(new Error('too late'));
    await expect(second.done).rejects.toThrow('too late');
    first.letGo();
    third.letGo();
    expect(await third.done).toBe('third');
    expect(inside).toEqual(['first', 'third']);
  });

  it('are free again after work that failed', async () => {
    const slots = new Slots({ all: 1, perCaller: 1 });
    await expect(slots.hold('a', never, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(await slots.hold('a', never, async () => 'in')).toBe('in');
  });
});
