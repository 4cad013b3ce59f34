/**
 * The one writer of `collapse_keys`: of the emails with one key to one recipient, only the newest is sent. Accepting a newer
 * email makes the older waiting ones due, in the same transaction. The worker that loads one of these finds that it was
 * superseded, and ends it. So no email is ended before its successor is on disk.
 *
 * The newer email is the one accepted later by the database's clock, because the clocks of two hosts may differ. Of emails
 * accepted at the same time, the newer has the greater id.
 */

import { createHash } from 'node:crypto';
import { columns } from '../database/call.ts';
import { type Sql, sql } from '../database/sql.ts';
import { endLifetimes } from '../outbox/make-due.ts';
import type { DeliveryKey } from '../outbox/states.ts';
import { addressKeyOf, type EmailAddress } from '../protocols/message/address.ts';
import type { NewEmail } from './email.ts';

/** Mail that waits longer than this is on hold. */
const KEPT_DAYS = 60;

interface NewestRow {
  organization_id: string;
  email_id: string;
  position: number;
}

/**
 * In the order of the digests, so that two concurrent accepts never deadlock. The times are the defaults of the new row.
 * `before` may miss an email that another transaction is about to commit: that email ends when it is due.
 */
const note = sql<NewestRow>(
  'collapse_keys.note',
  `WITH new AS (
     SELECT organization_id, digest, email_id, position
     FROM unnest($1::text[], $2::bytea[], $3::uuid[], $4::smallint[]) AS t(organization_id, digest, email_id, position)
     ORDER BY organization_id, digest
   ), before AS (
     SELECT k.organization_id, k.email_id, k.position FROM collapse_keys k JOIN new USING (organization_id, digest)
     WHERE k.email_id < new.email_id OR k.noted_at < now()
   ), noted AS (
     INSERT INTO collapse_keys AS k (organization_id, digest, email_id, position)
     SELECT organization_id, digest, email_id, position FROM new
     ON CONFLICT (organization_id, digest) DO UPDATE
       SET email_id = excluded.email_id, position = excluded.position, began_at = excluded.began_at,
           noted_at = excluded.noted_at
       WHERE k.email_id < excluded.email_id OR k.noted_at < excluded.began_at
   )
   SELECT organization_id, email_id, position FROM before`,
  { home: 'cell', organization: '$1' },
);

const selectNewest = sql<{ index: number }>(
  'collapse_keys.superseded',
  `SELECT (asked.index - 1)::int AS index
   FROM unnest($1::text[], $2::bytea[], $3::uuid[]) WITH ORDINALITY AS asked(organization_id, digest, email_id, index)
   JOIN collapse_keys k ON k.organization_id = asked.organization_id AND k.digest = asked.digest
   WHERE k.email_id <> asked.email_id`,
  { home: 'cell', organization: '$1' },
);

/**
 * Unlike a sender's collapse key, a repeat is noted again each time an email comes up for delivery, so only the id says which
 * is newer.
 */
const noteLatest = sql(
  'collapse_keys.note_repeat',
  `INSERT INTO collapse_keys AS k (organization_id, digest, email_id, position) VALUES ($1, $2, $3, $4)
   ON CONFLICT (organization_id, digest) DO UPDATE
     SET email_id = excluded.email_id, position = excluded.position, began_at = excluded.began_at,
         noted_at = excluded.noted_at
     WHERE k.email_id < excluded.email_id`,
  { home: 'cell', organization: '$1' },
);

const selectNewer = sql<{ is: boolean }>(
  'collapse_keys.has_newer',
  'SELECT EXISTS (SELECT FROM collapse_keys WHERE organization_id = $1 AND digest = $2 AND email_id > $3) AS is',
  { home: 'cell', organization: '$1' },
);

const selectNewestOf = sql<{ index: number; email_id: string }>(
  'collapse_keys.newest_of',
  `SELECT (asked.index - 1)::int AS index, k.email_id
   FROM unnest($2::bytea[]) WITH ORDINALITY AS asked(digest, index)
   JOIN collapse_keys k ON k.organization_id = $1 AND k.digest = asked.digest`,
  { home: 'cell', organization: '$1' },
);

