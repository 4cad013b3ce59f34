/** Mail that is being moved to another transport: how much of it, how it fares on both ways, and what can be done. */
import type { CanaryCounts, CanaryProgress, CanaryShare, CanaryStep } from '@postrider/sdk';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Card } from '../../ui/page.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { type CanaryAuditAction, canariesQuery, useSteerCanary } from './queries.ts';

const STEPS_SHOWN = 15;

export function CanaryCards() {
  const board = useQuery(canariesQuery);
  if (board.isError) return <ErrorNote error={board.error} onRetry={board.refetch} />;
  if (!board.data || board.data.canaries.length + board.data.steps.length === 0) return null;
  return (
    <>
      {board.data.canaries.map((canary) => (
        <CanaryCard key={canary.name} canary={canary} />
      ))}
      <Steps steps={board.data.steps.slice(0, STEPS_SHOWN)} />
    </>
  );
}

type Asking = { readonly deed: 'back' | 'finish'; readonly provider?: string } | null;

function CanaryCard({ canary }: { readonly canary: CanaryProgress }) {
  const [asking, setAsking] = useState<Asking>(null);
  const steer = useSteerCanary(canary.name);
  const { name, to, rule, paused_at, shares } = canary;
  return (
    <Card
      title={`Canary ${name}: rule ${rule} moves to ${to}`}
      flush
      actions={
        <div className="row">
          <PauseButton
            of={name}
            isPaused={paused_at !== null}
            busy={steer.isPending}
            onDo={(deed) => steer.mutate({ deed })}
          />
          <Button size="small" onClick={() => setAsking({ deed: 'back' })}>
            Roll back
          </Button>
          <Button size="small" onClick={() => setAsking({ deed: 'finish' })}>
            Finish
          </Button>
        </div>
      }
    >
      <ErrorNote error={steer.error} />
      {shares.length === 0 ? (
        <p className="card-body quiet">The canary starts with the first mail that the rule matches.</p>
      ) : (
        <Table
          columns={['Provider', 'New path', 'Results on the new path', 'On the old path', 'Next']}
          actions="Actions"
        >
          {shares.map((share) => (
            <Share
              key={share.provider}
              of={share}
              busy={steer.isPending}
              onDo={(deed) =>
                deed === 'back'
                  ? setAsking({ deed, provider: share.provider })
                  : steer.mutate({ deed, provider: share.provider })
              }
            />
          ))}
        </Table>
      )}
      {asking === null ? null : (
        <Confirm
          canary={canary}
          asking={asking}
          onClose={() => setAsking(null)}
          onConfirm={() => steer.mutateAsync(asking)}
        />
      )}
    </Card>
  );
}

function Share({
  of: share,
  busy,
  onDo,
}: {
  readonly of: CanaryShare;
  readonly busy: boolean;
  readonly onDo: (deed: CanaryAuditAction) => void;
}) {
  return (
    <tr>
      <td className="strong wrap">{share.provider}</td>
      <td>
        <Badge tone={share.falls > 0 && share.percent === 0 ? 'bad' : 'info'}>{share.percent} %</Badge>
      </td>
      <td className="wrap">{countsWords(share.new)}</td>
      <td className="wrap">{countsWords(share.old)}</td>
      <td className="wrap quiet small">{share.message}</td>
      <td className="end">
        <div className="row">
          {share.rests_until === null ? null : (
            <Button
              size="small"
              busy={busy}
              aria-label={`Resume ${share.provider}`}
              title="Restart the share now"
              onClick={() => onDo('resume')}
            >
              Resume
            </Button>
          )}
          <PauseButton of={share.provider} isPaused={share.paused} busy={busy} onDo={onDo} />
          {share.percent > 0 ? (
            <Button size="small" aria-label={`Roll ${share.provider} back`} onClick={() => onDo('back')}>
              Back
            </Button>
          ) : null}
        </div>
      </td>
    </tr>
  );
}

function PauseButton({
  of,
  isPaused,
  busy,
  onDo,
}: {
  readonly of: string;
  readonly isPaused: boolean;
  readonly busy: boolean;
  readonly onDo: (deed: CanaryAuditAction) => void;
}) {
  const word = isPaused ? 'Resume' : 'Pause';
  return (
    <Button
      size="small"
      busy={busy}
      aria-label={`${word} ${of}`}
      onClick={() => onDo(isPaused ? 'resume' : 'pause')}
    >
      {word}
    </Button>
  );
}

function Confirm({
  canary: { name, to },
  asking: { deed, provider },
  onClose,
  onConfirm,
}: {
  readonly canary: CanaryProgress;
  readonly asking: NonNullable<Asking>;
  readonly onClose: () => void;
  readonly onConfirm: () => Promise<unknown>;
}) {
  const isBack = deed === 'back';
  return (
    <ConfirmDialog
      title={isBack ? 'Roll back?' : `Finish ${name}?`}
      action={isBack ? 'Roll back' : 'Finish'}
      onClose={onClose}
      onConfirm={onConfirm}
    >
      <p>
        {isBack
          ? `Within seconds no mail${provider ? ` to ${provider}` : ''} goes through ${to}, until you resume the canary.`
          : `All mail of the rule goes through ${to} from then on, whatever the shares are now. The earlier steps of the rule stay as its fallback.`}
      </p>
    </ConfirmDialog>
  );
}

function countsWords({ sent, deferred, bounced, complained }: CanaryCounts): string {
  const troubles = [
    [deferred, 'deferred'],
    [bounced, 'bounced'],
    [complained, 'complaints'],
  ] as const;
  const told = troubles
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${count.toLocaleString()} ${word}`);
  return [`${sent.toLocaleString()} sent`, ...told].join(', ');
}

function Steps({ steps }: { readonly steps: readonly CanaryStep[] }) {
  if (steps.length === 0) return null;
  return (
    <Card title="Steps of canaries" flush>
      <Table columns={['When', 'Canary', 'Provider', 'Step', 'What happened']}>
        {steps.map((step) => (
          <tr key={step.id}>
            <td>
              <Time at={step.at} />
            </td>
            <td className="wrap">{step.canary}</td>
            <td className="wrap">{step.provider ?? 'all'}</td>
            <td>
              <Badge tone={TONES[step.kind] ?? 'none'}>{step.kind}</Badge>
            </td>
            <td className="wrap">{step.message}</td>
          </tr>
        ))}
      </Table>
    </Card>
  );
}

const TONES: Readonly<Record<string, 'good' | 'bad'>> = { rise: 'good', finish: 'good', fall: 'bad' };
