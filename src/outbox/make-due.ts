/** Changes when waiting mail is due: for one email, for deferred or superseded mail, and after the clock was set back. */
import { type Sql, sql } from '../database/sql.ts';
import { type DeliveryKey, isDelivery } from './states.ts';

export interface WaitingDelivery {
  position: number;
  domain: string;
  /** Now, for held mail. */
  due_at: Date;
  claimed: boolean;
  hold_id: string | null;
}

const selectWaiting = sql<WaitingDelivery>(
  'outbox.of_email',
  `SELECT position, domain, CASE WHEN hold_id IS NULL THEN due_at ELSE now() END AS due_at,
          worker IS NOT NULL AS claimed, hold_id
   FROM outbox WHERE organization_id = $1 AND email_id = $2`,
  { home: 'cell', organization: '$1' },
);

const makeDueNow = sql<{ position: number }>(
  'outbox.make_due',
  `UPDATE outbox SET due_at = now()
   WHERE organization_id = $1 AND email_id = $2 AND worker IS NULL AND attempt > 0 AND due_at > now()
     AND hold_id IS NULL
   RETURNING position`,
  { home: 'cell', organization: '$1' },
);

/** The undelivered recipients of an email. */
export function waitingOf(db: Sql, organizationId: string, emailId: string): Promise<WaitingDelivery[]> {
  return db.many(selectWaiting, [organizationId, emailId]);
}

/** Returns the positions that waited for a retry. Mail that was never tried keeps its scheduled time. */
export async function makeDue(tx: Sql, organizationId: string, emailId: string): Promise<number[]> {
  return (await tx.many(makeDueNow, [organizationId, emailId])).map(({ position }) => position);
}

/** Skips rows that another transaction is claiming or settling. */
const endEach = sql(
  'outbox.end_lifetimes',
  `WITH waiting AS (
     SELECT o.organization_id, o.email_id, o.position
     FROM unnest($1::text[], $2::uuid[], $3::smallint[]) AS asked(organization_id, email_id, position)
     JOIN outbox o ON ${isDelivery('o', 'asked')}
     WHERE o.worker IS NULL AND o.hold_id IS NULL
     FOR UPDATE OF o SKIP LOCKED
   )
   UPDATE outbox SET due_at = now(), expires_at = now() FROM waiting WHERE ${isDelivery('outbox', 'waiting')}`,
  { home: 'cell', organization: '$1' },
);

/**
 * Applies to tried and scheduled deliveries alike. A worker claims them at once, whatever the state of their site. No worker
 * sends them, not even one that does not know why they expired.
 */
export async function endLifetimes(tx: Sql, keys: readonly DeliveryKey[]): Promise<void> {
  if (keys.length === 0) return;
  await tx.exec(endEach, [
    keys.map((key) => key.organizationId),
    keys.map((key) => key.emailId),
    keys.map((key) => key.position),
  ]);
}

/** Mail that was never tried keeps its scheduled time. */
const flushStep = sql(
  'outbox.flush',
  `WITH deferred AS (
     SELECT organization_id, email_id, position FROM outbox
     WHERE worker IS NULL AND attempt > 0 AND due_at > now() AND hold_id IS NULL
       AND ($1::text[] IS NULL OR domain = ANY($1)) AND ($2::text IS NULL OR organization_id = $2)
     LIMIT $3
     FOR UPDATE SKIP LOCKED
   )
   UPDATE outbox SET due_at = now() FROM deferred
   WHERE ${isDelivery('outbox', 'deferred')}`,
  { home: 'cell', organization: '$2' },
);

const STEP = 5_000;

interface FlushOf {
  readonly domains: readonly string[] | null;
  readonly organizationId: string | null;
}

/**
 * Call when the obstacle to delivery is gone. Returns how many deliveries became due. Works in steps, so that no lock is held
 * for long.
 */
export async function flush(db: Sql, { domains, organizationId }: FlushOf): Promise<number> {
  let flushed = 0;
  for (;;) {
    const step = await db.exec(flushStep, [domains, organizationId, STEP]);
    flushed += step;
    if (step < STEP) return flushed;
  }
}

/** Scheduled mail keeps its time, whatever the clock. Several workers may run this: retries then come early. */
const moveDue = sql(
  'outbox.set_back',
  `UPDATE outbox o
   SET due_at = greatest(now(), CASE WHEN o.attempt > 0
     THEN (o.due_at AT TIME ZONE 'UTC' - $1 * interval '1 millisecond') AT TIME ZONE 'UTC' END)
   WHERE o.worker IS NULL AND o.due_at > now() AND o.hold_id IS NULL AND (o.attempt > 0 OR NOT EXISTS (
     SELECT FROM emails e
     WHERE e.organization_id = o.organization_id AND e.id = o.email_id AND e.scheduled_at IS NOT NULL))`,
  { home: 'cell' },
);

/** After the database's clock was set back: due mail stays due, and a retry waits no longer than planned. */
export async function setMailBack(db: Sql, byMs: number): Promise<void> {
  await db.exec(moveDue, [byMs]);
}
