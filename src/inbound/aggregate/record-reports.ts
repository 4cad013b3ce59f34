/**
 * Records the reports about domains. Each report is read before the transaction, because that may take long. It is then checked
 * against the domain whose address received it, and added to the domain's figures. Unreadable reports are kept for the
 * operator; implausible ones are dropped and counted.
 */

import type { Sql } from '../../database/sql.ts';
import { organizationalDomain } from '../../domains/dmarc.ts';
import type { DomainReport } from '../../domains/reports/report.ts';
import { storeReport } from '../../domains/reports/store.ts';
import { type DomainRow, findDomain, findSoleVerified } from '../../domains/store.ts';
import type { DomainRef } from '../../protocols/message/report-address.ts';
import type { Clock } from '../../runtime/clock.ts';
import { DAY_MS } from '../../runtime/durations.ts';
import { type Changes, noChanges, type ReportResult } from '../changes.ts';
import { keepInbound, removeInbound, UNNAMED_DOMAIN, type WaitingMessage, waitingReports } from '../store.ts';
import type { ReadResult } from './dmarc-report.ts';
import { readAggregate } from './read-aggregate.ts';

/** Reports arrive within days; a report about the distant past or the future is not plausible. */
const OLDEST_MS = 60 * DAY_MS;
const NEWEST_MS = 2 * DAY_MS;
const LONGEST_MS = 32 * DAY_MS;

/** A message with its parsed report, or the reason why it cannot be read. */
export interface ReadReport extends WaitingMessage {
  readonly reading: ReadResult<DomainReport>;
}

/** If two processes read the same reports, the first that locks them records them. */
export async function readWaitingReports(db: Sql, limit: number): Promise<ReadReport[]> {
  const read: ReadReport[] = [];
  for (const message of await waitingReports(db, limit)) {
    read.push({ reading: await readingOf(message), ...message });
  }
  return read;
}

/** Reading never throws. If it did anyway, the message would block all others forever. */
async function readingOf({ raw, mailbox }: WaitingMessage): Promise<ReadResult<DomainReport>> {
  try {
    return await readAggregate(raw, mailbox === 'dmarc' ? 'dmarc' : 'tls');
  } catch (error) {
    return { ok: false, why: `It could not be read: ${String(error).slice(0, 200)}` };
  }
}

export async function recordReportsOf(
  tx: Sql,
  { clock, onReport }: RecordingDeps,
  held: readonly ReadReport[],
): Promise<Changes> {
  const changes = noChanges();
  for (const message of held) {
    const outcome = await recordOne(tx, message, clock.nowMs());
    if ('stored' in outcome) onReport?.(outcome.stored);
    if ('note' in outcome) {
      changes.kept.push({ ...message, note: outcome.note });
      changes.results.push('kept');
    } else {
      changes.done.push(message);
      changes.results.push(outcome.result);
    }
  }
  await removeInbound(tx, changes.done);
  await keepInbound(tx, changes.kept);
  return changes;
}

interface RecordingDeps {
  readonly clock: Clock;
  /** Also called if the transaction fails in the end. */
  readonly onReport?: (domain: DomainRef) => void;
}

type Outcome = { readonly result: ReportResult; readonly stored?: DomainRef } | { readonly note: string };

async function recordOne(tx: Sql, message: ReadReport, nowMs: number): Promise<Outcome> {
  const { reading } = message;
  if (!reading.ok && message.domainId === UNNAMED_DOMAIN) return { note: reading.why };
  const domain = await domainFor(tx, message);
  if (domain === undefined || !(domain.spf_verified && domain.dkim_verified))
    return { result: 'report_of_nobody' };
  if (!reading.ok) return { note: reading.why };
  const { report } = reading;
  if (!isAbout(report, domain.domain)) return { result: 'report_of_other_domain' };
  if (!isCurrent(report, nowMs)) return { result: 'report_out_of_time' };
  const ref = { organizationId: domain.organization_id, domainId: domain.id };
  const stored = await storeReport(tx, ref, report);
  return stored === 'stored'
    ? { result: `${report.kind}_report`, stored: ref }
    : { result: `report_${stored}` };
}

/**
 * The domain that its address names. Without a token, the domain that the report is about, if one organization alone has
 * verified it.
 */
async function domainFor(
  tx: Sql,
  { organizationId, domainId, reading }: ReadReport,
): Promise<DomainRow | undefined> {
  if (domainId === null) return undefined;
  if (domainId !== UNNAMED_DOMAIN) return findDomain(tx, organizationId, domainId);
  return reading.ok ? findSoleVerified(tx, namesAbove(reading.report.domain)) : undefined;
}

/** The domain and its parents up to the registered one, nearest first: `a.b.example.org`, `b.example.org`, `example.org`. */
export function namesAbove(domain: string): string[] {
  const top = organizationalDomain(domain);
  const labels = domain.toLowerCase().split('.');
  return labels
    .map((_, index) => labels.slice(index).join('.'))
    .filter((name) => name === top || name.endsWith(`.${top}`));
}

/** The record may be at the registered domain above, and also apply to its subdomains. */
function isAbout(report: DomainReport, domain: string): boolean {
  const ours = organizationalDomain(domain);
  const named =
    report.kind === 'dmarc' ? [report.domain] : report.rows.map(({ policyDomain }) => policyDomain);
  return (
    organizationalDomain(report.domain) === ours && named.every((one) => organizationalDomain(one) === ours)
  );
}

function isCurrent({ beginsAtMs, endsAtMs }: DomainReport, nowMs: number): boolean {
  const isRecent = beginsAtMs > nowMs - OLDEST_MS && endsAtMs < nowMs + NEWEST_MS;
  return isRecent && endsAtMs - beginsAtMs <= LONGEST_MS;
}
