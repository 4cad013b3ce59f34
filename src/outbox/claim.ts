/**
 * Claiming: waiting rows that are due become this worker's, in one short transaction.
 *
 * Organizations take turns. A claim first asks who has mail that is due (one index probe per organization with
 * waiting mail), shares the room out evenly, then takes each one's share by priority and age. So a flood of one
 * organization costs the others nothing but their even share, and priority orders mail within an organization
 * only. SKIP LOCKED keeps two workers from waiting for each other.
 */
import { type Sql, sql } from '../database/sql.ts';
import type { ClaimedDelivery } from './states.ts';

/** Jumps from one organization to the next in the index, and keeps those with something due. */
const selectDueOrganizations = sql<{ organization_id: string }>(
  'outbox.due_organizations',
  `WITH RECURSIVE waiting AS (
     (SELECT organization_id FROM outbox WHERE worker IS NULL ORDER BY organization_id LIMIT 1)
     UNION ALL
     SELECT (SELECT o.organization_id FROM outbox o
             WHERE o.worker IS NULL AND o.organization_id > waiting.organization_id
             ORDER BY o.organization_id LIMIT 1)
     FROM waiting WHERE waiting.organization_id IS NOT NULL
   )
   SELECT organization_id FROM waiting
   WHERE organization_id IS NOT NULL AND EXISTS (
     SELECT FROM (VALUES (0::smallint), (1::smallint), (2::smallint)) AS p(priority)
     CROSS JOIN LATERAL (
       SELECT 1 FROM outbox o
       WHERE o.worker IS NULL AND o.organization_id = waiting.organization_id
         AND o.priority = p.priority AND o.due_at <= now()
       LIMIT 1
     ) AS due
   )`,
);

interface ClaimedRow {
  organization_id: string;
  email_id: string;
  position: number;
  domain: string;
  attempt: number;
  expires_at: Date;
  size: number;
}

const claimShares = sql<ClaimedRow>(
  'outbox.claim',
  `WITH picked AS (
     SELECT due.email_id, due.position
     FROM unnest($2::text[], $3::int[]) AS share(organization_id, room)
     CROSS JOIN LATERAL (
       SELECT o.email_id, o.position
       FROM (VALUES (0::smallint), (1::smallint), (2::smallint)) AS p(priority)
       CROSS JOIN LATERAL (
         SELECT email_id, position FROM outbox
         WHERE worker IS NULL AND organization_id = share.organization_id
           AND priority = p.priority AND due_at <= now()
         ORDER BY due_at
         LIMIT share.room
         FOR UPDATE SKIP LOCKED
       ) AS o
       LIMIT share.room
     ) AS due
   ), claimed AS (
     UPDATE outbox SET worker = $1, attempt = attempt + 1
     FROM picked
     WHERE outbox.email_id = picked.email_id AND outbox.position = picked.position
     RETURNING outbox.*
   )
   SELECT organization_id, email_id, position, domain, attempt, expires_at, size
   FROM claimed ORDER BY priority, due_at, email_id, position`,
);

/** Takes up to `limit` due deliveries for the worker with this epoch, in the order in which to begin with them. */
export async function claim(db: Sql, epoch: number, limit: number): Promise<ClaimedDelivery[]> {
  const due = await db.many(selectDueOrganizations);
  if (due.length === 0) return [];
  const shares = shareOut(shuffled(due.map((row) => row.organization_id)), limit);
  const rows = await db.many(claimShares, [epoch, [...shares.keys()], [...shares.values()]]);
  return rows.map((row) => ({
    organizationId: row.organization_id,
    emailId: row.email_id,
    position: row.position,
    domain: row.domain,
    attempt: row.attempt,
    expiresAtMs: row.expires_at.getTime(),
    size: row.size,
  }));
}

/** An even split; where it does not come out even, or there are more organizations than room, the first gain. */
export function shareOut(organizations: readonly string[], limit: number): Map<string, number> {
  const shares = new Map<string, number>();
  const even = Math.floor(limit / organizations.length);
  const extra = limit % organizations.length;
  organizations.forEach((organization, index) => {
    const share = even + (index < extra ? 1 : 0);
    if (share > 0) shares.set(organization, share);
  });
  return shares;
}

function shuffled(list: readonly string[]): string[] {
  const copy = [...list];
  for (let i = copy.length - 1; i > 0; i -= 1) {
    const j = Math.floor(Math.random() * (i + 1));
    [copy[i], copy[j]] = [copy[j] as string, copy[i] as string];
  }
  return copy;
}
