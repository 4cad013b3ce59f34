/**
 * The one writer of `key_budgets`: recipients per key and UTC day. Counting locks the row until the transaction ends,
 * so the budget is exact across processes. Nothing is refunded: cancelled, rejected and bounced mail still counts.
 */
import { columns } from '../../database/call.ts';
import { type Sql, sql } from '../../database/sql.ts';
import { utcDay } from '../../runtime/timestamp.ts';

export interface BudgetUse {
  readonly organizationId: string;
  /** The key that owns the budget; see `budget_of`. */
  readonly keyId: string;
  readonly day: string;
  readonly recipients: number;
}

/**
 * In the order of the primary key, so that concurrent counts cannot deadlock. Entries with 0 recipients add nothing.
 */
const count = sql<{ organization_id: string; key_id: string; day: string; recipients: number }>(
  'key_budgets.count',
  `INSERT INTO key_budgets AS b (organization_id, key_id, day, recipients)
   SELECT * FROM unnest($1::text[], $2::text[], $3::date[], $4::int[]) ORDER BY 1, 2, 3
   ON CONFLICT (organization_id, key_id, day) DO UPDATE SET recipients = b.recipients + excluded.recipients
   RETURNING b.organization_id, b.key_id, b.day::text AS day, b.recipients`,
  { home: 'cell' },
);

const ofDay = sql<{ key_id: string; recipients: number }>(
  'key_budgets.of_day',
  'SELECT key_id, recipients FROM key_budgets WHERE organization_id = $1 AND key_id = ANY ($2::text[]) AND day = $3',
  { home: 'cell', organization: '$1' },
);

const removeBefore = sql('key_budgets.remove_before', 'DELETE FROM key_budgets WHERE day < $1', {
  home: 'cell',
});

/** Adds these recipients and returns the new counts. With 0 recipients it only locks and reads. */
export async function countBudgets(
  tx: Sql,
  uses: readonly BudgetUse[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await tx.many(count, [...columns(uses, 'organizationId', 'keyId', 'day', 'recipients')]);
  return new Map(
    rows.map((row) => [
      budgetKey({ organizationId: row.organization_id, keyId: row.key_id, day: row.day }),
      row.recipients,
    ]),
  );
}

export function budgetKey({ organizationId, keyId, day }: Omit<BudgetUse, 'recipients'>): string {
  return `${organizationId} ${keyId} ${day}`;
}

/** By the key that owns the budget. */
export async function budgetsUsedOn(
  db: Sql,
  organizationId: string,
  keyIds: readonly string[],
  atMs: number,
): Promise<ReadonlyMap<string, number>> {
  if (keyIds.length === 0) return new Map();
  const rows = await db.many(ofDay, [organizationId, keyIds, utcDay(atMs)]);
  return new Map(rows.map((row) => [row.key_id, row.recipients]));
}

export function removeOldBudgets(db: Sql, nowMs: number): Promise<number> {
  return db.exec(removeBefore, [utcDay(nowMs - KEPT_MS)]);
}

/** Longer than any clock skew. */
const KEPT_MS = 7 * 24 * 3_600_000;
