/** Feedback loops that a user has marked as enrolled. The one writer of `feedback_loops`. */
import { type Sql, sql } from '../../database/sql.ts';

export interface EnrolledRow {
  readonly loop: string;
  readonly subject: string;
  readonly enrolled_at: Date;
  readonly enrolled_by: string;
}

const select = sql<EnrolledRow>(
  'feedback_loops.of_organization',
  'SELECT loop, subject, enrolled_at, enrolled_by FROM feedback_loops WHERE organization_id = $1',
  { home: 'cell', organization: '$1' },
);

/** Verified domains by name; more than 100 would be too many to enroll by hand. */
const selectDomains = sql<{ domain: string }>(
  'feedback_loops.domains',
  'SELECT domain FROM domains WHERE organization_id = $1 AND spf_verified AND dkim_verified ORDER BY domain LIMIT 100',
  { home: 'cell', organization: '$1' },
);

const insert = sql(
  'feedback_loops.enroll',
  `INSERT INTO feedback_loops (organization_id, loop, subject, enrolled_at, enrolled_by) VALUES ($1, $2, $3, $4, $5)
   ON CONFLICT (organization_id, loop, subject) DO NOTHING`,
  { home: 'cell', organization: '$1' },
);

const remove = sql(
  'feedback_loops.leave',
  'DELETE FROM feedback_loops WHERE organization_id = $1 AND loop = $2 AND subject = $3',
  { home: 'cell', organization: '$1' },
);

export function enrolledLoops(db: Sql, organizationId: string): Promise<EnrolledRow[]> {
  return db.many(select, [organizationId]);
}

export async function domainsToEnrol(db: Sql, organizationId: string): Promise<string[]> {
  return (await db.many(selectDomains, [organizationId])).map(({ domain }) => domain);
}

interface Enrolment {
  readonly organizationId: string;
  readonly loop: string;
  readonly subject: string;
}

/** A repeated enrolment keeps the first user and time. */
export async function insertEnrolment(db: Sql, one: Enrolment, by: string, atMs: number): Promise<void> {
  await db.exec(insert, [one.organizationId, one.loop, one.subject, new Date(atMs), by]);
}

export async function removeEnrolment(db: Sql, one: Enrolment): Promise<void> {
  await db.exec(remove, [one.organizationId, one.loop, one.subject]);
}
