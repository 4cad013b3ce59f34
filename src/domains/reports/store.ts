/** The one writer of `domain_reports`, `dmarc_rows` and `tls_rows`. */

import { createHash } from 'node:crypto';
import { columns } from '../../database/call.ts';
import { type Sql, sql } from '../../database/sql.ts';
import type { DomainRef } from '../../protocols/message/report-address.ts';
import type { DmarcRow, DomainReport, TlsRow } from './report.ts';

/** Long enough to compare a month with the same month of the previous year. */
const REPORTS_KEPT_DAYS = 400;
/** Per domain. Anyone can send reports, so a flood must neither fill the disk nor displace other reports of the day. */
export const MAX_REPORTS_A_DAY = 1_000;
const MAX_ROWS_A_DAY = 20_000;
const MAX_ROWS_OF_DOMAIN = 500_000;

const selectToday = sql<{ reports: number; rows: number }>(
  'domain_reports.today',
  `SELECT count(*) AS reports, coalesce(sum(row_count), 0)::bigint AS rows FROM domain_reports
   WHERE organization_id = $1 AND domain_id = $2 AND received_at > now() - interval '1 day'`,
  { home: 'cell', organization: '$1' },
);

/** A concurrent insert of the same report waits for the first one and then changes nothing. */
const insert = sql<{ digest: Buffer }>(
  'domain_reports.insert',
  `INSERT INTO domain_reports (organization_id, domain_id, kind, digest, reporter, begins_at, ends_at, received_at, row_count)
   VALUES ($1, $2, $3, $4, $5, $6, $7, now(), $8)
   ON CONFLICT DO NOTHING RETURNING digest`,
  { home: 'cell', organization: '$1' },
);

const insertDmarc = sql(
  'dmarc_rows.insert',
  `INSERT INTO dmarc_rows (organization_id, domain_id, digest, position, day, source_ip, messages, disposition,
     dkim_aligned, spf_aligned, header_from, envelope_from, dkim_domain, dkim_result, spf_domain, spf_result)
   SELECT $1, $2, $3, place, $4, ip::inet, messages, disposition, dkim, spf, header_from, envelope_from,
     dkim_domain, dkim_result, spf_domain, spf_result
   FROM unnest($5::text[], $6::bigint[], $7::text[], $8::boolean[], $9::boolean[], $10::text[], $11::text[],
               $12::text[], $13::text[], $14::text[], $15::text[])
        WITH ORDINALITY AS new(ip, messages, disposition, dkim, spf, header_from, envelope_from,
                               dkim_domain, dkim_result, spf_domain, spf_result, place)`,
  { home: 'cell', organization: '$1' },
);

const insertTls = sql(
  'tls_rows.insert',
  `INSERT INTO tls_rows (organization_id, domain_id, digest, position, day, policy_domain, policy_type, mx_host, failure,
     sessions)
   SELECT $1, $2, $3, place, $4, policy_domain, policy_type, mx_host, failure, sessions
   FROM unnest($5::text[], $6::text[], $7::text[], $8::text[], $9::bigint[])
        WITH ORDINALITY AS new(policy_domain, policy_type, mx_host, failure, sessions, place)`,
  { home: 'cell', organization: '$1' },
);

/** A report has up to a thousand rows, which are deleted with it. */
const REMOVED_AT_ONCE = 100;

const GONE = `r.organization_id = gone.organization_id AND r.domain_id = gone.domain_id AND r.kind = gone.kind
     AND r.digest = gone.digest`;

const removeOld = sql(
  'domain_reports.remove_old',
  `DELETE FROM domain_reports r USING (
     SELECT organization_id, domain_id, kind, digest FROM domain_reports
     WHERE ends_at < now() - ${REPORTS_KEPT_DAYS} * interval '1 day' ORDER BY ends_at LIMIT ${REMOVED_AT_ONCE}
   ) AS gone WHERE ${GONE}`,
  { home: 'cell' },
);

/** The oldest reports of one domain above its limit. */
const removeTooMany = sql(
  'domain_reports.remove_too_many',
  `DELETE FROM domain_reports r USING (
     SELECT organization_id, domain_id, kind, digest FROM (
       SELECT organization_id, domain_id, kind, digest,
         sum(row_count) OVER (ORDER BY ends_at DESC, digest) AS rows_since
       FROM domain_reports WHERE organization_id = $1 AND domain_id = $2
     ) AS kept WHERE rows_since > $3 LIMIT ${REMOVED_AT_ONCE}
   ) AS gone WHERE ${GONE}`,
  { home: 'cell', organization: '$1' },
);

