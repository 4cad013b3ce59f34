import { describe, expect, it } from 'vitest';
import type { Cell, Database } from './database.ts';
import { firstOfCells, isInAnyCell } from './per-cell.ts';

const cells = ['one', 'two', 'three'].map((name) => ({ name, db: { name } }) as unknown as Cell);
const db = { cells } as unknown as Database;

/** The answer of each cell, by position. */
const saying =
  <T>(...answers: readonly Promise<T>[]) =>
  (cell: Database): Promise<T> =>
    answers[cells.findIndex((one) => one.db === cell)] as Promise<T>;

const nothing = Promise.resolve(undefined);
const away = () => Promise.reject(new Error('away'));
const never = new Promise<undefined>(() => {});

describe('a query to all cells', () => {
  it('ends with the first cell that has an answer, whatever happens in the others', async () => {
    expect(await firstOfCells(db, saying<string | undefined>(never, away(), Promise.resolve('here')))).toBe(
      'here',
    );
    expect(
      await isInAnyCell(db, saying<boolean>(away(), Promise.resolve(true), Promise.resolve(false))),
    ).toBe(true);
  });

  it('returns undefined if no cell has an answer', async () => {
    expect(await firstOfCells(db, saying<undefined>(nothing, nothing, nothing))).toBeUndefined();
    const no = Promise.resolve(false);
    expect(await isInAnyCell(db, saying<boolean>(no, no, no))).toBe(false);
  });

  it('fails if no cell has an answer and one could not be reached, which might have had it', async () => {
    await expect(firstOfCells(db, saying<undefined>(nothing, away(), nothing))).rejects.toThrow('away');
  });
});
