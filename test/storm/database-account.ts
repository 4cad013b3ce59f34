/** What the database says at the end: every email with its recipients, and where it contradicts itself. */

import type { Database } from '../../src/database/database.ts';
import { adHoc } from '../../src/database/sql.ts';
import { eventId } from '../../src/events/read.ts';
import { startIdIn } from '../../src/events/started.ts';
import { countsDiffer, hourlyCountsDiffer, streamCountsDiffer } from '../support/counts.ts';
import { SUBJECT } from './mail.ts';

export interface StoredRecipient {
  readonly address: string;
  readonly state: string;
}

export interface StoredEmail {
  readonly id: string;
  readonly status: string;
  readonly batchId: string | null;
  readonly recipients: StoredRecipient[];
}

const PAGE = 20_000;
const ZERO_ID = '00000000-0000-0000-0000-000000000000';

const selectRecipients = adHoc<{
  id: string;
  position: number;
  subject: string;
  status: string;
  batch_id: string | null;
  address: string;
  state: string;
}>(
  `SELECT e.id, r.position, e.subject, e.status, e.batch_id, r.address, r.state
   FROM recipients r JOIN emails e ON e.organization_id = r.organization_id AND e.id = r.email_id
   WHERE (r.email_id, r.position) > ($1::uuid, $2::smallint)
   ORDER BY r.email_id, r.position LIMIT ${PAGE}`,
);

/** By token: more than one email for a token is what must not be. */
export async function storedEmails(db: Database): Promise<Map<string, StoredEmail[]>> {
  const byToken = new Map<string, StoredEmail[]>();
  let last: { id: string; position: number } = { id: ZERO_ID, position: -1 };
  for (;;) {
    const rows = await db.many(selectRecipients, [last.id, last.position]);
    for (const row of rows) {
      const token = SUBJECT.exec(row.subject)?.[1] ?? row.subject;
      const emails = byToken.get(token) ?? [];
      byToken.set(token, emails);
      let email = emails.find(({ id }) => id === row.id);
      if (email === undefined) {
        email = { id: row.id, status: row.status, batchId: row.batch_id, recipients: [] };
        emails.push(email);
      }
      email.recipients.push({ address: row.address, state: row.state });
    }
    const end = rows.at(-1);
    if (end === undefined || rows.length < PAGE) return byToken;
    last = end;
  }
}

const FINAL = `('delivered', 'bounced', 'failed', 'rejected')`;

/** Recipients whose final events are not exactly one, of the kind that their state says. */
const selectOddFinals = adHoc<{ email_id: string; position: number; state: string; finals: string }>(
  `SELECT r.email_id, r.position, r.state, coalesce(string_agg(e.type, ',' ORDER BY e.id), 'none') AS finals
   FROM recipients r
   LEFT JOIN events e ON e.organization_id = r.organization_id AND e.email_id = r.email_id
     AND e.position = r.position AND e.type IN ${FINAL}
   GROUP BY r.email_id, r.position, r.state
   HAVING count(e.id) <> 1 OR min(CASE e.type WHEN 'rejected' THEN 'failed' ELSE e.type END) <> r.state`,
);

/** `starts` less than `times`: the same start was written down more than once. */
const selectRepeatedProcessing = adHoc<{
  email_id: string;
  position: number;
  attempt: number;
  times: number;
  starts: number;
}>(
  `SELECT email_id, position, attempt, count(*) AS times, count(DISTINCT coalesce(started_at, created_at)) AS starts
   FROM events WHERE type = 'processing' OR started_at IS NOT NULL GROUP BY 1, 2, 3 HAVING count(*) > 1`,
);

const selectUsage = adHoc<{ day: string; counted: number | null; found: number | null }>(
  `SELECT day::text, u.recipients AS counted, f.found
   FROM daily_usage u
   FULL JOIN (SELECT e.organization_id, (e.created_at AT TIME ZONE 'UTC')::date AS day, count(*) AS found
              FROM recipients r JOIN emails e ON e.organization_id = r.organization_id AND e.id = r.email_id
              GROUP BY 1, 2) AS f USING (organization_id, day)
   WHERE u.recipients IS DISTINCT FROM f.found`,
);

