/** The queued mail that a hold covers: mail it keeps now, and mail it will keep when that is due. Reads only. */
import { type Sql, sql } from '../../database/sql.ts';
import { STREAM } from '../../emails/stream.ts';
import { hasTag } from '../../emails/tag-filter.ts';
import { APPROVAL_HOLD } from '../../outbox/approval.ts';
import type { DeliveryKey } from '../../outbox/states.ts';
import { QUEUE_START } from '../../outbox/withdraw.ts';
import { uuidv7Ms } from '../../runtime/ids.ts';

const EMAIL = 'SELECT FROM emails e WHERE e.organization_id = o.organization_id AND e.id = o.email_id AND';

/**
 * SQL: whether the hold `h` covers the delivery `o`, with the same rules as `HoldIndex`. Mail parked under a lane stays with
 * it, even if lanes have become finer since.
 */
const COVERED = `(h.organization_id IS NULL OR o.organization_id = h.organization_id)
  AND CASE h.scope
    WHEN 'domain' THEN EXISTS (${EMAIL} split_part(e.from_email, '@', -1) = h.value)
    WHEN 'template' THEN EXISTS (${EMAIL} e.template_id = h.value)
    WHEN 'key' THEN EXISTS (${EMAIL} e.api_key_id = h.value)
    WHEN 'tag' THEN EXISTS (${EMAIL} ${hasTag('h.value')})
    WHEN 'lane' THEN o.hold_id = h.id OR EXISTS (SELECT FROM emails e, site_domains s
      WHERE e.organization_id = o.organization_id AND e.id = o.email_id AND s.domain = o.domain
        AND h.value = coalesce(e.template_id || ' version ' || e.template_version, split_part(e.from_email, '@', -1))
                      || coalesce(' in ' || ${STREAM}, '')
                      || ' to ' || CASE WHEN s.provider IN ('other', '') THEN s.site ELSE s.provider END)
    WHEN 'recipient' THEN EXISTS (SELECT FROM recipients r WHERE r.organization_id = o.organization_id
      AND r.email_id = o.email_id AND r.position = o.position AND lower(r.address) = h.value)
    WHEN 'provider' THEN EXISTS (SELECT FROM site_domains s WHERE s.domain = o.domain AND h.value IN (s.site, s.provider))
    WHEN 'all' THEN true
    WHEN 'organization' THEN true
    ELSE false END`;

export interface HoldFigures {
  /** Deliveries that would be sent if the hold were released now. */
  readonly held: number;
  /** Those of `held` that had expired before the hold: they end as failed. */
  readonly expired: number;
  /** Deliveries that are due later: scheduled, or waiting for a retry. */
  readonly later: number;
  /** When the oldest of the held emails was accepted. */
  readonly oldestAt: Date | null;
}

type FiguresRow = Omit<HoldFigures, 'oldestAt'> & { oldest_id: string | null };

const selectFigures = sql<FiguresRow>(
  'holds.figures',
  `SELECT count(*) FILTER (WHERE is_held) AS held,
          count(*) FILTER (WHERE is_held AND time_left <= interval '0') AS expired,
          count(*) FILTER (WHERE NOT is_held) AS later,
          min(email_id::text) FILTER (WHERE is_held) AS oldest_id
   FROM (
     SELECT o.email_id, o.hold_id IS NOT NULL OR o.due_at <= now() AS is_held,
            coalesce(o.time_left, o.expires_at - greatest(h.placed_at, o.due_at)) AS time_left
     FROM holds h JOIN outbox o ON (o.hold_id IS NULL OR o.hold_id = h.id) AND ${COVERED}
     WHERE h.id = $1 AND h.ended_at IS NULL
   ) AS covered`,
  { home: 'cell' },
);

/** Mail parked under another hold counts there. Reads the whole queue: only for display. */
export async function figuresOf(db: Sql, holdId: string): Promise<HoldFigures> {
  const { oldest_id: oldest, ...figures } = await db.one(selectFigures, [holdId]);
  return { ...figures, oldestAt: oldest === null ? null : new Date(uuidv7Ms(oldest)) };
}

const countOfKey = sql<{ count: number }>(
  'holds.queued_of_key',
  `SELECT count(*) AS count FROM outbox o WHERE o.organization_id = $1 AND EXISTS (${EMAIL} e.api_key_id = $2)`,
  { home: 'cell', organization: '$1' },
);

/** Queued deliveries that an API key submitted. Reads the organization's queue: only for display. */
export async function countQueuedOfKey(db: Sql, organizationId: string, keyId: string): Promise<number> {
  return (await db.one(countOfKey, [organizationId, keyId])).count;
}

interface CoveredRow {
  organization_id: string;
  email_id: string;
  position: number;
}

/**
 * Mail accepted before the decision about the hold, in the order of the primary key, from the end of the previous step.
 * Includes mail parked under another hold, because that hold's release would send discarded mail. Excludes mail that waits for
 * approval, which has its own decision.
 */
const selectCovered = sql<CoveredRow>(
  'holds.covered',
  `SELECT o.organization_id, o.email_id, o.position
   FROM holds h JOIN outbox o ON o.hold_id IS DISTINCT FROM '${APPROVAL_HOLD}' AND ${COVERED}
   WHERE h.id = $1 AND o.email_id < uuid_v7_floor(h.ending_at) AND (o.email_id, o.position) > ($2::uuid, $3::smallint)
   ORDER BY o.email_id, o.position LIMIT $4`,
  { home: 'cell' },
);

/** The next deliveries for a discard to end. */
export async function coveredBy(
  db: Sql,
  holdId: string,
  after: Pick<DeliveryKey, 'emailId' | 'position'> | null,
  limit: number,
): Promise<DeliveryKey[]> {
  const { emailId, position } = after ?? QUEUE_START;
  const rows = await db.many(selectCovered, [holdId, emailId, position, limit]);
  return rows.map((row) => ({
    organizationId: row.organization_id,
    emailId: row.email_id,
    position: row.position,
  }));
}
