import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { AttentionItem } from '../../app/account-types.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Card } from '../../ui/page.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { LocalTimes } from '../../ui/time.tsx';
import { waitingCountQuery } from '../approvals/queries.ts';
import { ATTENTION_EVERY_MS } from './freshness.ts';
import { attentionQuery } from './queries.ts';

/** The most severe come first. More would push the figures off the screen. */
const MOST_SHOWN = 5;

const TONES = { critical: 'bad', warning: 'warn', info: 'info' } as const;

/** `onlyIfAny`: where there is nothing else to say, nothing is said. */
export function Attention({ onlyIfAny = false }: { readonly onlyIfAny?: boolean }) {
  const attention = useQuery({ ...attentionQuery, refetchInterval: ATTENTION_EVERY_MS });
  const [all, setAll] = useState(false);
  const { data: approvals = 0 } = useQuery(waitingCountQuery);
  if (onlyIfAny && !attention.data?.items.length && approvals === 0) return null;
  if (!attention.data)
    return (
      <Card title="Needs attention">
        <QueryState of={attention} lines={2} />
      </Card>
    );
  const { queue, items } = attention.data;
  return (
    <Card title="Needs attention">
      <div className="stack-small">
        {items.length === 0 && approvals === 0 ? (
          <p className="row">
            <Icon name="check" /> No problems found.
          </p>
        ) : null}
        {approvals > 0 ? (
          <div className="note warn">
            <Icon name="check" />
            <span>
              {approvals === 1 ? '1 email waits' : `${approvals.toLocaleString()} emails wait`} for approval.{' '}
              <Link to="/approvals">Review</Link>
            </span>
          </div>
        ) : null}
        {items.slice(0, all ? items.length : MOST_SHOWN).map((item) => (
          <div key={`${item.kind} ${item.id} ${item.message}`} className={`note ${TONES[item.severity]}`}>
            <Icon name="alert" />
            <span>
              <LocalTimes text={item.message} /> <Where item={item} />
            </span>
          </div>
        ))}
        {all || items.length <= MOST_SHOWN ? null : (
          <div>
            <Button size="small" onClick={() => setAll(true)}>
              Show {items.length - MOST_SHOWN} more
            </Button>
          </div>
        )}
        <p className="quiet small">
          Queue: {queue.queued_emails.toLocaleString()} waiting, {queue.due.toLocaleString()}
          {queue.due_capped ? ' or more' : ''} due now
          {queue.oldest_due_seconds ? `, the oldest for ${spanOf(queue.oldest_due_seconds)}` : ''}.
        </p>
      </div>
    </Card>
  );
}

function spanOf(seconds: number): string {
  if (seconds < 120) return `${seconds} seconds`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 120 ? `${minutes} minutes` : `${Math.floor(minutes / 60).toLocaleString()} hours`;
}

/** The tab of the domain where a problem is fixed. */
const DOMAIN_TABS: Readonly<Partial<Record<AttentionItem['kind'], 'dns' | 'reports' | 'tracking'>>> = {
  domain_unverified: 'dns',
  domain_failing: 'dns',
  domain_tracking_host: 'tracking',
  reports_failing: 'reports',
};

const ABOUT_ROUTES: ReadonlySet<AttentionItem['kind']> = new Set([
  ...(['warm_up_bent', 'warm_up_done', 'canary_fallen'] as const),
]);

function Where({ item }: { readonly item: AttentionItem }) {
  const tab = DOMAIN_TABS[item.kind];
  if (tab && item.id)
    return (
      <Link to="/domains/$id" params={{ id: item.id }} search={(tab === 'dns' ? {} : { tab }) as never}>
        {tab === 'reports' ? 'Show the reports' : 'Show the records'}
      </Link>
    );
  if (item.kind.startsWith('webhook') && item.id)
    return (
      <Link to="/webhooks/$id" params={{ id: item.id }}>
        Show its log
      </Link>
    );
  if (item.kind === 'site_waiting' && item.id)
    return (
      <Link to="/sites/$id" params={{ id: item.id }}>
        Show the server
      </Link>
    );
  if (item.kind === 'requests_refused')
    return (
      <Link to="/logs" search={item.id ? { code: item.id } : {}}>
        Show the requests
      </Link>
    );
  if (ABOUT_ROUTES.has(item.kind)) return <Link to="/settings/routes">Show the routes</Link>;
  if (item.kind === 'mail_held') return <Link to="/holds">Show the holds</Link>;
  if (item.kind === 'mail_slowed' || item.kind === 'guard_watched')
    return <Link to="/settings">Show the guard</Link>;
  if (item.kind === 'no_verified_domain') return <Link to="/domains">Add a domain</Link>;
  if (item.kind.startsWith('sending_limit')) return <Link to="/settings">Show the limit</Link>;
  if (item.kind === 'nobody_delivers') return <Link to="/deliverability">Show the workers</Link>;
  if (item.kind === 'queue_delayed')
    return (
      <Link to="/emails" search={{ status: 'queued' }}>
        Show waiting mail
      </Link>
    );
  if (item.kind === 'bounce_rate_high')
    return (
      <Link to="/emails" search={{ status: 'bounced' }}>
        Show bounced mail
      </Link>
    );
  return null;
}
