/** Sums over the reports about a domain. Reads only. */
import { type Sql, sql } from '../../database/sql.ts';
import type { DomainRef } from '../../protocols/message/report-address.ts';
import type { DmarcPolicy } from '../dmarc.ts';

interface DmarcDay {
  readonly date: string;
  readonly messages: number;
  readonly aligned: number;
  readonly quarantined: number;
  readonly rejected: number;
}

/** Mail from one address with the same results. */
export interface DmarcGroup {
  readonly source_ip: string | null;
  readonly dkim_aligned: boolean;
  readonly spf_aligned: boolean;
  readonly disposition: DmarcPolicy;
  /** The passing domain; null when none passed. */
  readonly dkim_domain: string | null;
  readonly spf_domain: string | null;
  readonly messages: number;
}

interface Reporter {
  readonly name: string;
  readonly reports: number;
}

interface TlsDay {
  readonly date: string;
  readonly sessions: number;
  readonly failed: number;
}

export interface TlsFailure {
  readonly failure: string;
  readonly mx_host: string | null;
  readonly sessions: number;
}

const MINE = 'organization_id = $1 AND domain_id = $2 AND day >= $3';
const DAY = `to_char(day, 'YYYY-MM-DD') AS date`;

const dmarcByDay = sql<DmarcDay>(
  'dmarc_rows.by_day',
  `SELECT ${DAY}, sum(messages)::bigint AS messages,
     coalesce(sum(messages) FILTER (WHERE dkim_aligned OR spf_aligned), 0)::bigint AS aligned,
     coalesce(sum(messages) FILTER (WHERE disposition = 'quarantine'), 0)::bigint AS quarantined,
     coalesce(sum(messages) FILTER (WHERE disposition = 'reject'), 0)::bigint AS rejected
   FROM dmarc_rows WHERE ${MINE} GROUP BY day ORDER BY day`,
  { home: 'cell', organization: '$1' },
);

const dmarcGroups = sql<DmarcGroup>(
  'dmarc_rows.groups',
  `SELECT host(source_ip) AS source_ip, dkim_aligned, spf_aligned, disposition,
     CASE WHEN dkim_result = 'pass' THEN dkim_domain END AS dkim_domain,
     CASE WHEN spf_result = 'pass' THEN spf_domain END AS spf_domain, sum(messages)::bigint AS messages
   FROM dmarc_rows WHERE ${MINE} GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY messages DESC, 1 LIMIT $4`,
  { home: 'cell', organization: '$1' },
);

const reporters = sql<Reporter>(
  'domain_reports.reporters',
  `SELECT reporter AS name, count(*) AS reports FROM domain_reports
   WHERE organization_id = $1 AND domain_id = $2 AND ends_at >= $3 AND kind = $4
   GROUP BY reporter ORDER BY reports DESC, name LIMIT $5`,
  { home: 'cell', organization: '$1' },
);

const tlsByDay = sql<TlsDay>(
  'tls_rows.by_day',
  `SELECT ${DAY}, sum(sessions)::bigint AS sessions,
     coalesce(sum(sessions) FILTER (WHERE failure IS NOT NULL), 0)::bigint AS failed
   FROM tls_rows WHERE ${MINE} GROUP BY day ORDER BY day`,
  { home: 'cell', organization: '$1' },
);

const tlsFailures = sql<TlsFailure>(
  'tls_rows.failures',
  `SELECT failure, mx_host, sum(sessions)::bigint AS sessions FROM tls_rows
   WHERE ${MINE} AND failure IS NOT NULL GROUP BY 1, 2 ORDER BY sessions DESC, 1, 2 LIMIT $4`,
  { home: 'cell', organization: '$1' },
);

const MAX_GROUPS = 2_000;
const MAX_REPORTERS = 50;
const MAX_FAILURES = 100;

export interface Period extends DomainRef {
  /** The first day, such as `2026-11-16`. */
  readonly from: string;
}

export async function dmarcFigures(db: Sql, period: Period) {
  const [days, groups, who] = await Promise.all([
    db.many(dmarcByDay, keysOf(period)),
    db.many(dmarcGroups, [...keysOf(period), MAX_GROUPS]),
    db.many(reporters, [...keysOf(period), 'dmarc', MAX_REPORTERS]),
  ]);
  return { days, groups, reporters: who };
}

export async function tlsFigures(db: Sql, period: Period) {
  const [days, failures, who] = await Promise.all([
    db.many(tlsByDay, keysOf(period)),
    db.many(tlsFailures, [...keysOf(period), MAX_FAILURES]),
    db.many(reporters, [...keysOf(period), 'tls', MAX_REPORTERS]),
  ]);
  return { days, failures, reporters: who };
}

function keysOf({ organizationId, domainId, from }: Period): [string, string, string] {
  return [organizationId, domainId, from];
}

export interface OwnFailures {
  readonly domain_id: string;
  readonly messages: number;
  readonly failed: number;
}

/** Own addresses are the given ones, and those for which receivers reported an SPF pass for our return paths. */
const ownFailures = sql<OwnFailures>(
  'dmarc_rows.own_failures',
  `WITH lately AS MATERIALIZED (
     SELECT r.*, d.domain FROM dmarc_rows r
     JOIN domains d ON d.organization_id = r.organization_id AND d.id = r.domain_id
     WHERE r.organization_id = $1 AND d.organization_id = $1 AND r.day >= $2 AND r.source_ip IS NOT NULL
   ), own AS (
     SELECT DISTINCT source_ip FROM lately
     WHERE spf_result = 'pass' AND (spf_domain = $3 OR spf_domain = 'bounces.' || domain)
     UNION SELECT unnest($4::inet[])
   )
   SELECT domain_id, sum(messages)::bigint AS messages,
     coalesce(sum(messages) FILTER (WHERE NOT dkim_aligned AND NOT spf_aligned), 0)::bigint AS failed
   FROM lately JOIN own USING (source_ip) GROUP BY domain_id`,
  { home: 'cell', organization: '$1' },
);

/** By domain, how much of this installation's mail was not aligned. */
export function ownFailuresOf(
  db: Sql,
  organizationId: string,
  sinceMs: number,
  own: { readonly hostname: string; readonly sendingAddresses?: readonly string[] | undefined },
): Promise<OwnFailures[]> {
  const from = new Date(sinceMs).toISOString().slice(0, 10);
  return db.many(ownFailures, [organizationId, from, own.hostname.toLowerCase(), own.sendingAddresses ?? []]);
}
