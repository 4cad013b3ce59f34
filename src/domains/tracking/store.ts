/** The one writer of `domain_tracking`: what sending domains have of their own about tracking. */
import type { ClickTracking } from '../../emails/email.ts';
import { type Sql, sql } from '../../kit/database/sql.ts';
import type { DnsCheckStatus } from '../verify.ts';

/** What the last look at a tracking host found. */
export interface HostCheck {
  readonly status: DnsCheckStatus;
  /** What its record has to be. */
  readonly expected: string;
  readonly found: readonly string[];
  readonly message: string;
}

export interface DomainTrackingRow {
  readonly organization_id: string;
  readonly domain_id: string;
  /** Null where the organization's setting counts. */
  readonly track_opens: boolean | null;
  readonly track_clicks: ClickTracking | null;
  readonly host: string | null;
  readonly host_points: boolean;
  readonly host_verified: boolean;
  readonly host_check: HostCheck | null;
  readonly host_checked_at: Date | null;
}

export type TrackingChoice = Pick<DomainTrackingRow, 'track_opens' | 'track_clicks' | 'host'>;

const COLUMNS = `organization_id, domain_id, track_opens, track_clicks, host, host_points, host_verified, host_check,
  host_checked_at`;

const selectAll = sql<DomainTrackingRow>(
  'domain_tracking.list',
  `SELECT ${COLUMNS} FROM domain_tracking WHERE organization_id = $1`,
);

const selectOne = sql<DomainTrackingRow>(
  'domain_tracking.find',
  `SELECT ${COLUMNS} FROM domain_tracking WHERE organization_id = $1 AND domain_id = $2`,
);

/** Another host has everything to prove again. */
const upsert = sql<DomainTrackingRow>(
  'domain_tracking.set',
  `INSERT INTO domain_tracking AS t (organization_id, domain_id, track_opens, track_clicks, host)
   VALUES ($1, $2, $3, $4, $5)
   ON CONFLICT (organization_id, domain_id) DO UPDATE SET
     track_opens = excluded.track_opens, track_clicks = excluded.track_clicks, host = excluded.host,
     host_points = t.host_points AND t.host IS NOT DISTINCT FROM excluded.host,
     host_verified = t.host_verified AND t.host IS NOT DISTINCT FROM excluded.host,
     host_check = CASE WHEN t.host IS NOT DISTINCT FROM excluded.host THEN t.host_check END,
     host_checked_at = CASE WHEN t.host IS NOT DISTINCT FROM excluded.host THEN t.host_checked_at END
   RETURNING ${COLUMNS}`,
);

const record = sql<DomainTrackingRow>(
  'domain_tracking.record_check',
  `UPDATE domain_tracking SET host_points = $4, host_verified = $5, host_check = $6, host_checked_at = $7
   WHERE organization_id = $1 AND domain_id = $2 AND host = $3 RETURNING ${COLUMNS}`,
);

const remove = sql(
  'domain_tracking.remove',
  'DELETE FROM domain_tracking WHERE organization_id = $1 AND domain_id = $2',
);

const selectPointing = sql<{ points: boolean }>(
  'domain_tracking.by_host',
  'SELECT bool_or(host_points) AS points FROM domain_tracking WHERE host = $1 HAVING count(*) > 0',
);

const selectDefaults = sql<
  Pick<DomainTrackingRow, 'track_opens' | 'track_clicks'> & { host: string | null; domain: string }
>(
  'domain_tracking.defaults',
  `SELECT d.domain, t.track_opens, t.track_clicks, CASE WHEN t.host_verified THEN t.host END AS host
   FROM domain_tracking t JOIN domains d ON d.organization_id = t.organization_id AND d.id = t.domain_id
   WHERE t.organization_id = $1`,
);

/** By the id of the domain. */
export async function trackingOfDomains(
  db: Sql,
  organizationId: string,
): Promise<ReadonlyMap<string, DomainTrackingRow>> {
  const rows = await db.many(selectAll, [organizationId]);
  return new Map(rows.map((row) => [row.domain_id, row]));
}

export function findTracking(
  db: Sql,
  organizationId: string,
  domainId: string,
): Promise<DomainTrackingRow | undefined> {
  return db.maybeOne(selectOne, [organizationId, domainId]);
}

export function setTracking(
  db: Sql,
  organizationId: string,
  domainId: string,
  { track_opens, track_clicks, host }: TrackingChoice,
): Promise<DomainTrackingRow> {
  return db.one(upsert, [organizationId, domainId, track_opens, track_clicks, host]);
}

/** Undefined where it has another host by now, or none. */
export function recordHostCheck(
  db: Sql,
  { organization_id, domain_id, host }: Pick<DomainTrackingRow, 'organization_id' | 'domain_id' | 'host'>,
  {
    points,
    verified,
    check,
  }: { readonly points: boolean; readonly verified: boolean; readonly check: HostCheck },
  checkedAt: Date,
): Promise<DomainTrackingRow | undefined> {
  return db.maybeOne(record, [
    organization_id,
    domain_id,
    host,
    points,
    verified,
    JSON.stringify(check),
    checkedAt,
  ]);
}

export async function removeTracking(db: Sql, organizationId: string, domainId: string): Promise<void> {
  await db.exec(remove, [organizationId, domainId]);
}

/** Of anybody: undefined where it is nobody's tracking host, otherwise whether DNS leads from it to us. */
export async function pointingOf(db: Sql, host: string): Promise<boolean | undefined> {
  return (await db.maybeOne(selectPointing, [host]))?.points;
}

/** What counts for mail from each of its domains; a host only while links may be on it. */
export function trackingDefaults(db: Sql, organizationId: string) {
  return db.many(selectDefaults, [organizationId]);
}
