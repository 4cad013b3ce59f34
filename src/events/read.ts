import { type Sql, sql } from '../database/sql.ts';
import { isUuid, uuidv7Ms } from '../runtime/ids.ts';
import { type EventType, TYPES_WITHOUT_STATE } from './append.ts';
import { eventsOf } from './started.ts';

/** The certificate of the receiving server, see protocols/smtp/facts.ts. */
export interface TlsCertificate {
  verified: boolean;
  policy: 'dane' | 'mta_sts' | 'require_tls' | 'provider' | 'relay' | 'opportunistic';
  issuer: string | null;
  problem: string | null;
  /** Missing in rows that predate this field. */
  sha256?: string | null;
}

interface EventHold {
  id: string;
  reason: string;
  placed_by: string;
  placed_at: string;
}

export interface EventRow {
  id: string;
  type: EventType;
  position: number;
  recipient: string;
  mx_host: string | null;
  smtp_code: number | null;
  smtp_message: string | null;
  enhanced_code: string | null;
  reason: string | null;
  attempt: number | null;
  tls: string | null;
  tls_certificate: TlsCertificate | null;
  next_attempt_at: Date | null;
  user_agent: string | null;
  url: string | null;
  /** For a `held` event: the hold as it was placed. */
  hold: EventHold | null;
  created_at: Date;
}

/** The server's reply, such as `550 5.1.1 No such user`; its text includes the enhanced code. Empty without a reply. */
export function serverReply({
  smtp_code,
  smtp_message,
}: Pick<EventRow, 'smtp_code' | 'smtp_message'>): string {
  return [smtp_code, smtp_message].filter((part) => part !== null).join(' ');
}

/** A row of the table, which may also stand for the `processing` event before it (started.ts). */
export type Stored<Row extends EventRow = EventRow> = Row & { started_at: Date | null };

const selectOfEmail = sql<Stored>(
  'events.of_email',
  `SELECT id, type, position, recipient, mx_host, smtp_code, smtp_message, enhanced_code, reason, attempt, tls,
          tls_certificate, next_attempt_at, user_agent, url, hold, created_at, started_at
   FROM events WHERE organization_id = $1 AND email_id = $2
   ORDER BY id`,
  { home: 'cell', organization: '$1' },
);

export async function eventsOfEmail(db: Sql, organizationId: string, emailId: string): Promise<EventRow[]> {
  return eventsOf(await db.many(selectOfEmail, [organizationId, emailId]));
}

export type LastEvent = Pick<EventRow, 'type' | 'reason'>;

/**
 * Machine opens and clicks do not change an email's state, nor do events of TYPES_WITHOUT_STATE. This is read for the APIs of
 * other services, which have no holds: for them, held mail keeps its previous state.
 */
const selectLast = sql<LastEvent & { email_id: string }>(
  'events.last_of_emails',
  `SELECT asked.email_id, last.type, last.reason FROM unnest($2::uuid[]) AS asked(email_id)
   CROSS JOIN LATERAL (
     SELECT type, reason FROM events
     WHERE organization_id = $1 AND email_id = asked.email_id
       AND type NOT IN (${TYPES_WITHOUT_STATE.map((type) => `'${type}'`).join(', ')})
       AND NOT (type IN ('opened', 'clicked') AND reason IS NOT NULL)
     ORDER BY id DESC LIMIT 1
   ) AS last`,
  { home: 'cell', organization: '$1' },
);

/** The last event of each email, by the email's id. */
export async function lastEventsOf(
  db: Sql,
  organizationId: string,
  emailIds: readonly string[],
): Promise<Map<string, LastEvent>> {
  const rows = await db.many(selectLast, [organizationId, emailIds]);
  return new Map(rows.map((row) => [row.email_id, row]));
}

/** The public form of an event's id. */
export function eventId(id: string): string {
  return `evt_${id.replaceAll('-', '')}`;
}

/** For clients of services whose events have numbers: combines the event's time and its position within the millisecond. */
export function eventNumber(id: string): number {
  const place = Number.parseInt(id.slice(15, 18), 16);
  return uuidv7Ms(id) * 2_048 + (place % 2_048);
}

/** The public form of an event. An open or click by a machine includes the evidence for the machine. */
export function eventView({ position: _position, ...row }: EventRow) {
  const isFetched = row.type === 'opened' || row.type === 'clicked';
  return { ...row, id: eventId(row.id), machine: isFetched ? row.reason !== null : null };
}

/** The UUID of an `evt_…` id, or null if the text is not one. */
export function parseEventId(text: string): string | null {
  const hex = /^evt_([0-9a-f]{32})$/.exec(text)?.[1];
  const uuid = hex?.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  return uuid !== undefined && isUuid(uuid) ? uuid : null;
}
