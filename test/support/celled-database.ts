/**
 * A database of two cells with every organization in the second cell, so that reads and writes in the wrong cell fail tests.
 * `POSTRIDER_TEST_CELLS=1 npx vitest run test/api` runs tests on it. A test's own SQL runs in the second cell, or in control for
 * tables of control.
 */
import { CONTROL_TABLES } from '../../src/cells/homes.ts';
import { RoutedDatabase } from '../../src/cells/routed-database.ts';
import { type Database, MAIN_CELL } from '../../src/database/database.ts';
import { adHoc, type Statement } from '../../src/database/sql.ts';
import { INSTALLATION } from '../../src/organizations/installation.ts';
import { copyOrganization, type OrganizationRow } from '../../src/organizations/store.ts';
import { homesIn } from './derived-place.ts';

export const SECOND_CELL = 'two';

/** Drops the tables of control in a cell, so that a query for them in the cell fails. */
export async function dropControl(db: Database): Promise<void> {
  const tables = CONTROL_TABLES.filter((table) => table !== 'organizations');
  await db.exec(adHoc(`DROP TABLE ${tables.join(', ')} CASCADE`));
}

export class CelledDatabase extends RoutedDatabase {
  readonly #main: Database;
  readonly #two: Database;

  constructor(main: Database, two: Database) {
    const cellOf = (id: string) => (id === INSTALLATION ? MAIN_CELL : SECOND_CELL);
    super({ main, others: new Map([[SECOND_CELL, two]]), directory: { cellOf } });
    this.#main = main;
    this.#two = two;
  }

  override async many<Row>(statement: Statement<Row>, params?: readonly unknown[]): Promise<Row[]> {
    if (isOwn(statement)) return this.#asked(statement).many(statement, params);
    const rows = await super.many(statement, params);
    if (statement.name === 'organizations.insert')
      for (const row of rows) await copyOrganization(this.#two, row as OrganizationRow);
    return rows;
  }

  override async exec(statement: Statement<unknown>, params?: readonly unknown[]): Promise<number> {
    return isOwn(statement) ? this.#asked(statement).exec(statement, params) : super.exec(statement, params);
  }

  #asked({ text }: Statement<unknown>): Database {
    return homesIn(text).has('control') ? this.#main : this.#two;
  }
}

/** Whether the statement is a test's own. */
function isOwn({ name, place }: Statement<unknown>): boolean {
  return name === '' && place === undefined;
}
