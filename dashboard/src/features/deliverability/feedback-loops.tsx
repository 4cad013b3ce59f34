/** What to enroll where, so that providers tell of complaints: a checklist. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../app/api.ts';
import { useCan } from '../../app/session.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { List } from '../../ui/list.tsx';
import { Card, Empty } from '../../ui/page.tsx';
import { Shortened } from '../../ui/shortened.tsx';
import { Table } from '../../ui/table.tsx';
import { type FeedbackLoop, feedbackLoopsQuery } from './queries.ts';

export function FeedbackLoops() {
  const loops = useQuery(feedbackLoopsQuery);
  return (
    <Card title="Feedback loops" flush>
      <List of={loops} rows={loops.data} csv="feedback-loops" empty={<NoLoops />} lines={2}>
        {(rows) => <LoopTable loops={rows} />}
      </List>
    </Card>
  );
}

function NoLoops() {
  return (
    <Empty icon="deliverability" title="Nothing to enroll yet">
      <p>Verify a sending domain: providers report complaints by domain.</p>
    </Empty>
  );
}

const TONES = { working: 'good', enrolled: 'info', missing: 'warn' } as const;

function LoopTable({ loops }: { readonly loops: readonly FeedbackLoop[] }) {
  const can = useCan();
  const queries = useQueryClient();
  const change = useMutation({
    mutationFn: ({ loop, subject, state }: FeedbackLoop) =>
      api.feedbackLoops.set(loop, subject.value, state === 'missing'),
    onSuccess: () => queries.invalidateQueries(feedbackLoopsQuery),
  });
  return (
    <>
      <ErrorNote error={change.error} />
      <Table columns={['Loop', 'Applies to', 'State']} actions={can.change ? 'Actions' : undefined}>
        {loops.map((one) => (
          <tr key={`${one.loop} ${one.subject.value}`}>
            <td className="strong wrap">
              <HowTo of={one} />
            </td>
            <td data-label="Applies to" className="wrap">
              <Shortened text={one.subject.value} />
            </td>
            <td data-label="State" className="wrap">
              <Badge tone={TONES[one.state]}>{one.state}</Badge> <span className="small">{one.message}</span>
            </td>
            {can.change ? (
              <td className="end">
                <Button
                  size="small"
                  busy={change.isPending && change.variables === one}
                  onClick={() => change.mutate(one)}
                >
                  {one.state === 'missing' ? 'Mark as enrolled' : 'Mark as not enrolled'}
                </Button>
              </td>
            ) : null}
          </tr>
        ))}
      </Table>
    </>
  );
}

function HowTo({ of: { title, url, steps } }: { readonly of: FeedbackLoop }) {
  return (
    <details>
      <summary>{title}</summary>
      <ol>
        {steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <a href={url} target="_blank" rel="noreferrer">
        {url}
      </a>
    </details>
  );
}
