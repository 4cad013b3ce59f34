/** The one writer of `domain_tracking`: tracking settings of sending domains. Rows are deleted with their domain. */

import { type Sql, sql } from '../../database/sql.ts';
import type { ClickTracking } from '../../emails/email.ts';
import type { DnsCheckStatus } from '../verify.ts';

/** The result of the last check of a tracking host. */
export interface HostCheck {
  readonly status: DnsCheckStatus;
  /** The required value of its record. */
  readonly expected: string;
  readonly found: readonly string[];
  readonly message: string;
}

export interface DomainTrackingRow {
  readonly organization_id: string;
  readonly domain_id: string;
  /** Null when the organization's setting applies. */
  readonly track_opens: boolean | null;
  readonly track_clicks: ClickTracking | null;
  readonly host: string | null;
  readonly host_points: boolean;
  readonly host_answers: boolean;
  readonly host_check: HostCheck | null;
  readonly host_checked_at: Date | null;
  readonly host_failures: number;
}

/** The columns that a domain sets, with their types; null where the organization's setting applies. */
const CHOICES = { track_opens: 'boolean', track_clicks: 'text', host: 'text' } as const;
const CHOICE_NAMES = Object.keys(CHOICES) as readonly (keyof typeof CHOICES)[];

export type TrackingChoice = Pick<DomainTrackingRow, keyof typeof CHOICES>;

export type TrackingHostState = Pick<
  DomainTrackingRow,
  'host_points' | 'host_answers' | 'host_check' | 'host_failures'
>;

const COLUMNS = `organization_id, domain_id, ${CHOICE_NAMES.join(', ')}, host_points, host_answers, host_check,
  host_checked_at, host_failures`;

const selectAll = sql<DomainTrackingRow>(
  'domain_tracking.list',
  `SELECT ${COLUMNS} FROM domain_tracking WHERE organization_id = $1`,
  { home: 'cell', organization: '$1' },
);

const selectOne = sql<DomainTrackingRow>(
  'domain_tracking.find',
  `SELECT ${COLUMNS} FROM domain_tracking WHERE organization_id = $1 AND domain_id = $2`,
  { home: 'cell', organization: '$1' },
);

/** A changed host must be verified again. */
const upsert = sql<DomainTrackingRow>(
  'domain_tracking.set',
  `INSERT INTO domain_tracking AS t (organization_id, domain_id, ${CHOICE_NAMES.join(', ')})
   SELECT organization_id, id, ${CHOICE_NAMES.map((name, at) => `$${at + 3}::${CHOICES[name]}`).join(', ')}
   FROM domains WHERE organization_id = $1 AND id = $2
   ON CONFLICT (organization_id, domain_id) DO UPDATE SET
     ${CHOICE_NAMES.map((name) => `${name} = excluded.${name}`).join(', ')},
     host_points = t.host_points AND t.host IS NOT DISTINCT FROM excluded.host,
     host_answers = t.host_answers AND t.host IS NOT DISTINCT FROM excluded.host,
     host_check = CASE WHEN t.host IS NOT DISTINCT FROM excluded.host THEN t.host_check END,
     host_checked_at = CASE WHEN t.host IS NOT DISTINCT FROM excluded.host THEN t.host_checked_at END,
     host_failures = 0
   RETURNING ${COLUMNS}`,
  { home: 'cell', organization: '$1' },
);

const record = sql<DomainTrackingRow>(
  'domain_tracking.record_check',
  `UPDATE domain_tracking SET host_points = $4, host_answers = $5, host_check = $6, host_failures = $7, host_checked_at = $8
   WHERE organization_id = $1 AND domain_id = $2 AND host = $3 RETURNING ${COLUMNS}`,
  { home: 'cell', organization: '$1' },
);

/** Only verified domains count: an unproven owner must not decide about names below the domain. */
const selectPointing = sql<{ found: boolean }>(
  'domain_tracking.is_host',
  `SELECT EXISTS (
     SELECT FROM domain_tracking t JOIN domains d ON d.organization_id = t.organization_id AND d.id = t.domain_id
     WHERE t.host = $1 AND t.host_points AND d.spf_verified AND d.dkim_verified
   ) AS found`,
  { home: 'cell' },
);

/** What mail from a domain reads. */
export interface TrackingOfDomain extends Pick<DomainTrackingRow, 'track_opens' | 'track_clicks'> {
  /** The host of the links, while it is usable. */
  readonly host: string | null;
}

const selectDefaults = sql<TrackingOfDomain & { readonly domain: string }>(
  'domain_tracking.defaults',
  `SELECT d.domain, t.track_opens, t.track_clicks,
     CASE WHEN t.host_points AND t.host_answers AND d.spf_verified AND d.dkim_verified THEN t.host END AS host
   FROM domain_tracking t JOIN domains d ON d.organization_id = t.organization_id AND d.id = t.domain_id
   WHERE t.organization_id = $1`,
  { home: 'cell', organization: '$1' },
);

const selectVerifiedHosts = sql<{ host: string }>(
  'domain_tracking.verified_hosts',
  `SELECT DISTINCT t.host FROM domain_tracking t
   JOIN domains d ON d.organization_id = t.organization_id AND d.id = t.domain_id
   WHERE t.host IS NOT NULL AND t.host_points AND d.spf_verified AND d.dkim_verified`,
  { home: 'cell' },
);

/** Tracking hosts of verified domains whose DNS points to this installation. */
export async function verifiedTrackingHosts(db: Sql): Promise<string[]> {
  return (await db.many(selectVerifiedHosts)).map(({ host }) => host);
}

/** By domain id. */
export async function trackingOfDomains(
  db: Sql,
  organizationId: string,
): Promise<ReadonlyMap<string, DomainTrackingRow>> {
  const rows = await db.many(selectAll, [organizationId]);
  return new Map(rows.map((row) => [row.domain_id, row]));
}

export function findTracking(db: Sql, organizationId: string, domainId: string) {
  return db.maybeOne(selectOne, [organizationId, domainId]);
}

/** Undefined when the domain was deleted. */
export function setTracking(
  db: Sql,
  organizationId: string,
  domainId: string,
  choice: TrackingChoice,
): Promise<DomainTrackingRow | undefined> {
  return db.maybeOne(upsert, [organizationId, domainId, ...CHOICE_NAMES.map((name) => choice[name])]);
}

/** All null for a domain that has set nothing. */
export function choiceOf(row: DomainTrackingRow | undefined): TrackingChoice {
  return Object.fromEntries(
    CHOICE_NAMES.map((name) => [name, row?.[name] ?? null]),
  ) as unknown as TrackingChoice;
}

/** Undefined when the host was changed or removed meanwhile. */
export function recordHostCheck(
  db: Sql,
  { organization_id, domain_id, host }: Pick<DomainTrackingRow, 'organization_id' | 'domain_id' | 'host'>,
  { host_points, host_answers, host_check, host_failures }: TrackingHostState,
  checkedAt: Date,
): Promise<DomainTrackingRow | undefined> {
  const found = [host_points, host_answers, JSON.stringify(host_check), host_failures];
  return db.maybeOne(record, [organization_id, domain_id, host, ...found, checkedAt]);
}

/** Whether this is a tracking host of a verified domain whose DNS points to us. */
export async function isTrackingHost(db: Sql, host: string): Promise<boolean> {
  return (await db.one(selectPointing, [host])).found;
}

/** The effective settings of each of the organization's domains; the host only while usable. */
export function trackingDefaults(db: Sql, organizationId: string) {
  return db.many(selectDefaults, [organizationId]);
}
