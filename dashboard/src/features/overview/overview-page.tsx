/** Problems that need attention, then counts over time and rates against the limits of providers. */
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { type ReactNode, Suspense, useState } from 'react';
import type { Stats } from '../../app/account-types.ts';
import { api } from '../../app/api.ts';
import { useChoice } from '../../app/choice.ts';
import { keptFresh } from '../../app/freshness.ts';
import { lazyPart } from '../../app/lazy-page.ts';
import { useMe } from '../../app/session.ts';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Card, Loading, PageHead } from '../../ui/page.tsx';
import { Segments } from '../../ui/tabs.tsx';
import '../../ui/styles/charts.css';
import '../../ui/styles/steps.css';
import { DELIVERED } from '../emails/search.ts';
import { useHidden } from '../first-steps/hidden.ts';
import { useStreamNames } from '../streams/queries.ts';
import { Attention } from './attention.tsx';
import { Rates } from './rates.tsx';

const Chart = lazyPart(() => import('./chart.tsx'), 'Chart');

const RANGES = [
  { key: '24h', label: '24 hours' },
  { key: '7d', label: '7 days' },
  { key: '30d', label: '30 days' },
] as const;

const ALL_STREAMS = { key: '' };

const FirstSteps = lazyPart(() => import('../first-steps/first-steps.tsx'), 'FirstSteps');

export function OverviewPage() {
  const { organization } = useMe();
  // The palette leads here to show the steps again.
  const { steps }: { steps?: string } = useSearch({ strict: false });
  return <OverviewOf key={`${organization.id} ${steps}`} organizationId={organization.id} />;
}

/** Shows a new user the first steps, and otherwise only problems. */
function OverviewOf({ organizationId }: { readonly organizationId: string }) {
  const [hidden, hide] = useHidden(organizationId);
  const first = useQuery({ ...firstStepsQuery, enabled: !hidden });
  const [wasNew, setWasNew] = useState<boolean>();
  const sent = first.data?.steps.find(({ step }) => step === 'first_email')?.done;
  // Decided once: the message somebody has just sent must not push away what they were about to read.
  if (wasNew === undefined && sent !== undefined) setWasNew(!sent);
  const steps =
    !hidden && first.data?.steps.some(({ done }) => !done) ? (
      <Suspense fallback={<Loading />}>
        <FirstSteps first={first.data} onHide={hide} />
      </Suspense>
    ) : null;
  if (!hidden && first.isPending) return <PageHead title="Overview" />;
  if (steps && wasNew !== false)
    return (
      <>
        <PageHead title="Overview" />
        <div className="stack">
          <Attention onlyIfAny />
          {steps}
        </div>
      </>
    );
  return <Overview>{steps}</Overview>;
}

function Overview({ children }: { readonly children: ReactNode }) {
  const [range, setRange] = useChoice('range', RANGES, '24h');
  const streams = [ALL_STREAMS, ...useStreamNames().map((key) => ({ key }))];
  const [stream, setStream] = useChoice('stream', streams, ALL_STREAMS.key);
  const stats = useQuery({
    queryKey: ['stats', range, stream],
    queryFn: () => api.stats.overview({ range, ...(stream === '' ? {} : { stream }) }),
    placeholderData: keepPreviousData,
    ...keptFresh({ changedBy: 'any event' }),
  });
  return (
    <>
      <PageHead
        title="Overview"
        actions={
          <>
            <select
              className="input"
              aria-label="Stream"
              value={stream}
              onChange={(event) => setStream(event.target.value)}
            >
              {streams.map(({ key }) => (
                <option key={key} value={key}>
                  {key === '' ? 'All streams' : key}
                </option>
              ))}
            </select>
            <Segments label="Period" options={RANGES} chosen={range} onChoose={setRange} />
          </>
        }
      />
      <div className="stack">
        <Attention />
        <ErrorNote error={stats.error} onRetry={stats.refetch} />
        {stats.data ? (
          <>
            <Numbers stats={stats.data} stream={stream} />
            <div className="columns">
              <Card title="Over time">
                <Suspense fallback={<Loading />}>
                  <Chart stats={stats.data} />
                </Suspense>
              </Card>
              <Rates stats={stats.data} />
            </div>
          </>
        ) : (
          <Card>{stats.isPending ? <Loading /> : null}</Card>
        )}
        {children}
      </div>
    </>
  );
}

/** What the list of emails is filtered by to show what a number counts. */
const LEADS_TO = {
  sent: {},
  delivered: { status: DELIVERED },
  bounced: { status: 'bounced' },
  failed: { status: 'failed' },
  complained: { state: 'complained' },
  opened: { status: 'opened' },
} as const;

const SHOWN = ['sent', 'delivered', 'bounced', 'failed', 'complained', 'opened'] as const;

function Numbers({ stats, stream }: { readonly stats: Stats; readonly stream: string }) {
  const within = { from_date: stats.from, ...(stream === '' ? {} : { stream }) };
  return (
    <dl className="cards">
      {SHOWN.map((name) => (
        <div key={name} className="card stat">
          <dt className="stat-label">{name.charAt(0).toUpperCase() + name.slice(1)}</dt>
          <dd className="stat-value">
            <Link to="/emails" search={{ ...LEADS_TO[name], ...within }} className="tile-link">
              {stats.totals[name].toLocaleString()}
              <span className="visually-hidden"> emails</span>
            </Link>
          </dd>
        </div>
      ))}
    </dl>
  );
}

const firstStepsQuery = queryOptions({
  queryKey: ['first-steps'],
  queryFn: () => api.stats.firstSteps(),
  ...keptFresh({ changedBy: 'any event' }),
});
