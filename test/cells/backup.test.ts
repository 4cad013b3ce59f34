/** A backup of two cells, and an installation that is made of it again: what belongs together is not mixed up. */
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assignCell } from '../../src/cells/store.ts';
import { adHoc } from '../../src/database/sql.ts';
import { createEmptyDatabase, type TestDatabase } from '../support/database.ts';
import { seedMail } from '../support/seed-mail.ts';
import { createTwoCells, type TwoCells } from '../support/two-cells.ts';

let root: string;
let cells: TwoCells;
let here: string;
let there: string;
let all: string;
let allOfTwo: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'postrider-cells-'));
  cells = await createTwoCells(join(root, 'data'));
  here = (await cells.json(['org', 'create', 'Here'])).id;
  there = (await cells.json(['org', 'create', 'There', '--cell', 'two'])).id;
  await seedMail(cells.main.db, { organizationId: here, domain: 'x.test', count: 2 });
  await seedMail(cells.two.db, { organizationId: there, domain: 'x.test', count: 3 });
  all = join(root, 'all.tar');
  allOfTwo = join(root, 'all.two.tar');
  const { files, missing } = await cells.json(['backup', all]);
  expect(files).toMatchObject([
    { file: all, cell: 'main', holds_secret_key: true },
    { file: allOfTwo, cell: 'two', holds_secret_key: false },
  ]);
  expect(missing).toEqual([]);
});
afterAll(async () => {
  await cells.drop();
  await rm(root, { recursive: true, force: true });
});

const count = async (of: TestDatabase, table: string) =>
  (await of.db.one(adHoc<{ count: number }>(`SELECT count(*) FROM ${table}`))).count;

/** Empty databases for both, and a data folder of its own. */
async function elsewhere(
  work: (main: TestDatabase, two: TestDatabase, env: Record<string, string>) => Promise<void>,
) {
  const [main, two] = await Promise.all([createEmptyDatabase(), createEmptyDatabase()]);
  const env = {
    DATABASE_URL: main.url,
    POSTRIDER_CELLS: `two=${two.url}`,
    POSTRIDER_DATA_DIR: await mkdtemp(join(root, 'new-')),
  };
  try {
    await work(main, two, env);
  } finally {
    await Promise.all([main.drop(), two.drop()]);
  }
}

describe('a backup of several cells', () => {
  it('is made an installation again, held in each cell, one file after the other', () =>
    elsewhere(async (main, two, env) => {
      const early = await cells.run(['restore', allOfTwo, '--cell', 'two'], env);
      expect(early.err).toContain('Restore the backup of that installation first');
      const first = await cells.run(['restore', all], env);
      expect(first, first.err).toMatchObject({ code: 0 });
      expect(first.out).toContain('The cell two was not changed, and is not held.');
      const second = await cells.run(['restore', allOfTwo, '--cell', 'two'], env);
      expect(second, second.err).toMatchObject({ code: 0 });
      expect([await count(main, 'outbox'), await count(two, 'outbox')]).toEqual([2, 3]);
      const holds = await cells.json(['hold', 'list'], env);
      expect(holds).toMatchObject([{ scope: 'all', with_webhooks: true }]);
      const { id } = holds[0];
      expect(await two.db.many(adHoc('SELECT id FROM holds'))).toEqual([{ id }]);
      expect((await cells.run(['release'], env)).err).toContain('Deliveries that would be sent: 5');
    }));

  it('restores each file only as what it is', () =>
    elsewhere(async (_main, _two, env) => {
      const asMain = await cells.run(['restore', allOfTwo], env);
      expect(asMain.err).toContain('This is a backup of the cell two, not of main: add --cell two');
      const asTwo = await cells.run(['restore', all, '--cell', 'two'], env);
      expect(asTwo.err).toContain('This is a backup of the first database, not of two: leave out --cell');
    }));

  it('is not finished where control has the mail of a queue elsewhere by now', () =>
    elsewhere(async (main, two, env) => {
      expect(await cells.run(['restore', all], env)).toMatchObject({ code: 0 });
      await main.db.transaction((tx) => assignCell(tx, there, 'main'));
      const refused = await cells.run(['restore', allOfTwo, '--cell', 'two'], env);
      expect(refused.err).toContain(
        `mail in the queue of ${there}, which the first database has in another cell`,
      );
      expect((await cells.run(['org', 'list'], env)).err).toContain(
        'A restore into this database was not finished',
      );
      expect(await count(two, 'holds')).toBe(0);
    }));

  it('says what is missing where a cell does not answer, and takes one alone', async () => {
    const away = { POSTRIDER_CELLS: 'two=postgres://nobody@127.0.0.1:1/nothing' };
    const without = await cells.run(['backup', join(root, 'without.tar')], away);
    expect(without.code).toBe(1);
    expect(without.out).toContain('The cell two is not in this backup, because it does not answer');
    const alone = join(root, 'alone.tar');
    expect(await cells.json(['backup', alone, '--cell', 'two'])).toMatchObject({ cell: 'two', file: alone });
    expect((await cells.run(['backup', alone, '--cell', 'four'])).err).toContain('There is no cell four');
  });

  it('is refused while an organization is on its way', async () => {
    await cells.main.db.transaction((tx) => assignCell(tx, there, 'two', { isMoving: true }));
    const file = join(root, 'moving.tar');
    expect((await cells.run(['backup', file])).err).toContain(`${there} on the way to another cell`);
    expect(existsSync(file)).toBe(false);
    await cells.main.db.transaction((tx) => assignCell(tx, there, 'two'));
  });
});
