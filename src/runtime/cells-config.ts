/** The databases of further cells: `POSTRIDER_CELLS=two=postgres://… three=postgres://…?schema=three`. */
import type { Reader } from './config-reader.ts';
import { databaseUrlProblem } from './database-url.ts';

export interface CellConfig {
  readonly name: string;
  readonly url: string;
}

const FIRST = 'main';
const NAME = /^[a-z][a-z0-9-]{0,39}$/;
const SCHEMA = /^[a-z_][a-z0-9_]{0,62}$/;

/**
 * `sessions` lists the `target_session_attrs` that an address may request. Addresses are never shown, because
 * they contain passwords.
 */
export function cellsConfig(
  read: Reader,
  sessions: readonly string[],
): { readonly cells: readonly CellConfig[]; readonly cell: string | undefined } {
  const pairs = (read.text('POSTRIDER_CELLS') ?? '').split(/\s+/).filter((pair) => pair !== '');
  const cells = pairs.flatMap((pair) => cellOf(read, pair, sessions) ?? []);
  const names = cells.map(({ name }) => name);
  if (new Set(names).size < names.length) read.problems.push('POSTRIDER_CELLS names a cell twice.');
  const cell = read.text('POSTRIDER_CELL');
  if (cell !== undefined && cell !== FIRST && !names.includes(cell))
    read.problems.push(`POSTRIDER_CELL must be ${FIRST} or one of those that POSTRIDER_CELLS names.`);
  return { cells, cell: cell === FIRST ? undefined : cell };
}

function cellOf(read: Reader, pair: string, sessions: readonly string[]): CellConfig | null {
  const at = pair.indexOf('=');
  const name = pair.slice(0, Math.max(at, 0));
  if (!NAME.test(name) || name === FIRST) {
    read.problems.push(
      `POSTRIDER_CELLS must be name=postgres://… with spaces between them; a name is of lower-case letters, digits and hyphens, and not ${FIRST}.`,
    );
    return null;
  }
  const given = pair.slice(at + 1);
  const url = databaseUrlProblem(given, sessions) === null ? withSchema(given) : null;
  if (url !== null) return { name, url };
  read.problems.push(
    `POSTRIDER_CELLS must have an address that starts with postgres:// for the cell ${name}, and a schema, if any, of lower-case letters, digits and underscores.`,
  );
  return null;
}

/** `?schema=` is our own parameter, translated to the search path of each connection. */
function withSchema(url: string): string | null {
  const match = /[?&]schema=([^&#]*)/.exec(url);
  if (match === null) return url;
  const schema = match[1] ?? '';
  if (!SCHEMA.test(schema)) return null;
  const mark = match[0].slice(0, 1);
  return url.replace(match[0], `${mark}options=${encodeURIComponent(`-c search_path=${schema}`)}`);
}

/** The schema of an address; null for PostgreSQL's default. */
export function schemaOf(url: string): string | null {
  const options = /[?&]options=([^&#]*)/.exec(url)?.[1] ?? '';
  return /search_path=([a-z0-9_]+)/.exec(decodeURIComponent(options))?.[1] ?? null;
}
