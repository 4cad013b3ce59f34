/** How the mail is doing: counts over time, rates against the limits that matter, what needs a hand. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import type { Stats } from '../../app/account-types.ts';
import { api } from '../../app/api.ts';
import { useChoice } from '../../app/choice.ts';
import { useMode } from '../../app/session.ts';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Card, Loading, PageHead } from '../../ui/page.tsx';
import { Segments } from '../../ui/tabs.tsx';
import '../../ui/styles/charts.css';
import { Attention } from './attention.tsx';
import { Rates } from './rates.tsx';

const Chart = lazy(() => import('./chart.tsx').then(({ Chart: Loaded }) => ({ default: Loaded })));

const RANGES = [
  { key: '24h', label: '24 hours' },
  { key: '7d', label: '7 days' },
  { key: '30d', label: '30 days' },
] as const;

export function OverviewPage() {
  const [range, setRange] = useChoice('range', RANGES, '24h');
  const sandbox = useMode() === 'sandbox';
  const stats = useQuery({
    queryKey: ['stats', range],
    queryFn: () => api.stats.overview({ range }),
    placeholderData: keepPreviousData,
    refetchInterval: 10_000,
  });
  return (
    <>
      <PageHead
        title="Overview"
        actions={<Segments label="Period" options={RANGES} chosen={range} onChoose={setRange} />}
      />
      <div className="stack">
        <ErrorNote error={stats.error} onRetry={stats.refetch} />
        {stats.data ? (
          <>
            <Numbers stats={stats.data} />
            <div className="columns">
              <Card title="Over time">
                <Suspense fallback={<Loading />}>
                  <Chart stats={stats.data} />
                </Suspense>
              </Card>
              <div className="stack">
                <Rates stats={stats.data} />
                <Attention />
              </div>
            </div>
            {stats.data.totals.sent === 0 ? (
              <Card title="Send the first email">
                <p>
                  {sandbox ? (
                    <>
                      Open the <Link to="/inbox">sandbox inbox</Link>: one click sends you a first message and
                      shows all of it.
                    </>
                  ) : (
                    <>
                      Verify a <Link to="/domains">domain</Link>, make a{' '}
                      <Link to="/settings/api-keys">key</Link>, or <Link to="/compose">write one here</Link>.
                    </>
                  )}
                </p>
              </Card>
            ) : null}
          </>
        ) : (
          <Card>{stats.isPending ? <Loading /> : null}</Card>
        )}
      </div>
    </>
  );
}

/** What the list of emails is filtered by to show what a number counts. */
const LEADS_TO = {
  sent: {},
  delivered: { status: 'delivered' },
  bounced: { status: 'bounced' },
  failed: { status: 'failed' },
  complained: { state: 'complained' },
  opened: { status: 'opened' },
} as const;

const SHOWN = ['sent', 'delivered', 'bounced', 'failed', 'complained', 'opened'] as const;

function Numbers({ stats }: { readonly stats: Stats }) {
  return (
    <dl className="cards">
      {SHOWN.map((name) => (
        <div key={name} className="card stat">
          <dt className="stat-label">{name.charAt(0).toUpperCase() + name.slice(1)}</dt>
          <dd className="stat-value">
            <Link to="/emails" search={{ ...LEADS_TO[name], from_date: stats.from }} className="tile-link">
              {stats.totals[name].toLocaleString()}
              <span className="visually-hidden"> emails</span>
            </Link>
          </dd>
        </div>
      ))}
    </dl>
  );
}
