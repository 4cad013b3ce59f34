/** What receivers say about a domain: who sends in its name, how mail to it was encrypted, and what to do about it. */
import type { DmarcReports, TlsReports } from '@postrider/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useChoice } from '../../app/choice.ts';
import { Icon } from '../../ui/icon.tsx';
import { Card } from '../../ui/page.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { Table } from '../../ui/table.tsx';
import { Segments } from '../../ui/tabs.tsx';
import { dmarcReportsQuery, tlsReportsQuery } from './queries.ts';
import { ReportChart } from './report-chart.tsx';
import { type SampleProps, SampleReports } from './sample-reports.tsx';

const PERIODS = [
  { key: '7', label: '7 days' },
  { key: '30', label: '30 days' },
  { key: '90', label: '90 days' },
] as const;

export function DomainReports({ id, isVerified }: SampleProps) {
  const [days, setDays] = useChoice('reported', PERIODS, '30');
  const dmarc = useQuery(dmarcReportsQuery(id, Number(days)));
  const tls = useQuery(tlsReportsQuery(id, Number(days)));
  return (
    <div className="stack">
      <div className="spread">
        <h2>What receivers report</h2>
        <div className="row">
          <SampleReports id={id} isVerified={isVerified} />
          <Segments label="Reported period" options={PERIODS} chosen={days} onChoose={setDays} />
        </div>
      </div>
      <Card title="DMARC: who sends in your name">
        {dmarc.data ? <Dmarc reports={dmarc.data} /> : null}
        <QueryState of={dmarc} />
      </Card>
      <Card title="TLS: how mail to you is encrypted">
        {tls.data ? <Tls reports={tls.data} /> : null}
        <QueryState of={tls} />
      </Card>
    </div>
  );
}

function Advice({ children }: { readonly children: string }) {
  return (
    <div className="note info">
      <Icon name="domains" />
      <div>{children}</div>
    </div>
  );
}

function Dmarc({ reports }: { readonly reports: DmarcReports }) {
  const { advice, totals, series, is_published } = reports;
  return (
    <div className="stack">
      <Advice>{advice}</Advice>
      {totals.messages > 0 ? (
        <>
          <ReportChart
            words={{ well: 'aligned', failed: 'failing both' }}
            days={series.map(({ date, messages, aligned }) => ({
              date,
              well: aligned,
              failed: messages - aligned,
            }))}
          />
          <Senders reports={reports} />
          <Sources reports={reports} />
          <Reporters of={reports.reporters} />
        </>
      ) : null}
      {is_published ? null : <ToRecords words="Publish the DMARC record, so that receivers report here." />}
    </div>
  );
}

function Senders({ reports: { senders } }: { readonly reports: DmarcReports }) {
  return (
    <Table columns={['Sender', 'Messages', 'Aligned', 'Addresses']}>
      {senders.map((one) => (
        <tr key={one.is_this_installation ? ' ' : one.name}>
          <td className="wrap">
            {one.is_this_installation ? (
              <strong>This installation</strong>
            ) : (
              (one.name ?? <span className="quiet">nothing passed</span>)
            )}
          </td>
          <td className="number">{one.messages.toLocaleString()}</td>
          <td className="number">{shareOf(one.aligned, one.messages)}</td>
          <td className="number">{one.addresses.toLocaleString()}</td>
        </tr>
      ))}
    </Table>
  );
}

const MAX_SOURCES = 25;

function Sources({ reports: { sources } }: { readonly reports: DmarcReports }) {
  return (
    <Table columns={['Source', 'Messages', 'DKIM aligned', 'SPF aligned', 'Refused or spam', 'Passed as']}>
      {sources.slice(0, MAX_SOURCES).map((one) => (
        <tr key={one.ip}>
          <td className="wrap">
            {one.ip === null ? 'Other sources with little mail each' : <code>{one.ip}</code>}
            {one.is_this_installation ? <span className="quiet"> this installation</span> : null}
          </td>
          <td className="number">{one.messages.toLocaleString()}</td>
          <td className="number">{shareOf(one.dkim_aligned, one.messages)}</td>
          <td className="number">{shareOf(one.spf_aligned, one.messages)}</td>
          <td className="number">{(one.rejected + one.quarantined).toLocaleString()}</td>
          <td className="wrap">{one.passed_as.join(', ') || <span className="quiet">nothing</span>}</td>
        </tr>
      ))}
    </Table>
  );
}

function Reporters({ of }: { readonly of: DmarcReports['reporters'] }) {
  if (of.length === 0) return null;
  return <p className="quiet wrap">Reported by {of.map(({ name }) => name).join(', ')}.</p>;
}

function Tls({ reports }: { readonly reports: TlsReports }) {
  const { advice, totals, series, failures, reporters, record } = reports;
  return (
    <div className="stack">
      <Advice>{advice}</Advice>
      {totals.sessions > 0 ? (
        <>
          <ReportChart
            words={{ well: 'encrypted', failed: 'failed' }}
            days={series.map(({ date, sessions, failed }) => ({ date, well: sessions - failed, failed }))}
          />
          {failures.length > 0 ? (
            <Table columns={['Failure', 'Host', 'Sessions']}>
              {failures.map((one) => (
                <tr key={`${one.failure} ${one.mx_host}`}>
                  <td>
                    <code>{one.failure}</code>
                  </td>
                  <td className="wrap">{one.mx_host ?? <span className="quiet">not given</span>}</td>
                  <td className="number">{one.sessions.toLocaleString()}</td>
                </tr>
              ))}
            </Table>
          ) : null}
          <Reporters of={reporters} />
        </>
      ) : record ? (
        <ToRecords words="Publish the record for TLS reports, so that senders report here." />
      ) : null}
    </div>
  );
}

/** Each record is shown once, among the DNS records of the domain. */
function ToRecords({ words }: { readonly words: string }) {
  return (
    <p>
      {words}{' '}
      <Link to="." search={{}}>
        Show the DNS records
      </Link>
    </p>
  );
}

/** Never rounded up to all, nor down to nothing. */
function shareOf(part: number, whole: number): string {
  if (part === 0 || part === whole) return part === 0 ? '0%' : '100%';
  return `${Math.min(99.9, Math.max(0.1, (100 * part) / whole)).toFixed(1)}%`;
}
