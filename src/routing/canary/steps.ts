/** Every step of every canary, with the numbers behind the decision. The one writer of `canary_steps`. */
import { type Sql, sql } from '../../database/sql.ts';
import { uuidv7 } from '../../runtime/ids.ts';
import type { BothPaths } from './decide.ts';
import type { Rate } from './plan.ts';

export const STEP_KINDS = ['rise', 'fall', 'pause', 'resume', 'back', 'finish'] as const;
export type StepKind = (typeof STEP_KINDS)[number];

/** The counts of both paths; for a fall also the rate that was too large, and its tolerance. */
interface StepNumbers extends BothPaths {
  readonly rate: Rate | null;
  readonly worse: number | null;
}

export interface CanaryStep {
  readonly canary: string;
  readonly transport: string;
  /** Null means all providers. */
  readonly provider: string | null;
  readonly kind: StepKind;
  readonly from_percent: number | null;
  readonly to_percent: number | null;
  /** A sentence for display. */
  readonly message: string;
  readonly numbers: StepNumbers | null;
}

export interface CanaryStepRow extends CanaryStep {
  readonly id: string;
  readonly at: Date;
}

const insert = sql(
  'canary_steps.append',
  `INSERT INTO canary_steps (id, canary, transport, provider, kind, from_percent, to_percent, message, numbers, at)
   SELECT id, canary, transport, provider, kind, before, after, message, numbers, now()
   FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::float8[], $7::float8[], $8::text[],
               $9::jsonb[]) AS new(id, canary, transport, provider, kind, before, after, message, numbers)`,
  { home: 'control' },
);

const selectLast = sql<CanaryStepRow>(
  'canary_steps.last',
  `SELECT id, canary, transport, provider, kind, from_percent, to_percent, message, numbers, at
   FROM canary_steps ORDER BY at DESC, id DESC LIMIT $1`,
  { home: 'control' },
);

const removeOld = sql(
  'canary_steps.remove_old',
  `DELETE FROM canary_steps WHERE at < now() - interval '180 days'`,
  { home: 'control' },
);

export async function appendSteps(tx: Sql, steps: readonly CanaryStep[], nowMs: number): Promise<void> {
  if (steps.length === 0) return;
  await tx.exec(insert, [
    steps.map(() => uuidv7(nowMs)),
    steps.map((one) => one.canary),
    steps.map((one) => one.transport),
    steps.map((one) => one.provider),
    steps.map((one) => one.kind),
    steps.map((one) => one.from_percent),
    steps.map((one) => one.to_percent),
    steps.map((one) => one.message),
    steps.map((one) => one.numbers && JSON.stringify(one.numbers)),
  ]);
}

/** The newest first. */
export function lastSteps(db: Sql, limit: number): Promise<CanaryStepRow[]> {
  return db.many(selectLast, [limit]);
}

export function deleteOldCanarySteps(db: Sql): Promise<number> {
  return db.exec(removeOld);
}
