/** Asks which way mail to somebody would take, and why. */
import type { Data } from '@postrider/sdk';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../app/api.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ErrorNote, problemOf } from '../../ui/error-note.tsx';
import { TextField } from '../../ui/field.tsx';
import { onSubmit, useForm } from '../../ui/form.ts';
import { Loading } from '../../ui/page.tsx';
import { Table } from '../../ui/table.tsx';

type Explanation = Data<'GET /routes/explain'>;
type Choice = Explanation['steps'][number]['choices'][number];

interface Asked {
  readonly to: string;
  readonly from?: string;
  readonly tag?: string;
}

export function ExplainCard({ version }: { readonly version: number }) {
  const { form, set } = useForm({ to: '', from: '', tag: '' });
  const [asked, setAsked] = useState<Asked | null>(null);
  const answer = useQuery({
    queryKey: ['routes', 'explain', version, asked],
    queryFn: () => api.routes.explain(asked as Asked),
    enabled: asked !== null,
  });
  const ask = () =>
    setAsked({
      to: form.to,
      ...(form.from === '' ? {} : { from: form.from }),
      ...(form.tag === '' ? {} : { tag: form.tag }),
    });
  return (
    <div className="stack">
      <form className="stack" onSubmit={onSubmit(ask)}>
        <TextField
          label="Recipient"
          required
          placeholder="ada@example.org"
          value={form.to}
          onChange={set('to')}
          hint="An address, or a domain. Its mail hosts are looked up."
          problem={problemOf(answer.error, 'to')}
        />
        <TextField
          label="Sender"
          value={form.from}
          onChange={set('from')}
          hint="Optional: an address, or a domain."
          problem={problemOf(answer.error, 'from')}
        />
        <TextField label="Tag" value={form.tag} onChange={set('tag')} hint="Optional: name:value." />
        <div>
          <Button kind="primary" type="submit" icon="search" busy={answer.isFetching}>
            {' '}
            Explain the route{' '}
          </Button>
        </div>
      </form>
      <ErrorNote error={answer.error} known={['to', 'from']} />
      {answer.isLoading ? <Loading lines={2} /> : null}
      {answer.data ? <Answer of={answer.data} /> : null}
    </div>
  );
}

function Answer({ of }: { readonly of: Explanation }) {
  return (
    <div className="stack" aria-live="polite">
      <p className="strong wrap">{of.message}</p>
      <ol>
        {of.rules.map(({ rule, name, matches, why }) => (
          <li key={rule} className="wrap">
            {name === null ? `Rule ${rule}` : `Rule ${rule} (${name})`}:{' '}
            {matches ? `matches, ${why}` : `no, ${why}`}
          </li>
        ))}
      </ol>
      <Table columns={['Step', 'Transport', 'Share', 'State']}>
        {of.steps.flatMap(({ step, in_use, choices }) =>
          choices.map((choice) => (
            <tr key={`${step} ${choice.transport} ${choice.source}`}>
              <td>
                Step {step}
                {in_use ? <span className="quiet small"> in use</span> : null}
              </td>
              <td className="wrap">
                {choice.transport}
                {choice.source === null ? null : <span className="quiet"> from {choice.source}</span>}
              </td>
              <td className="number">{percent(choice.share_now)}</td>
              <td className="wrap">
                <Badge tone={TONES[choice.state]}>{choice.state}</Badge>{' '}
                <span className="quiet small">{choice.message}</span>
              </td>
            </tr>
          )),
        )}
      </Table>
    </div>
  );
}

const TONES: Readonly<Record<Choice['state'], Tone>> = {
  open: 'good',
  slow: 'warn',
  probing: 'warn',
  paused: 'warn',
  blocked: 'bad',
  absent: 'bad',
  spent: 'warn',
};

function percent(share: number): string {
  return `${Math.round(share * 1_000) / 10} %`;
}
