/** Counts the rows that statements read, as PostgreSQL reports them for each table. */
import type { Database } from '../../src/database/database.ts';
import { adHoc, type Sql } from '../../src/database/sql.ts';

interface Plan {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly Plans?: readonly Plan[];
}

/** `read`: the rows by table, all partitions together, of the statements that went through `sql` with `many`. */
export function countRowsRead(db: Database): { readonly sql: Sql; readonly read: Map<string, number> } {
  const read = new Map<string, number>();
  const sql: Sql = Object.assign(Object.create(db), {
    many: async (statement: { text: string }, params: readonly unknown[]) => {
      const explain = adHoc<{ 'QUERY PLAN': readonly { readonly Plan: Plan }[] }>(
        `EXPLAIN (ANALYZE, FORMAT JSON) ${statement.text}`,
      );
      for (const { Plan: plan } of (await db.one(explain, params))['QUERY PLAN']) add(read, plan);
      return db.many(statement as never, params);
    },
  });
  return { sql, read };
}

function add(read: Map<string, number>, plan: Plan): void {
  const removed = (plan['Rows Removed by Filter'] ?? 0) + (plan['Rows Removed by Index Recheck'] ?? 0);
  const table = plan['Relation Name']?.replace(/_p\d{8}$/, '');
  if (table !== undefined)
    read.set(table, (read.get(table) ?? 0) + (plan['Actual Rows'] + removed) * plan['Actual Loops']);
  for (const child of plan.Plans ?? []) add(read, child);
}