type Stored = 'stored' | 'repeated' | 'too_many';

/** Runs in a transaction: stores the report with its rows, unless it is a duplicate. */
export async function storeReport(tx: Sql, ref: DomainRef, report: DomainReport): Promise<Stored> {
  const { organizationId, domainId } = ref;
  const today = await tx.one(selectToday, [organizationId, domainId]);
  if (today.reports >= MAX_REPORTS_A_DAY || today.rows + report.rows.length > MAX_ROWS_A_DAY)
    return 'too_many';
  const digest = digestOf(report);
  const added = await tx.maybeOne(insert, [
    organizationId,
    domainId,
    report.kind,
    digest,
    report.reporter,
    new Date(report.beginsAtMs),
    new Date(report.endsAtMs),
    report.rows.length,
  ]);
  if (added === undefined) return 'repeated';
  const about = [organizationId, domainId, digest, dayOf(report)];
  if (report.kind === 'dmarc') await tx.exec(insertDmarc, [...about, ...dmarcColumns(report.rows)]);
  else await tx.exec(insertTls, [...about, ...tlsColumns(report.rows)]);
  return 'stored';
}

/** Removes a batch of expired reports. Returns whether more may remain. */
async function removeOldReports(db: Sql): Promise<boolean> {
  return (await db.exec(removeOld)) === REMOVED_AT_ONCE;
}

/** Removes a batch of a domain's excess reports. Returns whether more may remain. */
async function removeReportsOf(
  db: Sql,
  { organizationId, domainId }: DomainRef,
  maxRows: number,
): Promise<boolean> {
  return (await db.exec(removeTooMany, [organizationId, domainId, maxRows])) === REMOVED_AT_ONCE;
}

function digestOf({ kind, reporter, reportId, domain, beginsAtMs, endsAtMs }: DomainReport): Buffer {
  const identity = JSON.stringify([kind, reporter, reportId, domain, beginsAtMs, endsAtMs]);
  return createHash('sha256').update(identity).digest();
}

/** Receivers' days begin at different hours; the middle of the period falls on the intended day. */
function dayOf({ beginsAtMs, endsAtMs }: DomainReport): string {
  return new Date((beginsAtMs + endsAtMs) / 2).toISOString().slice(0, 10);
}

function dmarcColumns(rows: readonly DmarcRow[]): unknown[] {
  return [
    ...columns(
      rows,
      'sourceIp',
      'messages',
      'disposition',
      'dkimAligned',
      'spfAligned',
      'headerFrom',
      'envelopeFrom',
      'dkimDomain',
      'dkimResult',
      'spfDomain',
      'spfResult',
    ),
  ];
}

function tlsColumns(rows: readonly TlsRow[]): unknown[] {
  return [...columns(rows, 'policyDomain', 'policyType', 'mxHost', 'failure', 'sessions')];
}

const MAX_DOMAINS = 10_000;
/** Each statement removes a batch; the next run continues. */
const MAX_STATEMENTS = 100;

/**
 * Removes expired reports, and the oldest of domains above their limit. Owns the list of domains that received a
 * report since the last run, because only those can be above the limit. After a restart a domain is listed again with
 * its next report.
 */
export class ReportTrimmer {
  readonly #db: Sql;
  readonly #maxRows: number;
  #grown = new Map<string, DomainRef>();

  constructor(db: Sql, maxRows: number = MAX_ROWS_OF_DOMAIN) {
    this.#db = db;
    this.#maxRows = maxRows;
  }

  note(domain: DomainRef): void {
    if (this.#grown.size < MAX_DOMAINS)
      this.#grown.set(`${domain.organizationId} ${domain.domainId}`, domain);
  }

  async run(): Promise<void> {
    await inTurns(() => removeOldReports(this.#db));
    const grown = this.#grown;
    this.#grown = new Map();
    for (const domain of grown.values())
      await inTurns(() => removeReportsOf(this.#db, domain, this.#maxRows));
  }
}

async function inTurns(removeSome: () => Promise<boolean>): Promise<void> {
  for (let turn = 0; turn < MAX_STATEMENTS; turn += 1) if (!(await removeSome())) return;
}
