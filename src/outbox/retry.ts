/** Trying again before its time: mail that waits after a deferral becomes due. */
import { type Sql, sql } from '../kit/database/sql.ts';

export interface WaitingDelivery {
  position: number;
  domain: string;
  due_at: Date;
  /** A worker has it in hand. */
  claimed: boolean;
}

const selectWaiting = sql<WaitingDelivery>(
  'outbox.of_email',
  `SELECT position, domain, due_at, worker IS NOT NULL AS claimed FROM outbox WHERE organization_id = $1 AND email_id = $2`,
);

const makeDueNow = sql<{ position: number }>(
  'outbox.make_due',
  `UPDATE outbox SET due_at = now()
   WHERE organization_id = $1 AND email_id = $2 AND worker IS NULL AND attempt > 0 AND due_at > now()
   RETURNING position`,
);

/** What of an email is still to be delivered. */
export function waitingOf(db: Sql, organizationId: string, emailId: string): Promise<WaitingDelivery[]> {
  return db.many(selectWaiting, [organizationId, emailId]);
}

/** The positions that were waiting for their next try. Mail that was never tried keeps the time it is scheduled for. */
export async function makeDue(tx: Sql, organizationId: string, emailId: string): Promise<number[]> {
  return (await tx.many(makeDueNow, [organizationId, emailId])).map(({ position }) => position);
}
