/**
 * Derives the cell or database of a statement from its text with regular expressions. The code declares the place with each
 * statement, and test/sql.test.ts compares the two.
 */
import { CELL_ROUTINES, CELL_TABLES, CONTROL_ROUTINES, CONTROL_TABLES } from '../../src/cells/homes.ts';
import type { Home, Statement } from '../../src/database/sql.ts';

export interface DerivedPlace {
  readonly home: Home;
  /** The positions among the parameters, from 0. */
  readonly organizations: readonly number[];
}

/** Statements on a cell's copy of `organizations`, whose first parameter is the organization. */
const ON_COPIES: ReadonlySet<string> = new Set([
  'daily_usage.room',
  'organizations.lock',
  'organizations.copy',
]);

/** The place of a statement by its text. Throws if the statement uses tables of both control and a cell. */
export function derivedPlace({ name, text }: Statement<unknown>): DerivedPlace {
  if (ON_COPIES.has(name)) return { home: 'cell', organizations: [0] };
  return { home: homeOf(name, text), organizations: organizationsIn(text) };
}

function homeOf(name: string, text: string): Home {
  const found = homesIn(text);
  if (found.size > 1) throw new Error(`${name} touches tables of control and of a cell.`);
  // A statement without a table, such as a lock, is named after its table.
  return (
    found.values().next().value ?? (CONTROL_TABLES.includes(name.replace(/\..*/s, '')) ? 'control' : 'either')
  );
}

const CONTROL = [...CONTROL_TABLES, ...CONTROL_ROUTINES];
const CELL = [...CELL_TABLES, ...CELL_ROUTINES];

/** The context of a table or routine name. Elsewhere the same name may be a column or an alias. */
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

function organizationsIn(text: string): readonly number[] {
  const named = comparedIn(text) ?? insertedIn(text) ?? unnestedIn(text);
  return named === null ? handedIn(text) : [named];
}

/** `organization_id = $2`, or `= ANY ($2)` for several organizations. */
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

/**
 * `SELECT complete_requests(request_organizations => $1, …)`. A function may take several lists, each optional: for acceptance, a
 * list for emails and a list for requests with an idempotency key.
 */
function handedIn(text: string): readonly number[] {
  const lists = placesIn(text, /\b(?:\w*organizations?|organization_ids)\s*=>\s*\$(\d+)/gi);
  // `sender_ids` may name the organization that owns a shared domain, so they count only without other lists.
  return lists.length > 0 ? lists : placesIn(text, /\bsender_ids\s*=>\s*\$(\d+)/gi);
}

function placesIn(text: string, pattern: RegExp): number[] {
  return [...text.matchAll(pattern)].map((match) => Number(match[1]) - 1);
}

function wordsIn(list: string | undefined): string[] {
  return (list ?? '').split(',').map((word) => word.trim());
}

function placeOf(digits: string | undefined): number | null {
  return digits === undefined ? null : Number(digits) - 1;
}
