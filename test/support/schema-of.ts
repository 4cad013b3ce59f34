/** The objects of a schema, one per line: columns, indexes, rules, triggers, functions. Of weekly tables only the parents. */
import type { Database } from '../../src/database/database.ts';
import { adHoc } from '../../src/database/sql.ts';

const OWN = `current_schema()::regnamespace`;
const WEEKLY = `'_p\\d{8}$'`;
/** Removes the schema's name from the text. */
const plain = (text: string) => `replace(${text}, current_schema() || '.', '')`;

const selectSchema = adHoc<{ what: string }>(
  `SELECT ${plain('what')} AS what FROM (
     SELECT 'column ' || table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable || coalesce(' ' || column_default, '')
     FROM information_schema.columns WHERE table_schema = current_schema() AND table_name !~ ${WEEKLY}
     UNION ALL
     SELECT 'index ' || indexdef FROM pg_indexes WHERE schemaname = current_schema() AND tablename !~ ${WEEKLY}
     UNION ALL
     SELECT 'constraint of ' || t.relname || ': ' || c.conname || ' ' || pg_get_constraintdef(c.oid)
     FROM pg_constraint c JOIN pg_class t ON t.oid = c.conrelid WHERE c.connamespace = ${OWN} AND t.relname !~ ${WEEKLY}
     UNION ALL
     SELECT 'function ' || pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = ${OWN}
     UNION ALL
     SELECT 'trigger ' || g.tgname FROM pg_trigger g JOIN pg_class t ON t.oid = g.tgrelid
     WHERE NOT g.tgisinternal AND t.relnamespace = ${OWN} AND g.tgname NOT LIKE 'truncate_trigger%'
   ) AS found (what) ORDER BY what COLLATE "C"`,
);

export async function schemaOf(db: Pick<Database, 'many'>): Promise<string[]> {
  return (await db.many(selectSchema)).map(({ what }) => what);
}
