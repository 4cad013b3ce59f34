/** Compares the functions of a database with their files in schema/functions. */
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { adHoc, type Sql } from '../../src/database/sql.ts';
import { FUNCTIONS_FOLDER, functionFiles } from './files.ts';

export interface FunctionFile {
  /** In schema/functions. */
  readonly file: string;
  readonly text: string;
  /** Of the file's function, such as `add_counts(one integer[], other integer[])`. */
  readonly signature: string;
  readonly definition: string;
}

interface FunctionRow {
  readonly name: string;
  readonly signature: string;
  readonly definition: string;
}

const PROBE = 'schema_files';

/** With no name of a schema in the definition. */
const selectFunctions = adHoc<FunctionRow>(
  `SELECT p.proname::text AS name, p.proname || '(' || pg_get_function_identity_arguments(p.oid) || ')' AS signature,
          replace(pg_get_functiondef(p.oid), quote_ident($1) || '.', '') AS definition
   FROM pg_proc p WHERE p.pronamespace = $1::regnamespace ORDER BY 2`,
);

/** By signature. */
export async function liveFunctions(db: Sql): Promise<ReadonlyMap<string, string>> {
  const { schema } = await db.one(adHoc<{ schema: string }>('SELECT current_schema() AS schema'));
  const rows = await db.many(selectFunctions, [schema]);
  return new Map(rows.map(({ signature, definition }) => [signature, definition]));
}

/**
 * The functions that the files define, found by creating them in a schema of their own, which is dropped again. Needs a
 * transaction.
 */
export async function functionsOfFiles(tx: Sql): Promise<FunctionFile[]> {
  const { schema } = await tx.one(adHoc<{ schema: string }>('SELECT current_schema() AS schema'));
  await tx.exec(adHoc(`CREATE SCHEMA ${PROBE}`));
  await tx.exec(adHoc(`SET LOCAL search_path = ${PROBE}, ${schema}`));
  const known = new Set<string>();
  const found: FunctionFile[] = [];
  for (const file of functionFiles()) {
    const text = readFileSync(join(FUNCTIONS_FOLDER, file), 'utf8');
    await tx.exec(adHoc(text));
    const added = (await tx.many(selectFunctions, [PROBE])).filter(({ signature }) => !known.has(signature));
    const [made] = added;
    if (made === undefined || added.length > 1 || made.name !== basename(file, '.sql'))
      throw new Error(
        `${file} has to define one function, with the name of the file and a signature of its own.`,
      );
    known.add(made.signature);
    found.push({ file, text, signature: made.signature, definition: made.definition });
  }
  await tx.exec(adHoc(`DROP SCHEMA ${PROBE} CASCADE`));
  await tx.exec(adHoc(`SET LOCAL search_path = ${schema}`));
  return found;
}

/** Files whose function the database lacks, or has with another definition. */
export async function changedFunctions(tx: Sql): Promise<FunctionFile[]> {
  const live = await liveFunctions(tx);
  return (await functionsOfFiles(tx)).filter(
    ({ signature, definition }) => live.get(signature) !== definition,
  );
}
