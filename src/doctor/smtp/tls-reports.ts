/** Whether the TLS reports that domains request are sent, and what they contain. */
import { summarizeTlsReports, type TlsReportSummary } from '../../delivery/tls/report-summary.ts';
import { doctorCheck } from '../doctor-check.ts';
import { type DoctorContext, databaseOf } from '../doctor-context.ts';
import { counted, type Observation, quoted } from '../finding.ts';

export interface TlsReportFacts {
  readonly isOn: boolean;
  readonly summary: TlsReportSummary | null;
}

export const tlsReportsCheck = doctorCheck({
  name: 'tls_reports',
  needsDatabase: true,
  matters: 'Domains learn from them that mail to them is not encrypted as they want it.',
  gather: gatherTlsReports,
  judge: judgeTlsReports,
});

async function gatherTlsReports(context: DoctorContext): Promise<TlsReportFacts> {
  const isOn = context.config.tlsReportsFrom !== undefined;
  return { isOn, summary: isOn ? await summarizeTlsReports(databaseOf(context)) : null };
}

export function judgeTlsReports({ summary }: TlsReportFacts): Observation[] {
  if (summary === null)
    return [{ level: 'ok', seen: 'No TLS reports are sent: POSTRIDER_TLS_REPORTS_FROM is not set.' }];
  const { sent, waiting } = summary;
  const seen = `In the last seven days ${counted(sent, 'TLS report')} went out, ${waiting.toLocaleString('en-US')} ${waiting === 1 ? 'is' : 'are'} to go. ${sessionWords(summary)}`;
  return [{ level: 'ok', seen }, ...failing(summary)];
}

function sessionWords({ sessions, failedSessions, worst }: TlsReportSummary): string {
  const all = `Of ${counted(sessions, 'session')} with domains that want them`;
  if (worst === null) return `${all} none failed.`;
  const { domain, failure } = worst;
  return `${all} ${failedSessions.toLocaleString('en-US')} failed, most with ${domain} (${failure}).`;
}

function failing({ failing: count, failure }: TlsReportSummary): Observation[] {
  if (failure === null) return [];
  const { day, domain, problem } = failure;
  const seen = `${counted(count, 'TLS report')} could not be sent, such as that of ${day} to ${domain}: ${quoted(problem)}.`;
  const fix =
    'It is tried every hour for a week. If mail is refused, POSTRIDER_TLS_REPORTS_FROM must be at a domain that is verified here; anything else is for that domain to mend.';
  return [{ level: 'warn', seen, fix }];
}
