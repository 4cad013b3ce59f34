/** The records that request reports, given the existing ones. Pure. */
import { parseTags } from '../dkim-record.ts';
import { type DmarcPolicy, organizationalDomain, readDmarc } from '../dmarc.ts';
import { dmarcName, dmarcValue, tlsRptName, tlsRptValue } from '../dns-records.ts';
import type { DnsCheck } from '../verify.ts';

export interface ReportingRecord {
  readonly type: 'TXT';
  readonly name: string;
  readonly value: string;
}

export interface DmarcSetUp {
  readonly policy: DmarcPolicy | null;
  /** Whether the record names our address, as of the last check. */
  readonly is_published: boolean;
  /** The record to publish: the existing one with our address added. */
  readonly record: ReportingRecord;
}

export function dmarcSetUp(
  checks: readonly DnsCheck[] | null,
  domain: string,
  address: string | null,
): DmarcSetUp {
  const missing = { type: 'TXT', name: dmarcName(domain), value: dmarcValue(address) } as const;
  const check = checks?.find(({ record }) => record === 'dmarc');
  const at = check?.name.replace(/^_dmarc\./, '') ?? domain;
  const found = readDmarc({ kind: 'found', records: [...(check?.found ?? [])] }, at, domain);
  if (found.kind !== 'found') return { policy: null, is_published: false, record: missing };
  const asks = address !== null && asksFor(found.text, address);
  const value = asks || address === null ? found.text : withAddress(found.text, address);
  return { policy: found.policy, is_published: asks, record: { type: 'TXT', name: found.at, value } };
}

function asksFor(text: string, address: string): boolean {
  const parsed = parseTags(text);
  const rua = parsed.ok ? (parsed.tags.get('rua') ?? '') : '';
  return rua.split(',').some(
    (uri) =>
      uri
        .trim()
        .toLowerCase()
        .replace(/![0-9]+[kmgt]?$/, '') === `mailto:${address.toLowerCase()}`,
  );
}

/** Keeps the other recipients of reports. */
function withAddress(text: string, address: string): string {
  const rua = /(;\s*rua\s*=\s*)([^;]*?)(\s*)(?=;|$)/i;
  if (rua.test(text))
    return text.replace(rua, (_, tag, uris, space) => `${tag}${uris},mailto:${address}${space}`);
  return `${text.replace(/[;\s]+$/, '')}; rua=mailto:${address}`;
}

export function tlsSetUp(
  domain: string,
  address: string | null,
): { readonly record: ReportingRecord | null } {
  if (address === null) return { record: null };
  return { record: { type: 'TXT', name: tlsRptName(domain), value: tlsRptValue(address) } };
}

/** RFC 7489, 7.1: a recipient of reports about another organization's domain must declare its consent. */
export function needsPermission(domain: string, host: string): boolean {
  return organizationalDomain(domain) !== organizationalDomain(host);
}
