/** Making deferred mail due at once, when whoever runs this knows that what was in its way is gone. */
import { type Sql, sql } from '../kit/database/sql.ts';

/** Mail that was never tried waits for the time it was scheduled for, and is left alone. */
const flushStep = sql(
  'outbox.flush',
  `UPDATE outbox SET due_at = now()
   FROM (
     SELECT email_id, position FROM outbox
     WHERE worker IS NULL AND attempt > 0 AND due_at > now()
       AND ($1::text[] IS NULL OR domain = ANY($1)) AND ($2::text IS NULL OR organization_id = $2)
     LIMIT $3
     FOR UPDATE SKIP LOCKED
   ) AS deferred
   WHERE outbox.email_id = deferred.email_id AND outbox.position = deferred.position`,
);

const STEP = 5_000;

export interface FlushOf {
  readonly domains: readonly string[] | null;
  readonly organizationId: string | null;
}

/** Returns how many deliveries became due. In steps, so that no lock is held for long. */
export async function flush(db: Sql, { domains, organizationId }: FlushOf): Promise<number> {
  let flushed = 0;
  for (;;) {
    const step = await db.exec(flushStep, [domains, organizationId, STEP]);
    flushed += step;
    if (step < STEP) return flushed;
  }
}