const selectClaimed = adHoc<{ what: string; worker: number; rows: number }>(
  `SELECT 'mail' AS what, worker, count(*) AS rows FROM outbox WHERE worker IS NOT NULL GROUP BY worker
   UNION ALL
   SELECT 'webhooks', worker, count(*) FROM webhook_deliveries WHERE worker IS NOT NULL GROUP BY worker`,
);

const selectTemplateCounts = adHoc<{ counted: number; found: number }>(
  `SELECT (SELECT coalesce(sum(count), 0) FROM template_counts)::bigint AS counted,
          (SELECT count(*) FROM emails WHERE template_id IS NOT NULL) AS found`,
);

export interface Contradictions {
  readonly finals: readonly string[];
  /** One start of a try, told more than once. */
  readonly processing: readonly string[];
  /** A try that was begun, given back without having been made, and begun again under its number. */
  readonly begunAgain: readonly string[];
  readonly counters: readonly string[];
  readonly claimed: readonly string[];
}

export async function contradictions(db: Database): Promise<Contradictions> {
  const finals = await db.many(selectOddFinals);
  const processing = await db.many(selectRepeatedProcessing);
  const [templates] = await db.many(selectTemplateCounts);
  const counters: unknown[] = [
    ...(await countsDiffer(db)),
    ...(await hourlyCountsDiffer(db)),
    ...(await streamCountsDiffer(db)),
    ...(await db.many(selectUsage)),
    ...(templates?.counted === templates?.found ? [] : [templates]),
  ];
  return {
    finals: finals.map((row) => `${row.email_id}/${row.position} is ${row.state}, with ${row.finals}`),
    processing: processing.filter(({ times, starts }) => starts < times).map(inWords),
    begunAgain: processing.filter(({ times, starts }) => starts === times).map(inWords),
    counters: counters.map((row) => JSON.stringify(row)),
    claimed: (await db.many(selectClaimed)).map(
      ({ what, worker, rows }) => `${rows} ${what} by worker ${worker}`,
    ),
  };
}

function inWords(row: { email_id: string; position: number; attempt: number; times: number }): string {
  return `${row.email_id}/${row.position} try ${row.attempt}: ${row.times} times`;
}

/** There is one endpoint, and naming it is what its index begins with. Of mail from before it nothing is owed to it. */
const selectEvents = adHoc<{ id: string; email_id: string; tries: number | null }>(
  `SELECT told.id, e.email_id, d.tries FROM events e
   CROSS JOIN LATERAL (VALUES (e.id), (CASE WHEN e.started_at IS NOT NULL THEN ${startIdIn('e.id')} END)) AS told(id)
   LEFT JOIN webhook_deliveries d
     ON d.endpoint_id = (SELECT id FROM webhook_endpoints LIMIT 1) AND d.event_id = told.id
   WHERE told.id IS NOT NULL AND e.email_id >= $1::uuid AND (e.email_id, told.id) > ($1::uuid, $2::uuid)
     AND e.email_id >= (SELECT uuid_v7_floor(min(created_at)) FROM webhook_endpoints)
   ORDER BY e.email_id, told.id LIMIT ${PAGE}`,
);

export interface LoggedEvent {
  readonly event: string;
  readonly email: string;
  /** How often its webhook was tried, also where the receiver heard nothing of it. */
  readonly tries: number;
}

/** Every event of the log, by email and in the order in which it happened. */
export async function* loggedEvents(db: Database): AsyncGenerator<LoggedEvent> {
  let last = { email_id: ZERO_ID, id: ZERO_ID };
  for (;;) {
    const rows = await db.many(selectEvents, [last.email_id, last.id]);
    for (const { id, email_id: email, tries } of rows) yield { event: eventId(id), email, tries: tries ?? 0 };
    const end = rows.at(-1);
    if (end === undefined || rows.length < PAGE) return;
    last = end;
  }
}
