/**
 * Where a statement belongs: to control or to a cell, and which of its parameters says whose rows it is about. Both are read
 * from its text. Every statement names its tables and, as decision 0039 asks for, the organization; so there is nothing
 * that could be declared wrongly beside it.
 */
import type { Statement } from '../kit/database/sql.ts';
import { CELL_ROUTINES, CELL_TABLES, CONTROL_ROUTINES, CONTROL_TABLES } from './homes.ts';

/** `either`: it touches no table, such as a lock or a question about the server. */
export type Home = 'control' | 'cell' | 'either';

export interface StatementRoute {
  readonly home: Home;
  /** The place among the parameters of the organization, or of the list of them; null where the text names none. */
  readonly organization: number | null;
}

/** Of a cell, though what they touch is a copy of what is control's; the first parameter says whose. */
const ON_COPIES: ReadonlySet<string> = new Set([
  'daily_usage.room',
  'organizations.lock',
  'organizations.copy',
]);

const routes = new WeakMap<Statement<unknown>, StatementRoute>();

export function routeOf(statement: Statement<unknown>): StatementRoute {
  const known = routes.get(statement);
  if (known !== undefined) return known;
  const route = ON_COPIES.has(statement.name)
    ? { home: 'cell' as const, organization: 0 }
    : { home: homeOf(statement), organization: organizationIn(statement.text) };
  routes.set(statement, route);
  return route;
}

function homeOf({ name, text }: Statement<unknown>): Home {
  const found = homesIn(text);
  if (found.size > 1) throw new Error(`${name} touches tables of control and of a cell.`);
  // What names no table, a lock perhaps, is called after the one that it is about.
  return found.values().next().value ?? (name.replace(/\..*/s, '') in CONTROL_TABLES ? 'control' : 'either');
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

function organizationIn(text: string): number | null {
  return comparedIn(text) ?? insertedIn(text) ?? unnestedIn(text) ?? handedIn(text);
}

/** `organization_id = $2`, or `= ANY ($2)` of several. */
function comparedIn(text: string): number | null {
  return placeOf(/\borganization_id\s*=\s*(?:ANY\s*\(\s*)?\$(\d+)/i.exec(text)?.[1]);
}

/** `INSERT INTO t (organization_id, …) VALUES ($1, …)`, or `SELECT $1, …`. */
function insertedIn(text: string): number | null {
  const match = /\bINSERT INTO \w+(?: AS \w+)?\s*\(([^)]*)\)\s*(?:VALUES\s*\(|SELECT\s+)([^;]*)/i.exec(text);
  const column = wordsIn(match?.[1]).indexOf('organization_id');
  return column < 0 ? null : placeOf(/^\$(\d+)(?:::\w+)?$/.exec(wordsIn(match?.[2])[column] ?? '')?.[1]);
}

/** `unnest($1::text[], …) AS asked (organization_id, …)`; statements with many columns call it `o`. */
function unnestedIn(text: string): number | null {
  const match = /\bunnest\(([^)]*)\)\s*(?:WITH ORDINALITY\s+)?AS\s+\w+\s*\(([^)]*)\)/i.exec(text);
  const column = wordsIn(match?.[2]).findIndex((name) => name === 'organization_id' || name === 'o');
  return column < 0 ? null : placeOf(/^\$(\d+)/.exec(wordsIn(match?.[1])[column] ?? '')?.[1]);
}

/** `SELECT complete_requests(request_organizations => $1, …)`. */
function handedIn(text: string): number | null {
  return placeOf(/\b\w*organizations?\s*=>\s*\$(\d+)/i.exec(text)?.[1]);
}

function wordsIn(list: string | undefined): string[] {
  return (list ?? '').split(',').map((word) => word.trim());
}

function placeOf(digits: string | undefined): number | null {
  return digits === undefined ? null : Number(digits) - 1;
}
