/** Finds the mail that the deliveries of a log are about. Reads only. */
import { type Sql, sql, unprepared } from '../database/sql.ts';
import { outcomeIdOf } from '../events/started.ts';

interface LoggedEvent {
  readonly event_id: string;
  readonly email_id: string | null;
}

/** Null if the event is not about a mail, or if the mail was removed. */
interface MailOfDelivery {
  readonly recipient: string | null;
  readonly subject: string | null;
}

export type WithMail<Row> = Row & MailOfDelivery;

interface MailRow {
  readonly id: string;
  readonly recipient: string;
  readonly subject: string | null;
}

/** Registered so that it is checked against the schema. The email of a `received` event is a received one. */
const select = sql<MailRow>(
  'webhook_deliveries.mail',
  `SELECT asked.i AS id, ev.recipient, coalesce(e.subject, r.subject) AS subject
   FROM unnest($2::uuid[], $3::uuid[], $6::uuid[]) AS asked(e, i, outcome)
   JOIN events ev ON ev.organization_id = $1 AND ev.email_id = asked.e AND ev.email_id BETWEEN $4 AND $5
     AND ev.id = ANY (ARRAY[asked.i, asked.outcome]) AND (ev.id = asked.i OR ev.started_at IS NOT NULL)
   LEFT JOIN emails e ON e.organization_id = $1 AND e.id = asked.e AND e.id BETWEEN $4 AND $5
   LEFT JOIN received_emails r ON r.organization_id = $1 AND r.id = asked.e`,
  { home: 'cell', organization: '$1' },
);

/** Unprepared, like every query for weeks of mail by id. */
const selectNow = unprepared(select);

export async function withMail<Row extends LoggedEvent>(
  db: Sql,
  organizationId: string,
  rows: readonly Row[],
): Promise<WithMail<Row>[]> {
  const about = rows.filter(({ email_id }) => email_id !== null);
  const ids = about.map(({ email_id }) => email_id).sort();
  const found =
    about.length === 0
      ? []
      : await db.many(selectNow, [
          organizationId,
          about.map(({ email_id }) => email_id),
          about.map(({ event_id }) => event_id),
          ...[ids[0], ids.at(-1)],
          about.map(({ event_id }) => outcomeIdOf(event_id)),
        ]);
  const mail = new Map(found.map((one) => [one.id, one]));
  return rows.map((row) => {
    const { recipient = null, subject = null } = mail.get(row.event_id) ?? {};
    return { ...row, recipient, subject };
  });
}
