/** Counts the use of each template, in the transaction that accepts the mail. The one writer of `template_counts`. */
import { call, inOrder } from '../database/call.ts';
import { type Sql, sql } from '../database/sql.ts';
import { DAY_MS } from '../runtime/durations.ts';
import { utcDay } from '../runtime/timestamp.ts';

export interface TemplateUsed {
  readonly organizationId: string;
  readonly templateId: string;
  readonly atMs: number;
}

const USAGE_DAYS = 30;

/** The parameters of `count_template_use`. */
export const TEMPLATES_USED = ['used_organizations', 'used_templates', 'used_days', 'uses'] as const;

const count = sql('template_counts.count', call('SELECT count_template_use', TEMPLATES_USED), {
  home: 'cell',
  organization: '$1',
});

const sum = sql<{ sends: number }>(
  'template_counts.sum',
  `SELECT coalesce(sum(count), 0)::bigint AS sends FROM template_counts
   WHERE organization_id = $1 AND template_id = $2 AND day > $3`,
  { home: 'cell', organization: '$1' },
);

export async function countTemplateUse(tx: Sql, used: readonly TemplateUsed[]): Promise<void> {
  const columns = templateUseColumns(used);
  if (columns !== null) await tx.exec(count, inOrder(TEMPLATES_USED, columns));
}

/** The arguments of `count_template_use`; null when no template was used. */
export function templateUseColumns(used: readonly TemplateUsed[]) {
  if (used.length === 0) return null;
  const sums = new Map<string, { organizationId: string; templateId: string; day: string; count: number }>();
  for (const { organizationId, templateId, atMs } of used) {
    const day = utcDay(atMs);
    const key = `${organizationId} ${templateId} ${day}`;
    const known = sums.get(key);
    if (known) known.count += 1;
    else sums.set(key, { organizationId, templateId, day, count: 1 });
  }
  const rows = [...sums.values()];
  return {
    used_organizations: rows.map((row) => row.organizationId),
    used_templates: rows.map((row) => row.templateId),
    used_days: rows.map((row) => row.day),
    uses: rows.map((row) => row.count),
  };
}

export async function sendsLast30Days(
  db: Sql,
  organizationId: string,
  id: string,
  nowMs: number,
): Promise<number> {
  const since = utcDay(nowMs - USAGE_DAYS * DAY_MS);
  return (await db.one(sum, [organizationId, id, since])).sends;
}