const removeOf = sql(
  'collapse_keys.remove_of',
  'DELETE FROM collapse_keys WHERE organization_id = $1 AND email_id = ANY ($2::uuid[])',
  { home: 'cell', organization: '$1' },
);

const removeOld = sql(
  'collapse_keys.remove_old',
  `DELETE FROM collapse_keys WHERE noted_at < to_timestamp($1 / 1000.0) - $2 * interval '1 day'`,
  { home: 'cell' },
);

/**
 * Notes these emails as the newest of their keys, and makes the emails that they supersede due. Emails without a key are
 * ignored.
 */
export async function supersedeOlder(tx: Sql, emails: readonly NewEmail[]): Promise<void> {
  const newest = newestOf(emails);
  if (newest.length === 0) return;
  const before = await tx.many(note, [...columns(newest, 'organizationId', 'digest', 'emailId', 'position')]);
  await endLifetimes(
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

/** One email for each key and recipient: the others are superseded before they are stored. */
function newestOf(emails: readonly NewEmail[]): Collapsing[] {
  const newest = new Map<string, Collapsing>();
  for (const { organizationId, id: emailId, fromDomain, options, recipients } of emails) {
    const { collapse_key: key } = options;
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

/** A stored delivery that has a collapse key. */
interface Collapsible {
  readonly organizationId: string;
  readonly emailId: string;
  readonly fromDomain: string;
  readonly collapseKey: string;
  readonly recipient: EmailAddress;
}

/** The positions of those that are no longer the newest. */
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

/** An email that repeats others: same sender domain, template, subject and recipient. */
interface RepeatedEmail {
  readonly fromDomain: string;
  readonly templateId: string | null;
  readonly subject: string;
  readonly recipient: EmailAddress;
}

/** Five lines instead of the three of a collapse key, so that the two digests never collide. */
export function repeatDigestOf({ fromDomain, templateId, subject, recipient }: RepeatedEmail): Buffer {
  const subjectDigest = createHash('sha256').update(subject).digest('hex');
  const parts = ['repeat', fromDomain, templateId ?? '', subjectDigest, addressKeyOf(recipient)];
  return createHash('sha256').update(parts.join('\n')).digest();
}

/** Notes an email as the newest of its repeats, unless a newer one is already noted. */
export async function noteRepeat(
  db: Sql,
  { organizationId, emailId, position }: DeliveryKey,
  digest: Buffer,
): Promise<void> {
  await db.exec(noteLatest, [organizationId, digest, emailId, position]);
}

/** Whether a newer repeat of the email waits or was sent. */
export async function hasNewerRepeat(
  db: Sql,
  { organizationId, emailId }: Pick<DeliveryKey, 'organizationId' | 'emailId'>,
  digest: Buffer,
): Promise<boolean> {
  return (await db.one(selectNewer, [organizationId, digest, emailId])).is;
}

/** The id of the newest repeat of each digest, in the order given; undefined if no repeat was slowed down. */
export async function newestRepeats(
  db: Sql,
  organizationId: string,
  digests: readonly Buffer[],
): Promise<(string | undefined)[]> {
  if (digests.length === 0) return [];
  const rows = await db.many(selectNewestOf, [organizationId, digests]);
  const ids = new Map(rows.map(({ index, email_id }) => [index, email_id]));
  return digests.map((_, index) => ids.get(index));
}

export async function deleteCollapseKeys(
  tx: Sql,
  organizationId: string,
  emailIds: readonly string[],
): Promise<void> {
  await tx.exec(removeOf, [organizationId, emailIds]);
}

export async function removeOldCollapseKeys(db: Sql, nowMs: number): Promise<void> {
  await db.exec(removeOld, [nowMs, KEPT_DAYS]);
}

/** None of the parts contains a line end. */
function digestOf(fromDomain: string, key: string, recipient: string): Buffer {
  return createHash('sha256').update(`${fromDomain}\n${key}\n${recipient}`).digest();
}
