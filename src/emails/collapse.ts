/**
 * The one writer of `collapse_keys`: of the emails with one key to one recipient, only the newest is sent. What is older and
 * still waits becomes due when a newer one is accepted, in the same transaction; whoever loads it finds that it was
 * superseded, and ends it. So nothing is ended that has no successor on disk.
 *
 * Newer is what has the greater id: emails that are accepted together, or by several processes, agree on it.
 */
import { createHash } from 'node:crypto';
import { type Sql, sql } from '../kit/database/sql.ts';
import { addressKeyOf, type EmailAddress } from '../kit/message/address.ts';
import { DAY_MS } from '../kit/runtime/durations.ts';
import { uuidv7Floor } from '../kit/runtime/ids.ts';
import { makeDeliveriesDue } from '../outbox/make-due.ts';
import type { DeliveryKey } from '../outbox/states.ts';
import type { NewEmail } from './email.ts';

/** Mail that waits for longer is on hold, or was scheduled and became due when it was superseded. */
const KEPT_MS = 60 * DAY_MS;

interface NewestRow {
  organization_id: string;
  email_id: string;
  position: number;
}

/** In the order of the digests, so that two who accept at once never wait for each other. */
const note = sql<NewestRow>(
  'collapse_keys.note',
  `WITH new AS (
     SELECT organization_id, digest, email_id, position
     FROM unnest($1::text[], $2::bytea[], $3::uuid[], $4::smallint[]) AS t(organization_id, digest, email_id, position)
     ORDER BY organization_id, digest
   ), before AS (
     SELECT k.organization_id, k.email_id, k.position FROM collapse_keys k JOIN new USING (organization_id, digest)
     WHERE k.email_id < new.email_id
   ), noted AS (
     INSERT INTO collapse_keys AS k (organization_id, digest, email_id, position) SELECT * FROM new
     ON CONFLICT (organization_id, digest) DO UPDATE SET email_id = excluded.email_id, position = excluded.position
       WHERE k.email_id < excluded.email_id
   )
   SELECT organization_id, email_id, position FROM before`,
);

const selectNewest = sql<{ index: number }>(
  'collapse_keys.superseded',
  `SELECT (asked.index - 1)::int AS index
   FROM unnest($1::text[], $2::bytea[], $3::uuid[]) WITH ORDINALITY AS asked(organization_id, digest, email_id, index)
   JOIN collapse_keys k ON k.organization_id = asked.organization_id AND k.digest = asked.digest
   WHERE k.email_id > asked.email_id`,
);

const removeOf = sql(
  'collapse_keys.remove_of',
  'DELETE FROM collapse_keys WHERE organization_id = $1 AND email_id = ANY ($2::uuid[])',
);

const removeOld = sql('collapse_keys.remove_old', 'DELETE FROM collapse_keys WHERE email_id < $1');

/** Notes these as the newest of their keys, and makes due what they supersede. Emails without a key are left alone. */
export async function supersedeOlder(tx: Sql, emails: readonly NewEmail[]): Promise<void> {
  const newest = newestOf(emails);
  if (newest.length === 0) return;
  const before = await tx.many(note, [
    newest.map(({ organizationId }) => organizationId),
    newest.map(({ digest }) => digest),
    newest.map(({ emailId }) => emailId),
    newest.map(({ position }) => position),
  ]);
  await makeDeliveriesDue(
    tx,
    before.map((row) => ({
      organizationId: row.organization_id,
      emailId: row.email_id,
      position: row.position,
    })),
  );
}

interface Collapsing extends DeliveryKey {
  readonly digest: Buffer;
}

/** Once for each key and recipient: the others were superseded before they were stored. */
function newestOf(emails: readonly NewEmail[]): Collapsing[] {
  const newest = new Map<string, Collapsing>();
  for (const { organizationId, id: emailId, fromDomain, addresses, recipients } of emails) {
    const { collapse_key: key } = addresses;
    if (key === undefined) continue;
    for (const [position, { address }] of recipients.entries()) {
      const digest = digestOf(fromDomain, key, address.key);
      const name = `${organizationId} ${digest.toString('hex')}`;
      const known = newest.get(name);
      if (known === undefined || known.emailId < emailId)
        newest.set(name, { organizationId, emailId, position, digest });
    }
  }
  return [...newest.values()];
}

/** A delivery that has a collapse key, as it was stored. */
export interface Collapsible {
  readonly organizationId: string;
  readonly emailId: string;
  readonly fromDomain: string;
  readonly collapseKey: string;
  readonly recipient: EmailAddress;
}

/** Which of these have a newer one, by their place. */
export async function supersededAmong(
  db: Sql,
  deliveries: readonly Collapsible[],
): Promise<ReadonlySet<number>> {
  if (deliveries.length === 0) return new Set();
  const rows = await db.many(selectNewest, [
    deliveries.map(({ organizationId }) => organizationId),
    deliveries.map(({ fromDomain, collapseKey, recipient }) =>
      digestOf(fromDomain, collapseKey, addressKeyOf(recipient)),
    ),
    deliveries.map(({ emailId }) => emailId),
  ]);
  return new Set(rows.map(({ index }) => index));
}

export async function forgetCollapseKeys(
  tx: Sql,
  organizationId: string,
  emailIds: readonly string[],
): Promise<void> {
  await tx.exec(removeOf, [organizationId, emailIds]);
}

export async function removeOldCollapseKeys(db: Sql, nowMs: number): Promise<void> {
  await db.exec(removeOld, [uuidv7Floor(nowMs - KEPT_MS)]);
}

/** Line ends occur in none of them. */
function digestOf(fromDomain: string, key: string, recipient: string): Buffer {
  return createHash('sha256').update(`${fromDomain}\n${key}\n${recipient}`).digest();
}
