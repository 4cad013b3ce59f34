/** Counts complaints for the overview: an email counts once, however many of its recipients complain. */
import { countComplaints } from '../counters/hourly-counts.ts';
import { countInStreams } from '../counters/stream-counts.ts';
import { type Sql, sql, unprepared } from '../database/sql.ts';
import { span } from '../emails/outcomes.ts';

interface Complained {
  readonly organizationId: string;
  readonly emailId: string;
}

/** Registered so that it is checked against the schema. */
const select = sql<Complained>(
  'inbound.first_complaints',
  `SELECT DISTINCT asked.o AS "organizationId", asked.e AS "emailId"
   FROM unnest($1::text[], $2::uuid[]) AS asked(o, e)
   WHERE NOT EXISTS (SELECT FROM events v WHERE v.organization_id = asked.o AND v.email_id = asked.e
                       AND v.email_id BETWEEN $3 AND $4 AND v.type = 'complained')`,
  { home: 'cell', organization: '$1' },
);

/** Unprepared, like every query for weeks of mail by id. */
const selectNow = unprepared(select);

/** Called before the events of these complaints are written. */
export async function countFirstComplaints(tx: Sql, complaints: readonly Complained[]): Promise<void> {
  if (complaints.length === 0) return;
  const ids = complaints.map(({ emailId }) => emailId);
  const params = [complaints.map(({ organizationId }) => organizationId), ids, ...span(ids)];
  const first = await tx.many(selectNow, params);
  await countComplaints(tx, first);
  await countInStreams(tx, 'complaints', first);
}
