/** Where the files of the schema are. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SCHEMA = fileURLToPath(new URL('..', import.meta.url));
export const SCHEMA_FILE = join(SCHEMA, 'schema.sql');
export const FUNCTIONS_FOLDER = join(SCHEMA, 'functions');
export const TABLES_PAGE = join(SCHEMA, '..', 'docs', 'internals', 'tables.md');
export const MIGRATIONS_FOLDER = join(SCHEMA, '..', 'migrations');

/** The files of the functions, as paths in `schema/functions`. */
export function functionFiles(): string[] {
  return readdirSync(FUNCTIONS_FOLDER, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.sql'))
    .toSorted();
}
