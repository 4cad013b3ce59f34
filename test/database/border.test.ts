/**
 * Control and cells have no table in common, and nothing reaches from one into the other: what keeping organizations on several
 * servers stands on (docs/decisions/0040-cells.md).
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CELL_ROUTINES, CELL_TABLES, CONTROL_ROUTINES, CONTROL_TABLES } from '../../src/cells/homes.ts';
import { homeOf } from '../../src/cells/routed-database.ts';
import { adHoc } from '../../src/database/sql.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { derivedPlace, homesIn } from '../support/derived-place.ts';
import { allStatements } from '../support/statements.ts';

const REFERENCES = `
  SELECT c.conrelid::regclass::text AS from, c.confrelid::regclass::text AS to FROM pg_constraint c
  WHERE c.contype = 'f' AND c.conparentid = 0`;

/** Views count: a statement names them as it names tables. */
const ROUTINES = `
  SELECT proname AS name, prosrc AS text FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND prokind = 'f'
  UNION ALL SELECT viewname, definition FROM pg_views WHERE schemaname = 'public'`;

/** Triggers call them, statements do not. */
const OF_TRIGGERS = ['dkim_rotation_of_organization', 'inbound_of_installation'];

/** Puts its SQL together, so its text names no table. */
const PUT_TOGETHER = ['ensure_email_partitions'];

/** The one table of control that a cell has rows of: a copy of its own organizations. */
const COPIED = 'organizations';

const statements = await allStatements();
const homeIs = (home: string) => statements.filter((one) => homeOf(one) === home);

let whole: TestDatabase;
let control: TestDatabase;
let cell: TestDatabase;
beforeAll(async () => {
  [whole, control, cell] = await Promise.all([
    createTestDatabase(),
    createTestDatabase(),
    createTestDatabase(),
  ]);
  await drop(control, CELL_TABLES);
  await drop(
    cell,
    CONTROL_TABLES.filter((table) => table !== COPIED),
  );
});
afterAll(() => Promise.all([whole.drop(), control.drop(), cell.drop()]));

async function drop({ db }: TestDatabase, tables: readonly string[]): Promise<void> {
  await db.exec(adHoc(`DROP TABLE ${tables.join(', ')} CASCADE`));
}

describe('the border between control and cells', () => {
  it('is crossed by no foreign key, but to the copy of an organization that its cell has', async () => {
    const all = await whole.db.many(adHoc<{ from: string; to: string }>(REFERENCES));
    const isControl = (table: string) => CONTROL_TABLES.includes(table);
    const crossing = all.filter(({ from, to }) => isControl(from) !== isControl(to) && to !== COPIED);
    expect(crossing).toEqual([]);
    expect(all.length).toBeGreaterThan(10);
  });

  it('is crossed by no function, and the functions of each side are known', async () => {
    const routines = await whole.db.many(adHoc<{ name: string; text: string }>(ROUTINES));
    // A cell reads the sending limit from its copy.
    const sides = routines.map(({ name, text }) => ({
      name,
      homes: [...homesIn(text.replaceAll(`FROM ${COPIED} `, 'FROM '))],
    }));
    expect(sides.filter(({ homes }) => homes.length > 1)).toEqual([]);
    const of = (home: string) => [
      ...new Set(sides.filter(({ homes }) => homes.includes(home as 'cell')).map(({ name }) => name)),
    ];
    const called = [...of('cell'), ...PUT_TOGETHER].filter((name) => !OF_TRIGGERS.includes(name));
    expect(called.toSorted()).toEqual([...CELL_ROUTINES].toSorted());
    expect(of('control')).toEqual(CONTROL_ROUTINES);
  });

  it('is crossed by no statement', () => {
    for (const statement of statements) expect(() => derivedPlace(statement)).not.toThrow();
    expect(homeIs('control').length).toBeGreaterThan(100);
    expect(homeIs('cell').length).toBeGreaterThan(250);
  });
});

describe('with the tables of control alone', () => {
  it.each(homeIs('control').map((one) => [one.name, one.text] as const))('%s fits', (_name, text) =>
    prepare(control, text),
  );
});

describe('with the tables of a cell alone', () => {
  it.each(homeIs('cell').map((one) => [one.name, one.text] as const))('%s fits', (_name, text) =>
    prepare(cell, text),
  );
});

async function prepare({ db }: TestDatabase, text: string): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.exec(adHoc(`PREPARE checked AS ${text}`));
    await tx.exec(adHoc('DEALLOCATE checked'));
  });
}
