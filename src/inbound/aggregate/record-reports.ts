/**
 * Records the reports about domains: each is read, held against the domain whose address it came to, and added to its
 * figures. What cannot be read is kept for the operator; what is not to be believed is dropped, and counted.
 */
import { organizationalDomain } from '../../domains/dmarc.ts';
import type { DomainReport } from '../../domains/reports/report.ts';
import { storeReport } from '../../domains/reports/store.ts';
import { findDomain } from '../../domains/store.ts';
import type { Sql } from '../../kit/database/sql.ts';
import type { Clock } from '../../kit/runtime/clock.ts';
import { DAY_MS } from '../../kit/runtime/durations.ts';
import { type Changes, noChanges, type ReportResult } from '../changes.ts';
import { keepInbound, removeInbound, type WaitingMessage } from '../store.ts';
import { readAggregate } from './read-aggregate.ts';

/** Reports come within days; what is about long ago or the future is not what its receiver has just seen. */
const OLDEST_MS = 60 * DAY_MS;
const NEWEST_MS = 2 * DAY_MS;
const LONGEST_MS = 32 * DAY_MS;

export async function recordReportsOf(
  tx: Sql,
  clock: Clock,
  held: readonly WaitingMessage[],
): Promise<Changes> {
  const changes = noChanges();
  for (const message of held) {
    const outcome = await recordOne(tx, message, clock.nowMs());
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

type Outcome = { readonly result: ReportResult } | { readonly note: string };

async function recordOne(tx: Sql, message: WaitingMessage, nowMs: number): Promise<Outcome> {
  const { organizationId, domainId, mailbox, raw } = message;
  const domain = domainId === null ? undefined : await findDomain(tx, organizationId, domainId);
  if (domain === undefined || !(domain.spf_verified && domain.dkim_verified))
    return { result: 'report_of_nobody' };
  const read = readAggregate(raw, mailbox === 'dmarc' ? 'dmarc' : 'tls');
  if (!read.ok) return { note: read.why };
  const { report } = read;
  if (!isAbout(report, domain.domain)) return { result: 'report_of_other_domain' };
  if (!isOfNow(report, nowMs)) return { result: 'report_out_of_time' };
  const stored = await storeReport(tx, { organizationId, domainId: domain.id }, report);
  return { result: stored === 'stored' ? `${report.kind}_report` : `report_${stored}` };
}

/** The record may stand at the registered domain above, and hold for those below as well. */
function isAbout(report: DomainReport, domain: string): boolean {
  const ours = organizationalDomain(domain);
  const named =
    report.kind === 'dmarc' ? [report.domain] : report.rows.map(({ policyDomain }) => policyDomain);
  return (
    organizationalDomain(report.domain) === ours && named.every((one) => organizationalDomain(one) === ours)
  );
}

function isOfNow({ beginsAtMs, endsAtMs }: DomainReport, nowMs: number): boolean {
  const isRecent = beginsAtMs > nowMs - OLDEST_MS && endsAtMs < nowMs + NEWEST_MS;
  return isRecent && endsAtMs - beginsAtMs <= LONGEST_MS;
}
