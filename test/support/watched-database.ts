/**
 * The database of the tests. It forbids transactions that use tables of both control and a cell, because with two servers they
 * would not be atomic (docs/decisions/0040-cells.md). Every transaction of the code passes through this class in tests.
 */

import { homeOf, organizationsOf } from '../../src/cells/routed-database.ts';
import { Database } from '../../src/database/database.ts';
import type { Sql, Statement } from '../../src/database/sql.ts';
import { derivedPlace } from './derived-place.ts';

/** Statements that run in the first cell, which also has control: for the first organization, and for the events of canaries. */
const OF_THE_FIRST = /^(organizations\.lock_bootstrap|canaries\.|canary_steps\.)/;

export class WatchedDatabase extends Database {
  override many<Row>(statement: Statement<Row>, params?: readonly unknown[]): Promise<Row[]> {
    checkDeclaration(statement, params);
    return super.many(statement, params);
  }

  override transaction<T>(
    work: (tx: Sql) => Promise<T>,
    closing: (tx: Sql, result: T) => Promise<unknown> = async () => undefined,
  ): Promise<T> {
    const watch = new Watch();
    return super.transaction(
      (tx) => work(watch.over(tx)),
      (tx, result) => closing(watch.over(tx), result),
    );
  }
}

class Watch {
  readonly #seen: Statement<unknown>[] = [];

  over(tx: Sql): Sql {
    const note = <S extends Statement<unknown>>(statement: S): S => {
      this.#note(statement);
      return statement;
    };
    return {
      many: async (statement, params) => tx.many(note(statement), params),
      maybeOne: async (statement, params) => tx.maybeOne(note(statement), params),
      one: async (statement, params) => tx.one(note(statement), params),
      exec: async (statement, params) => tx.exec(note(statement), params),
    };
  }

  #note(statement: Statement<unknown>): void {
    // Statements without a name are written by tests and are not checked.
    if (statement.name === '') return;
    this.#seen.push(statement);
    if (OF_THE_FIRST.test(this.#seen[0]?.name ?? '')) return;
    const home = homeOf(statement);
    const other = home === 'either' ? undefined : this.#seen.find((one) => isOpposite(homeOf(one), home));
    if (other !== undefined)
      throw new Error(
        `${other.name} and ${statement.name} are in one transaction, and not on one side of the border.`,
      );
  }
}

function isOpposite(one: string, home: string): boolean {
  return one !== 'either' && one !== home;
}

/** Ad-hoc statements are built at run time, so their declared place is compared with their text when they run. */
function checkDeclaration(statement: Statement<unknown>, params: readonly unknown[] = []): void {
  if (statement.name !== '' || statement.place?.home !== 'cell') return;
  const { home, organizations } = derivedPlace(statement);
  const derived = organizations.map((index) => params[index]);
  const declared = organizationsOf(statement, params);
  if (home !== 'cell' || declared.join() !== derived.join())
    throw new Error(`An ad-hoc statement does not declare the organization that it names: ${statement.text}`);
}
