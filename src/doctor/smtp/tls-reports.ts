/** Whether the TLS reports that domains request are sent, and what they contain. */
import { summarizeTlsReports, type TlsReportSummary } from '../../delivery/tls/report-summary.ts';
import { doctorCheck } from '../doctor-check.ts';
import { type DoctorContext, databaseOf } from '../doctor-context.ts';
import { counted, type Observation, quoted } from '../finding.ts';

interface TlsReportFacts {
  readonly isOn: boolean;
  readonly summary: TlsReportSummary | null;
}

export const tlsReportsCheck = doctorCheck({
  name: 'tls_reports',
  needsDatabase: true,
  matters: 'TLS reports inform the owners of domains when mail to them is not encrypted as they require.',
  gather: gatherTlsReports,
  judge: judgeTlsReports,
});

async function gatherTlsReports(context: DoctorContext): Promise<TlsReportFacts> {
  const isOn = context.config.tlsReportsFrom !== undefined;
  return { isOn, summary: isOn ? await summarizeTlsReports(databaseOf(context)) : null };
}

function judgeTlsReports({ summary }: TlsReportFacts): Observation[] {
  if (summary === null)
    return [{ level: 'ok', seen: 'No TLS reports are sent: POSTRIDER_TLS_REPORTS_FROM is not set.' }];
  const { sent, waiting } = summary;
  const seen = `In the last seven days ${counted(sent, 'TLS report')} went out, ${waiting.toLocaleString('en-US')} ${waiting === 1 ? 'is' : 'are'} waiting. ${sessionWords(summary)}`;
  return [{ level: 'ok', seen }, ...failing(summary)];
}

function sessionWords({ sessions, failedSessions, worst }: TlsReportSummary): string {
  const all = `Of ${counted(sessions, 'session')} with domains that request reports`;
  if (worst === null) return `${all} none failed.`;
  const { domain, failure } = worst;
  return `${all} ${failedSessions.toLocaleString('en-US')} failed, most with ${domain} (${failure}).`;
}

function failing({ failing: count, failure }: TlsReportSummary): Observation[] {
  if (failure === null) return [];
  const { day, domain, problem } = failure;
  const seen = `${counted(count, 'TLS report')} could not be sent, such as that of ${day} to ${domain}: ${quoted(problem)}.`;
  const fix =
    'Postrider retries every hour for a week. If mail is refused, set POSTRIDER_TLS_REPORTS_FROM to an address at a domain that is verified here. Other problems must be fixed by the receiving domain.';
  return [{ level: 'warn', seen, fix }];
}
