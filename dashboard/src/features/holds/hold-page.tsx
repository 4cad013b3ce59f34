/** One hold: which mail it keeps, why, how much waits, and the two ways to end it. */
import type { HoldDetail } from '@postrider/sdk';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useCan, useMe } from '../../app/session.ts';
import { Card, PageHead } from '../../ui/page.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { Time } from '../../ui/time.tsx';
import { EndHold, mayEnd } from './end-hold.tsx';
import { doneOf, HoldState, nameOf } from './hold-words.tsx';
import { holdQuery } from './queries.ts';

const BACK = { to: '/holds', label: 'Holds' };

export function HoldPage() {
  const { id } = useParams({ from: '/app/holds/$id' });
  const { is_operator: isOperator } = useMe();
  const { change: mayChange } = useCan();
  const { data, ...hold } = useQuery(holdQuery(id));
  if (!data)
    return (
      <>
        <PageHead title="Hold" back={BACK} />
        <QueryState of={hold} />
      </>
    );
  return (
    <>
      <PageHead
        title={data.reason}
        back={BACK}
        lead={
          <>
            <HoldState hold={data} /> <Waiting hold={data} />
          </>
        }
        actions={mayChange && mayEnd(data, isOperator) ? <EndHold id={id} /> : null}
      />
      <Facts hold={data} />
    </>
  );
}

function Waiting({ hold: { mail } }: { readonly hold: HoldDetail }) {
  const waiting = mail.held === 1 ? '1 delivery waits' : `${mail.held.toLocaleString()} deliveries wait`;
  const later = mail.later === 0 ? '' : `, ${mail.later.toLocaleString()} more are due later`;
  return `${waiting}${later}.`;
}

function Facts({ hold }: { readonly hold: HoldDetail }) {
  const { decision, mail } = hold;
  return (
    <Card title="Details">
      <dl className="facts">
        <dt>Covers</dt>
        <dd>{nameOf(hold)}</dd>
        <dt>Placed by</dt>
        <dd>{hold.placed_by}</dd>
        <dt>Placed</dt>
        <dd>
          <Time at={hold.placed_at} style="exact" />
        </dd>
        {mail.oldest_at ? (
          <>
            <dt>Oldest email accepted</dt>
            <dd>
              <Time at={mail.oldest_at} style="exact" />
            </dd>
          </>
        ) : null}
        {decision ? (
          <>
            <dt>{decision.kind === 'release' ? 'Released' : 'Discarded'}</dt>
            <dd>
              <Time at={decision.at} style="exact" /> by {decision.by}
              {decision.reason ? `: ${decision.reason}` : ''}
            </dd>
            <dt>So far</dt>
            <dd>{doneOf(hold) || 'nothing'}</dd>
          </>
        ) : null}
      </dl>
    </Card>
  );
}
