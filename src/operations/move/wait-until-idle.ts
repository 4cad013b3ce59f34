/**
 * Waits until a cell is idle for one organization: workers have finished their claims, and every transaction that may have
 * started before the freeze was visible has ended.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Sql, sql } from '../../database/sql.ts';
import type { CellEnd } from './cell-end.ts';
import { MoveError } from './move-error.ts';

const CHECK_INTERVAL_MS = 50;

const selectInHand = sql<{ deliveries: number; webhooks: number }>(
  'moves.in_hand',
  `SELECT (SELECT count(*) FROM outbox WHERE organization_id = $1 AND worker IS NOT NULL) AS deliveries,
          (SELECT count(*) FROM webhook_deliveries WHERE organization_id = $1 AND worker IS NOT NULL) AS webhooks`,
  { home: 'cell', organization: '$1' },
);

/** Read-only snapshot transactions may take hours, and are ignored. */
const selectTransactions = sql<{ id: string; who: string }>(
  'moves.transactions',
  `SELECT l.virtualtransaction || ' ' || l.pid AS id,
          coalesce(nullif(a.application_name, ''), 'somebody') || ' (process ' || l.pid || ')' AS who
   FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
   WHERE l.locktype = 'virtualxid' AND l.granted AND l.pid <> pg_backend_pid() AND a.datname = current_database()
     AND coalesce(a.backend_type, 'client backend') = 'client backend'
     AND a.application_name NOT IN ('postrider-backup', 'postrider-move', 'pg_dump')`,
  { home: 'either' },
);

export function claimedOf({ db }: CellEnd, organizationId: string) {
  return db.one(selectInHand, [organizationId]);
}

export interface WaitLimit {
  readonly withinMs: number;
  readonly signal: AbortSignal;
}

export async function waitForTransactions({ db }: CellEnd, { withinMs, signal }: WaitLimit): Promise<void> {
  const began = performance.now();
  let left = await running(db);
  while (left.size > 0) {
    if (performance.now() - began > withinMs)
      throw new MoveError(
        `${[...left.values()].join(', ')} did not end a transaction within ${withinMs} ms.`,
      );
    await sleep(CHECK_INTERVAL_MS, undefined, { signal });
    const now = await running(db);
    left = new Map([...left].filter(([id]) => now.has(id)));
  }
}

async function running(db: Sql): Promise<Map<string, string>> {
  return new Map((await db.many(selectTransactions)).map(({ id, who }) => [id, who]));
}

/** Resolves when workers hold no claims of the organization. It is frozen, so no claims are added. */
export async function claimsReleased(
  end: CellEnd,
  organizationId: string,
  { withinMs, signal }: WaitLimit,
  onWaiting: (deliveries: number, webhooks: number) => void,
): Promise<void> {
  const began = performance.now();
  for (;;) {
    const { deliveries, webhooks } = await claimedOf(end, organizationId);
    if (deliveries + webhooks === 0) return;
    if (performance.now() - began > withinMs)
      throw new MoveError(
        `Workers of the cell ${end.name} still have ${deliveries} deliveries and ${webhooks} webhooks in hand.`,
      );
    onWaiting(deliveries, webhooks);
    await sleep(CHECK_INTERVAL_MS, undefined, { signal });
  }
}
