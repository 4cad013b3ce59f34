/** Receivers' reports about one domain, with advice. */
import type { Sql } from '../../database/sql.ts';
import { DAY_MS } from '../../runtime/durations.ts';
import { parseTags } from '../dkim-record.ts';
import { type DmarcPolicy, organizationalDomain, readDmarc } from '../dmarc.ts';
import {
  dmarcName,
  dmarcValue,
  REPORT_PERMISSION,
  type ReportsTo,
  reportPermissionName,
  tlsRptName,
  tlsRptValue,
} from '../dns-records.ts';
import type { DomainRow } from '../store.ts';
import type { DnsCheck } from '../verify.ts';
import { adviseOnDmarc, adviseOnTls } from './advice.ts';
import { dmarcFigures, type Period, tlsFigures } from './figures.ts';
import { ownAddresses, sendersOf, sourcesOf } from './sources.ts';

export interface ReportQuestion {
  readonly row: DomainRow;
  readonly days: number;
  readonly nowMs: number;
  readonly reportsTo: ReportsTo;
}

/** The configured host and addresses from which this installation sends. */
interface OwnSending {
  readonly host: string;
  readonly addresses: readonly string[];
}

const MAX_SOURCES = 100;
const MAX_SENDERS = 50;

export async function dmarcReportsOf(db: Sql, question: ReportQuestion, own: OwnSending) {
  const { row, reportsTo } = question;
  const { period, today } = periodOf(question);
  const { days, groups, reporters } = await dmarcFigures(db, period);
  const ours = ownAddresses(groups, { domain: row.domain, ...own });
  const sources = sourcesOf(groups, ours);
  const totals = {
    messages: sumOf(days, 'messages'),
    aligned: sumOf(days, 'aligned'),
    quarantined: sumOf(days, 'quarantined'),
    rejected: sumOf(days, 'rejected'),
  };
  const { policy, ...setUp } = dmarcSetUp(row.checks, row.domain, reportsTo.dmarc);
  const firstDay = days[0]?.date ?? null;
  const none = { messages: 0, aligned: 0, quarantined: 0, rejected: 0 };
  return {
    domain: row.domain,
    from: period.from,
    to: today,
    policy,
    advice: adviseOnDmarc({ policy, ...totals, firstDay, today, sources }),
    ...setUp,
    permission: permissionFor(row.domain, own.host),
    totals,
    series: everyDay(period.from, today, days, none),
    senders: sendersOf(groups, row.domain, ours).slice(0, MAX_SENDERS),
    sources: sources.slice(0, MAX_SOURCES),
    reporters,
  };
}

export async function tlsReportsOf(db: Sql, question: ReportQuestion) {
  const { row, reportsTo } = question;
  const { period, today } = periodOf(question);
  const { days, failures, reporters } = await tlsFigures(db, period);
  const totals = { sessions: sumOf(days, 'sessions'), failed: sumOf(days, 'failed') };
  return {
    domain: row.domain,
    from: period.from,
    to: today,
    advice: adviseOnTls({ ...totals, failures }),
    ...tlsSetUp(row.domain, reportsTo.tls),
    totals,
    series: everyDay(period.from, today, days, { sessions: 0, failed: 0 }),
    failures,
    reporters,
  };
}

function permissionFor(domain: string, host: string) {
  if (!needsPermission(domain, host)) return null;
  return { type: 'TXT', name: reportPermissionName('*', host), value: REPORT_PERMISSION };
}

/** Today is one of the days. */
function periodOf({ row, days, nowMs }: ReportQuestion): { period: Period; today: string } {
  const from = dayOf(nowMs - (days - 1) * DAY_MS);
  return { period: { organizationId: row.organization_id, domainId: row.id, from }, today: dayOf(nowMs) };
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

function sumOf<K extends string>(days: readonly Readonly<Record<K, number>>[], name: K): number {
  return days.reduce((sum, day) => sum + day[name], 0);
}

/** Includes days without reports. */
function everyDay<T extends object>(
  from: string,
  to: string,
  known: readonly (T & { readonly date: string })[],
  none: T,
): (T & { readonly date: string })[] {
  const byDate = new Map(known.map((day) => [day.date, day]));
  const days: (T & { readonly date: string })[] = [];
  for (let ms = Date.parse(from); ms <= Date.parse(to); ms += DAY_MS) {
    const date = dayOf(ms);
    days.push(byDate.get(date) ?? { date, ...none });
  }
  return days;
}

interface ReportingRecord {
  readonly type: 'TXT';
  readonly name: string;
  readonly value: string;
}

interface DmarcSetUp {
  readonly policy: DmarcPolicy | null;
  /** Whether the record names our address, as of the last check. */
  readonly is_published: boolean;
  /** The record to publish: the existing one with our address added. */
  readonly record: ReportingRecord;
}

/** The records that request reports, given the existing ones. Pure. */
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

function tlsSetUp(domain: string, address: string | null): { readonly record: ReportingRecord | null } {
  if (address === null) return { record: null };
  return { record: { type: 'TXT', name: tlsRptName(domain), value: tlsRptValue(address) } };
}

/** RFC 7489, 7.1: a recipient of reports about another organization's domain must declare its consent. */
export function needsPermission(domain: string, host: string): boolean {
  return organizationalDomain(domain) !== organizationalDomain(host);
}
