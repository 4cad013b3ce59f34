import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Sql } from '../database/sql.ts';
import { createUuidv7 } from '../runtime/ids.ts';
import { eventsNumbered } from './numbered.ts';
import { eventNumber } from './read.ts';

/** A table of these events. */
function tableOf(ids: readonly string[]): Sql {
  const many = async (_: unknown, [, from, before]: [string, string, string]) =>
    ids.filter((id) => id >= from && id < before).map((id) => ({ id }));
  return { many } as unknown as Sql;
}

describe('the number of an event', () => {
  it('is an integer that every language represents exactly, and leads back to its event alone', async () => {
    const moments = fc.integer({ min: Date.UTC(2020, 0, 1), max: Date.UTC(2100, 0, 1) });
    await fc.assert(
      fc.asyncProperty(moments, fc.integer({ min: 1, max: 300 }), async (ms, count) => {
        const make = createUuidv7();
        const ids = Array.from({ length: count }, (_, i) => make(ms + (i >> 6)));
        const numbers = ids.map(eventNumber);
        expect(numbers.every(Number.isSafeInteger)).toBe(true);
        expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
        const found = await eventsNumbered(tableOf(ids), 'org_1', numbers.at(-1) as number);
        expect(found).toEqual([{ id: ids.at(-1) }]);
      }),
    );
  });

  it('leads to both events if two processes generated the same number', async () => {
    const ids = ['019a8b00-0000-7001-8000-000000000001', '019a8b00-0000-7001-8000-000000000002'];
    expect(await eventsNumbered(tableOf(ids), 'org_1', eventNumber(ids[0] as string))).toHaveLength(2);
  });

  it('runs no query for an invalid number', async () => {
    for (const wrong of [-1, 1.5, Number.NaN, 2 ** 53, Number.POSITIVE_INFINITY])
      expect(await eventsNumbered({} as Sql, 'org_1', wrong)).toEqual([]);
  });
});
