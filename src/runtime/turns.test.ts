import { setImmediate as othersTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Turns } from './turns.ts';

function busyFor(ms: number): void {
  const untilMs = performance.now() + ms;
  while (performance.now() < untilMs);
}

describe('time slices on the event loop', () => {
  it('are over once any work has used up the budget', async () => {
    await othersTurn();
    const [one, other] = [new Turns(), new Turns()];
    expect(one.isOver).toBe(false);
    busyFor(10);
    expect([one.isOver, other.isOver, new Turns().isOver]).toEqual([true, true, true]);
  });

  it('are taken one after the other, so concurrent work does not add up', async () => {
    await othersTurn();
    const seen: string[] = [];
    let isDone = false;
    const watching = (async () => {
      while (!isDone) {
        seen.push('|');
        await othersTurn();
      }
    })();
    const work = async (name: string) => {
      const turns = new Turns();
      for (let i = 0; i < 3; i += 1) {
        await turns.next();
        seen.push(name);
        busyFor(2);
      }
    };
    await Promise.all([work('a'), work('b'), work('c')]);
    isDone = true;
    await watching;
    expect(seen.join('').replace(/\|+/g, '|')).toBe('|a|b|c|a|b|c|a|b|c');
  });

  it('start over with each turn of the event loop', async () => {
    const turns = new Turns();
    const found: boolean[] = [];
    // On a busy machine a time slice may be over before the check, but not twenty times in a row.
    for (let tries = 0; tries < 20; tries += 1) {
      busyFor(10);
      await turns.next();
      found.push(turns.isOver);
    }
    expect(found).toContain(false);
  });
});
