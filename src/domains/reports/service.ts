/** Receivers' reports about one domain, with advice. */
import type { Sql } from '../../database/sql.ts';
import { DAY_MS } from '../../runtime/durations.ts';
import type { ReportsTo } from '../dns-records.ts';
import { REPORT_PERMISSION, reportPermissionName } from '../dns-records.ts';
import type { DomainRow } from '../store.ts';
import { adviseOnDmarc, adviseOnTls } from './advice.ts';
import { dmarcFigures, type Period, tlsFigures } from './figures.ts';
import { dmarcSetUp, needsPermission, tlsSetUp } from './report-record.ts';
import { ownAddresses, sendersOf, sourcesOf } from './sources.ts';

export interface ReportQuestion {
  readonly row: DomainRow;
  readonly days: number;
  readonly nowMs: number;
  readonly reportsTo: ReportsTo;
}

/** The configured host and addresses from which this installation sends. */
export interface OwnSending {
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
