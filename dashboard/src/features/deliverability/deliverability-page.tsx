/** Whether mail arrives: where, from whom, how fast, what is in its way, and who delivers it. */
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useChoice } from '../../app/choice.ts';
import { useMe } from '../../app/session.ts';
import { List } from '../../ui/list.tsx';
import { Card, Empty, PageHead } from '../../ui/page.tsx';
import { Segments } from '../../ui/tabs.tsx';
import { sitesQuery } from '../sites/queries.ts';
import { SiteTable } from '../sites/site-table.tsx';
import '../../ui/styles/charts.css';
import { share, took } from '../../ui/figures.ts';
import { FeedbackLoops } from './feedback-loops.tsx';
import { GroupTable, NoGroups } from './group-table.tsx';
import { type Deliverability, deliverabilityQuery } from './queries.ts';
import { Workers } from './workers.tsx';

const RANGES = [
  { key: '24h', label: '24 hours' },
  { key: '7d', label: '7 days' },
  { key: '30d', label: '30 days' },
] as const;

const DIMENSIONS = [
  { key: 'provider', label: 'Provider' },
  { key: 'domain', label: 'Sending domain' },
  { key: 'template', label: 'Template' },
  { key: 'tag', label: 'Tag' },
  { key: 'stream', label: 'Stream' },
  { key: 'reason', label: 'Reason' },
] as const;

export function DeliverabilityPage() {
  const [range, setRange] = useChoice('range', RANGES, '24h');
  const [by, setBy] = useChoice('by', DIMENSIONS, 'provider');
  const found = useQuery(deliverabilityQuery({ range, by }));
  return (
    <>
      <PageHead
        title="Deliverability"
        lead="Outcomes of your mail at receiving servers, counted by recipient at the time of the outcome."
        actions={<Segments label="Period" options={RANGES} chosen={range} onChoose={setRange} />}
      />
      <div className="stack">
        {found.data ? <Totals found={found.data} /> : null}
        <Card
          title="By"
          flush
          actions={<Segments label="Grouped by" options={DIMENSIONS} chosen={by} onChoose={setBy} />}
        >
          <Groups of={found} />
        </Card>
        <FeedbackLoops />
        <Waiting />
        <Workers />
      </div>
    </>
  );
}

function Groups({ of }: { readonly of: UseQueryResult<Deliverability> }) {
  const { by = 'provider', interval = 'hour' } = of.data ?? {};
  return (
    <List of={of} rows={of.data?.groups} csv={`deliverability-by-${by}`} empty={<NoGroups by={by} />}>
      {(groups) => <GroupTable by={by} groups={groups} interval={interval} />}
    </List>
  );
}

function Totals({ found: { totals } }: { readonly found: Deliverability }) {
  const tiles = [
    ['Sent', totals.sent.toLocaleString(), 'recipients'],
    ['Delivered', totals.delivered.toLocaleString(), share(totals.rates.delivered)],
    ['Deferred', totals.deferred.toLocaleString(), `${share(totals.rates.deferred)} of attempts`],
    ['Bounced', totals.bounced.toLocaleString(), share(totals.rates.bounced)],
    ['Complaints', totals.complained.toLocaleString(), `${share(totals.rates.complained)} of delivered`],
    ['Median time', took(totals.p50_seconds), 'accepted to delivered'],
    ['95% within', took(totals.p95_seconds), 'accepted to delivered'],
  ] as const;
  return (
    <dl className="cards">
      {tiles.map(([label, value, note]) => (
        <div key={label} className="card stat">
          <dt className="stat-label">{label}</dt>
          <dd className="stat-value">{value}</dd>
          <dd className="quiet small">{note}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The queue, by where it goes. */
function Waiting() {
  const { is_operator: isOperator } = useMe();
  const sites = useQuery(sitesQuery('organization'));
  return (
    <Card
      title="Waiting, by receiving server"
      flush
      actions={
        isOperator ? (
          <Link to="/sites" search={{ view: 'installation' }}>
            All organizations
          </Link>
        ) : null
      }
    >
      <List
        of={sites}
        rows={sites.data}
        csv="waiting"
        empty={
          <Empty icon="sites" title="No mail waits">
            <p>
              Receiving servers that your mail waits for are listed here with their state, the reason and the
              expected end of the wait.
            </p>
          </Empty>
        }
      >
        {(rows) => <SiteTable sites={rows} />}
      </List>
    </Card>
  );
}
