/** Describes the queue of an installation, for the error of a bench whose mail does not arrive. */
import type { Database } from '../../src/database/database.ts';
import { adHoc } from '../../src/database/sql.ts';

export interface Waiting {
  readonly queued: number;
  readonly held: number;
  readonly later: number;
  readonly webhooks: number;
}

const count = adHoc<Waiting>(
  `SELECT count(*) AS queued, count(hold_id) AS held,
          count(*) FILTER (WHERE hold_id IS NULL AND due_at > now()) AS later,
          (SELECT count(*) FROM webhook_deliveries WHERE state = 'pending') AS webhooks
   FROM outbox`,
);

const holdsInForce = adHoc<{ scope: string; value: string | null; placed_by: string; holds: number }>(
  `SELECT scope, min(value) AS value, placed_by, count(*) AS holds FROM holds
   WHERE lifted_at IS NULL GROUP BY scope, placed_by`,
);

export function countWaiting(db: Database): Promise<Waiting> {
  return db.one(count);
}

export async function describeQueue(db: Database): Promise<string> {
  const { queued, held, later, webhooks } = await countWaiting(db);
  const holds = await db.many(holdsInForce);
  const mail = `In the queue: ${queued} deliveries, of which ${held} are held and ${later} are due later; ${webhooks} webhooks are pending.`;
  const why = holds.map(
    (one) => `${one.holds} holds by ${one.placed_by} on ${one.scope} (${one.value ?? 'all'}).`,
  );
  return [mail, ...why].join(' ');
}
