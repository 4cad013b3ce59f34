/** Where a statement belongs: to control or to a cell. Its text names its tables, so nothing has to be declared beside it. */
import type { Statement } from '../../../src/kit/database/sql.ts';
import { CELL_ROUTINES, CELL_TABLES, CONTROL_ROUTINES, CONTROL_TABLES } from './homes.ts';

/** `either`: it touches no table, such as a lock or a question about the server. */
export type Home = 'control' | 'cell' | 'either';

/** Of a cell, though what they touch is a copy of what is control's. */
const ON_COPIES: ReadonlySet<string> = new Set(['daily_usage.room', 'organizations.lock']);

const homes = new WeakMap<Statement<unknown>, Home>();

export function homeOf(statement: Statement<unknown>): Home {
  const home = homes.get(statement) ?? findHome(statement);
  homes.set(statement, home);
  return home;
}

function findHome({ name, text }: Statement<unknown>): Home {
  if (ON_COPIES.has(name)) return 'cell';
  const found = homesIn(text);
  if (found.size > 1) throw new Error(`${name} touches tables of control and of a cell.`);
  return found.values().next().value ?? 'either';
}

const CONTROL = [...Object.keys(CONTROL_TABLES), ...CONTROL_ROUTINES];
const CELL = [...CELL_TABLES, ...CELL_ROUTINES];

/** Where a name stands that is a table's or a routine's; elsewhere it may be a column's or an alias. */
const AS_TABLE = `\\b(?:FROM|JOIN|INTO|UPDATE|TABLE|ONLY|USING)\\s+`;
const named = (names: readonly string[]) =>
  new RegExp(
    `${AS_TABLE}(?:${names.join('|')})\\b|,\\s*(?:${names.join('|')})\\s+[a-z]\\b|\\b(?:${names.join('|')})\\(`,
    'i',
  );
const OF_CONTROL = named(CONTROL);
const OF_CELL = named(CELL);

export function homesIn(text: string): ReadonlySet<'control' | 'cell'> {
  const found = new Set<'control' | 'cell'>();
  if (OF_CONTROL.test(text)) found.add('control');
  if (OF_CELL.test(text)) found.add('cell');
  return found;
}
