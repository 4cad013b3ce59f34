/** What mail depends on, and what fixes what is wrong with it. */
import type { Data } from '@postrider/sdk';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../app/api.ts';
import { Badge, type Tone, words } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Card, Empty, Loading, PageHead } from '../../ui/page.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';

type Report = Data<'GET /doctor'>;
type Finding = Report['findings'][number];

const LEVELS: Readonly<Record<Finding['level'], { readonly rank: number; readonly tone: Tone }>> = {
  bad: { rank: 0, tone: 'bad' },
  warn: { rank: 1, tone: 'warn' },
  unknown: { rank: 2, tone: 'info' },
  ok: { rank: 3, tone: 'good' },
};

const KEY = ['doctor'];

export function DoctorPage() {
  const report = useQuery({ queryKey: KEY, queryFn: () => api.doctor.report() });
  const client = useQueryClient();
  const examine = useMutation({
    mutationFn: () => api.doctor.examine(),
    onSuccess: (found) => client.setQueryData(KEY, found),
  });
  return (
    <>
      <PageHead
        title="Doctor"
        lead="Everything that mail depends on, as the machine that runs the API sees it: DNS, ports, block lists, certificates, the disk, the database."
        actions={
          <Button kind="primary" icon="refresh" busy={examine.isPending} onClick={() => examine.mutate()}>
            Run the checks
          </Button>
        }
      />
      <ErrorNote error={examine.error} />
      <ErrorNote error={report.error} onRetry={report.refetch} />
      {report.isPending ? <Loading /> : null}
      {report.data ? (
        <>
          <p className="quiet">
            {report.data.machine} runs Postrider {report.data.version}.
          </p>
          <Findings report={report.data} />
        </>
      ) : null}
    </>
  );
}

function Findings({ report }: { readonly report: Report }) {
  if (report.examined_at === null)
    return (
      <Card>
        <Empty icon="validation" title="Not checked yet">
          <p>
            The checks take up to 25 seconds. They query DNS, block lists and time servers, and greet the mail
            hosts of three large receivers. No mail is sent.
          </p>
        </Empty>
      </Card>
    );
  const sorted = report.findings.toSorted((a, b) => LEVELS[a.level].rank - LEVELS[b.level].rank);
  return (
    <div className="stack">
      <p className="quiet">
        Checked <Time at={report.examined_at} /> on {report.machine}. {summaryOf(report.findings)}
      </p>
      <Card flush>
        <Table columns={['State', 'Finding, reason and fix']}>
          {sorted.map((finding) => (
            <FindingRow key={`${finding.check} ${finding.seen}`} finding={finding} />
          ))}
        </Table>
      </Card>
    </div>
  );
}

function summaryOf(findings: readonly Finding[]): string {
  const count = (level: Finding['level']) => findings.filter((one) => one.level === level).length;
  return `${count('bad')} bad, ${count('warn')} warnings, ${count('unknown')} unknown, ${count('ok')} ok.`;
}

function FindingRow({ finding }: { readonly finding: Finding }) {
  const { check, level, seen, why, fix } = finding;
  return (
    <tr>
      <td>
        <Badge tone={LEVELS[level].tone}>{level}</Badge>
        <div className="quiet small">{words(check)}</div>
      </td>
      <td className="wrap">
        <div>{seen}</div>
        {level === 'ok' ? null : <div className="quiet small">{why}</div>}
        {fix === null ? null : (
          <div className="small">
            <strong>To do:</strong> {fix} <CopyButton text={fix} label={`Copy the fix for ${words(check)}`} />
          </div>
        )}
      </td>
    </tr>
  );
}
