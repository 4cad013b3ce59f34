/** What the status of an email leaves out: conditions for lists, and the same for the emails of a page. Reads only. */
import { type Sql, sql } from '../kit/database/sql.ts';
import { span } from './outcomes.ts';
import type { EmailState, EmailStatus, SpecialState } from './status.ts';

/** Why mail is taken out of the queue by somebody, see withdrawal.ts. */
const WITHDRAWN_BECAUSE = [
  'cancelled',
  'discarded',
  'hold_discarded',
  'sandbox_ended',
  'erased',
  'key_revoked',
];

const event = (condition: string) =>
  `EXISTS (SELECT FROM events v WHERE v.organization_id = e.organization_id AND v.email_id = e.id AND ${condition})`;

const BECAUSE = WITHDRAWN_BECAUSE.map((reason) => `'${reason}'`).join(', ');

/** Of the email `e`. The database's clock decides what is still scheduled. */
export const STATE_CONDITIONS: Readonly<Record<SpecialState, string>> = {
  scheduled: `e.status = 'queued' AND e.scheduled_at > now()`,
  retrying: `e.status = 'queued' AND EXISTS (SELECT FROM recipients r WHERE r.organization_id = e.organization_id
             AND r.email_id = e.id AND r.state = 'deferred')`,
  withdrawn: `e.status = 'failed' AND ${event(`v.type = 'rejected' AND v.reason IN (${BECAUSE})`)}
              AND NOT ${event(`v.type = 'failed'`)}`,
  complained: event(`v.type = 'complained'`),
};

interface StateRow extends Readonly<Record<SpecialState, boolean>> {
  readonly id: string;
  readonly status: EmailStatus;
  readonly next_attempt_at: Date | null;
}

const select = sql<StateRow>(
  'emails.states',
  `SELECT e.id, e.status, ${Object.entries(STATE_CONDITIONS)
    .map(([state, condition]) => `(${condition}) AS ${state}`)
    .join(', ')},
          CASE WHEN e.status = 'queued' THEN (
            SELECT min(o.due_at) FROM recipients r JOIN outbox o ON o.email_id = r.email_id AND o.position = r.position
            WHERE r.organization_id = e.organization_id AND r.email_id = e.id AND r.state = 'deferred') END AS next_attempt_at
   FROM emails e WHERE e.organization_id = $1 AND e.id = ANY ($2::uuid[]) AND e.id BETWEEN $3 AND $4`,
);

export interface EmailSituation {
  readonly state: EmailState;
  /** Of mail that is retried; null while it is not known. */
  readonly next_attempt_at: Date | null;
}

export async function situationsOf(
  db: Sql,
  organizationId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, EmailSituation>> {
  if (ids.length === 0) return new Map();
  const rows = await db.many(select, [organizationId, ids, ...span(ids)]);
  return new Map(rows.map((row) => [row.id, { state: stateOf(row), next_attempt_at: row.next_attempt_at }]));
}

/** What calls for somebody comes first. */
const BY_WEIGHT: readonly SpecialState[] = ['complained', 'retrying', 'scheduled', 'withdrawn'];

function stateOf(row: StateRow): EmailState {
  return BY_WEIGHT.find((state) => row[state]) ?? row.status;
}
