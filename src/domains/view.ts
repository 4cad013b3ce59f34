/** A domain as the API shows it. */
import { domainToUnicode } from 'node:url';
import { problemsOf, stopsAt } from './check.ts';
import { dnsRecords, type HostSts, NO_REPORTS, type ReportsTo, recommendedRecords } from './dns-records.ts';
import { presentRotation } from './rotation-view.ts';
import type { DomainWithRotation } from './service.ts';
import type { DomainWithKey } from './signing-keys.ts';
import { presentTracking } from './tracking/view.ts';
import { pendingChecks } from './verify.ts';

/** `verified_at` is present only for verified domains. */
export function presentDomain(
  row: DomainWithRotation,
  host: string,
  reportsTo: ReportsTo = NO_REPORTS,
  sts: HostSts | null = null,
) {
  const published = { ...publishedOf(row), reportsTo: reportsTo.dmarc };
  return {
    ...basics(row),
    recommended_records: recommendedRecords(row.domain, host, reportsTo, sts),
    ...(row.verified_at === null ? {} : { verified_at: row.verified_at }),
    checks: (row.checks ?? pendingChecks(published, host)).map((one) => ({ ...one, found: [...one.found] })),
    warning: warningOf(row),
    dkim_rotation: row.rotation === null ? null : presentRotation(row, row.rotation),
    tracking: presentTracking(row.tracking, row.spf_verified && row.dkim_verified),
    last_checked_at: row.last_checked_at,
    next_check_at: row.next_check_at,
    created_at: row.created_at,
  };
}

export function presentNewDomain(
  row: DomainWithKey,
  host: string,
  reportsTo: ReportsTo = NO_REPORTS,
  sts: HostSts | null = null,
) {
  return {
    ...basics(row),
    dns_records: dnsRecords(publishedOf(row), host),
    recommended_records: recommendedRecords(row.domain, host, reportsTo, sts),
    created_at: row.created_at,
  };
}

function basics(row: DomainWithKey) {
  return {
    id: row.id,
    domain: row.domain,
    display_name: domainToUnicode(row.domain),
    is_verified: row.spf_verified && row.dkim_verified,
    spf_verified: row.spf_verified,
    dkim_verified: row.dkim_verified,
    dkim_selector: row.selector,
    dkim_public_key: row.public_key.toString('base64'),
  };
}

function publishedOf({ domain, selector, public_key }: DomainWithKey) {
  return { domain, selector, publicKey: public_key };
}

function warningOf(row: DomainWithKey): string | null {
  const end = stopsAt(row);
  if (end === null) return null;
  const when = `Its DNS records are wrong. Unless they are fixed, it stops sending at ${end.toISOString()}.`;
  return [when, ...problemsOf(row)].join(' ');
}
