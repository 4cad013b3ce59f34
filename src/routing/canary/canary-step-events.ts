/** Reports steps of canaries to the log of steps, to operators' webhooks, and to workers. */

import { type Sql, sql } from '../../database/sql.ts';
import { appendCanaryEvents } from '../../events/canary-events.ts';
import { INSTALLATION, IS_FIRST } from '../../organizations/installation.ts';
import { wakeForRoutes } from '../../outbox/wake.ts';
import { appendSteps, type CanaryStep } from './steps.ts';

const selectFirst = sql<{ id: string }>(
  'organizations.first_for_canaries',
  `SELECT o.id FROM organizations o WHERE o.id <> '${INSTALLATION}' AND ${IS_FIRST}`,
  { home: 'control' },
);

export interface EventTarget {
  /** The organization of the operators; null if there is none yet. */
  readonly organizationId: string | null;
  readonly nowMs: number;
}

/** Queried before the transaction, because organizations may be in another database. */
export async function canaryEventTarget(db: Sql, nowMs: number): Promise<EventTarget> {
  return { organizationId: (await db.maybeOne(selectFirst))?.id ?? null, nowMs };
}

/** Part of the transaction that takes the steps. */
export async function appendCanaryStepEvents(
  tx: Sql,
  steps: readonly CanaryStep[],
  audience: EventTarget,
): Promise<void> {
  const { organizationId, nowMs } = audience;
  await appendSteps(tx, steps, nowMs);
  if (organizationId !== null) await appendCanaryEvents(tx, organizationId, nowMs, steps);
  await wakeForRoutes(tx);
}
