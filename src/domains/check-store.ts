/** The schedule and results of domain checks. With `store.ts`, the one writer of `domains`. */

import { notMigrating } from '../database/organization-freezes.ts';
import { type Sql, sql } from '../database/sql.ts';
import { MINUTE_MS } from '../runtime/durations.ts';
import { DOMAIN_COLUMNS, type DomainRow } from './store.ts';
import type { VerificationState } from './verification-state.ts';
import type { DnsCheck } from './verify.ts';

const record = sql<DomainRow>(
  'domains.record_check',
  `UPDATE domains SET spf_verified = $4, dkim_verified = $5, verified_at = $6, verified_in = $7, failed_checks = $8,
     failing_since = $9, next_check_at = $10, checks = $11, last_checked_at = $12, check_number = check_number + 1
   WHERE organization_id = $1 AND id = $2 AND check_number = $3 RETURNING ${DOMAIN_COLUMNS}`,
  { home: 'cell', organization: '$1' },
);

/**
 * A claimed domain is reserved until its next check is due again; if the worker dies, another one claims the domain
 * then.
 */
const claim = sql<DomainRow>(
  'domains.claim_due',
  `WITH due AS (
     SELECT organization_id AS owner, id AS due_id FROM domains
     WHERE next_check_at <= $1 AND ${notMigrating()} ORDER BY next_check_at LIMIT $2 FOR UPDATE SKIP LOCKED
   )
   UPDATE domains SET next_check_at = $3 FROM due WHERE organization_id = owner AND id = due_id
   RETURNING ${DOMAIN_COLUMNS}`,
  { home: 'cell' },
);

const EARLIEST_CHECK = `(last_checked_at AT TIME ZONE 'UTC' + $4 * interval '1 millisecond') AT TIME ZONE 'UTC'`;

const checkSooner = sql(
  'domains.check_soon',
  `UPDATE domains SET next_check_at = greatest($3, ${EARLIEST_CHECK})
   WHERE organization_id = $1 AND domain = $2
     AND (next_check_at IS NULL OR next_check_at > greatest($3, ${EARLIEST_CHECK}))`,
  { home: 'cell', organization: '$1' },
);

const checkEarlier = sql(
  'domains.check_by',
  `UPDATE domains SET next_check_at = $3
   WHERE organization_id = $1 AND id = $2 AND (next_check_at IS NULL OR next_check_at > $3)`,
  { home: 'cell', organization: '$1' },
);

const countFailing = sql<{ count: number }>(
  'domains.count_failing',
  'SELECT count(*) AS count FROM domains WHERE failing_since IS NOT NULL',
  { home: 'cell' },
);

/** Undefined when another check was recorded after `before` was read, or when the domain was deleted. */
export function recordCheck(
  db: Sql,
  before: Pick<DomainRow, 'organization_id' | 'id' | 'check_number'>,
  after: VerificationState,
  checks: readonly DnsCheck[],
  checkedAt: Date,
): Promise<DomainRow | undefined> {
  return db.maybeOne(record, [
    before.organization_id,
    before.id,
    before.check_number,
    after.spf_verified,
    after.dkim_verified,
    after.verified_at,
    after.verified_in,
    after.failed_checks,
    after.failing_since,
    after.next_check_at,
    JSON.stringify(checks),
    checkedAt,
  ]);
}

export function claimDue(db: Sql, now: Date, limit: number, leaseUntil: Date): Promise<DomainRow[]> {
  return db.many(claim, [now, limit, leaseUntil]);
}

/** Requests for a check never cause one sooner than this after the previous one. */
const MIN_INTERVAL_MS = 3 * MINUTE_MS;

/** Schedules a check because a receiver refused the domain's mail: now, or MIN_INTERVAL_MS after the previous check. */
export async function checkSoon(
  db: Sql,
  organizationId: string,
  domain: string,
  nowMs: number,
): Promise<void> {
  await db.exec(checkSooner, [organizationId, domain, new Date(nowMs), MIN_INTERVAL_MS]);
}

/** Moves the next check forward to this time, never back. */
export async function checkBy(
  db: Sql,
  { organization_id, id }: Pick<DomainRow, 'organization_id' | 'id'>,
  at: Date,
): Promise<void> {
  await db.exec(checkEarlier, [organization_id, id, at]);
}

/** The number of verified domains whose records currently fail. */
export async function countFailingDomains(db: Sql): Promise<number> {
  return (await db.one(countFailing)).count;
}
