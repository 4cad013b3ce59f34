/**
 * Opens of tracked mail: which opens are recorded, and how they change the recipient and the email.
 *
 * A recipient is `opened` once the pixel of a delivered mail was fetched, by a person or by a machine: machines are marked, not
 * hidden. Bounced and failed recipients keep their status. A mail that is opened before its delivery is recorded becomes
 * `opened` with that record (outcomes.ts).
 */
import { type Sql, sql } from '../database/sql.ts';
import type { DeliveryKey } from '../outbox/states.ts';
import { MINUTE_MS } from '../runtime/durations.ts';
import { countChanges, deriveStatusesOf, lockEmailsOf, span } from './outcomes.ts';
import type { RecipientState } from './status.ts';

/** The evidence for a machine. A closed list, because events store these values. */
const MACHINE_REASONS = {
  apple_privacy: 'Apple Mail fetched it ahead, whether or not anybody reads the mail.',
  gmail_prefetch: 'Gmail fetched it ahead.',
  scanner: 'A security scanner looked at the mail.',
  bot: 'A program fetched it, not a mail client.',
  prefetch: 'The request said that it was made ahead.',
  preview: "It was shown in a preview of the sender's own.",
  too_soon: 'It was fetched so soon after the delivery that nobody can have read the mail.',
  many_links: 'Several links of the mail were followed within two seconds.',
} as const;

export type MachineReason = keyof typeof MACHINE_REASONS;

/** Something of a mail that was fetched: its pixel, or the target of a link. */
export interface Fetched extends DeliveryKey {
  readonly atMs: number;
  /** The evidence for a machine in the request itself. */
  readonly machine: MachineReason | null;
  /** A fetch this soon after the delivery counts as a machine's. */
  readonly soonMs: number;
  readonly userAgent: string | null;
}

/** A fetch of the pixel. */
export type Open = Fetched;

interface RecordedOpen extends Open {
  readonly recipient: string;
}

interface OpenedRecipient {
  readonly address: string;
  readonly state: RecipientState;
  readonly updated_at: Date;
  readonly opened_at: Date | null;
  readonly opened_by_person: boolean;
}

/** At most one event per recipient within this time. */
export const EVERY_MS = MINUTE_MS;

const select = sql<OpenedRecipient & { index: number }>(
  'recipients.to_open',
  `SELECT (asked.index - 1)::int AS index, r.address, r.state, r.updated_at, r.opened_at, r.opened_by_person
   FROM unnest($1::text[], $2::uuid[], $3::smallint[])
        WITH ORDINALITY AS asked(organization_id, email_id, position, index)
   JOIN recipients r ON r.organization_id = asked.organization_id AND r.email_id = asked.email_id
     AND r.position = asked.position
   WHERE r.email_id BETWEEN $4 AND $5`,
  { home: 'cell', organization: '$1' },
);

const update = sql(
  'recipients.open',
  `UPDATE recipients r
   SET state = CASE WHEN r.state = 'delivered' THEN 'opened' ELSE r.state END,
       updated_at = CASE WHEN r.state = 'delivered' THEN to_timestamp(o.at / 1000.0) ELSE r.updated_at END,
       opened_at = to_timestamp(o.at / 1000.0),
       opened_by_person = r.opened_by_person OR o.person
   FROM unnest($1::text[], $2::uuid[], $3::smallint[], $4::float8[], $5::boolean[])
        AS o(organization_id, email_id, position, at, person)
   WHERE r.organization_id = o.organization_id AND r.email_id = o.email_id AND r.position = o.position
     AND r.email_id BETWEEN $6 AND $7`,
  { home: 'cell', organization: '$1' },
);

/**
 * Part of a transaction that also appends the returned opens as events. Each delivery may occur only once among the opens. An
 * open is left out if its email was removed.
 */
export async function recordOpens(tx: Sql, opens: readonly Open[]): Promise<RecordedOpen[]> {
  if (opens.length === 0) return [];
  const before = await lockEmailsOf(tx, opens);
  const ids = opens.map((open) => open.emailId);
  const keys = [opens.map((open) => open.organizationId), ids, opens.map((open) => open.position)];
  const rows = await tx.many(select, [...keys, ...span(ids)]);
  const recorded = rows.flatMap((row) => judgeOpen(opens[row.index] as Open, row) ?? []);
  if (recorded.length === 0) return [];
  const nowMs = Math.max(...recorded.map((open) => open.atMs));
  const [, changed] = await Promise.all([writeOpens(tx, recorded), deriveStatusesOf(tx, recorded, nowMs)]);
  await countChanges(tx, before, changed);
  return recorded;
}

/** The open as it is recorded, or null if it is not worth an event. */
function judgeOpen(open: Open, recipient: OpenedRecipient): RecordedOpen | null {
  const machine = open.machine ?? (isTooSoon(open, recipient) ? 'too_soon' : null);
  const sinceMs = recipient.opened_at === null ? EVERY_MS : open.atMs - recipient.opened_at.getTime();
  // The first open by a person is recorded even right after one by a machine.
  const isFirstPerson = machine === null && !recipient.opened_by_person;
  if (sinceMs < EVERY_MS && !isFirstPerson) return null;
  return { ...open, machine, recipient: recipient.address };
}

/** An open before the delivery is recorded counts as too soon. */
export function isTooSoon(
  { atMs, soonMs }: Fetched,
  { state, updated_at, opened_by_person }: Pick<OpenedRecipient, 'state' | 'updated_at' | 'opened_by_person'>,
): boolean {
  if (state === 'queued' || state === 'deferred') return true;
  return !opened_by_person && atMs - updated_at.getTime() < soonMs;
}

async function writeOpens(tx: Sql, opens: readonly RecordedOpen[]): Promise<void> {
  const ids = opens.map((open) => open.emailId);
  await tx.exec(update, [
    opens.map((open) => open.organizationId),
    ids,
    opens.map((open) => open.position),
    opens.map((open) => open.atMs),
    opens.map((open) => open.machine === null),
    ...span(ids),
  ]);
}
