/** How far addresses are with warming up: the curve, what was used of it, and what became of that. */
import type { WarmUpProgress } from '@postrider/sdk';
import { useQuery } from '@tanstack/react-query';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Card } from '../../ui/page.tsx';
import { StackedBar } from '../../ui/stacked-bar.tsx';
import { Table } from '../../ui/table.tsx';
import { warmUpQuery } from './queries.ts';
import '../../ui/styles/charts.css';

export function WarmUpCard() {
  const warmUps = useQuery(warmUpQuery);
  if (warmUps.isError) return <ErrorNote error={warmUps.error} onRetry={warmUps.refetch} />;
  if (!warmUps.data || warmUps.data.length === 0) return null;
  return (
    <Card title="Warming up" flush>
      <Table
        columns={[
          'Address',
          'Provider',
          'Today',
          'Step',
          'Refused or deferred',
          'Complaints',
          'Curve and mail',
        ]}
      >
        {warmUps.data.map((one) => (
          <Line key={`${one.address} ${one.provider}`} of={one} />
        ))}
      </Table>
    </Card>
  );
}

function Line({ of }: { readonly of: WarmUpProgress }) {
  const sum = (field: 'objected' | 'complained') => of.days.reduce((total, day) => total + day[field], 0);
  return (
    <tr>
      <td className="strong">{of.address}</td>
      <td data-label="Provider">{of.provider ?? 'nothing sent yet'}</td>
      <td data-label="Today" className="wrap">
        {of.used.toLocaleString()}
        {of.allowed === null ? '' : ` of ${of.allowed.toLocaleString()}`}{' '}
        <span className="quiet small">{of.message}</span>
      </td>
      <td data-label="Step" className="number">
        {of.allowed === null ? 'warm' : `${of.step} of ${of.curve.length}`}
      </td>
      <td data-label="Refused or deferred" className="number">
        {sum('objected').toLocaleString()}
      </td>
      <td data-label="Complaints" className="number">
        {sum('complained').toLocaleString()}
      </td>
      <td data-label="Curve and mail">
        <Chart of={of} />
      </td>
    </tr>
  );
}

const WIDTH = 160;
const HEIGHT = 40;
/** Today’s, and the one to come. With all of a curve that ends at a hundred thousand, the first days would not be seen. */
const NEXT_SHOWN = 2;
const DAYS_SHOWN = 56;

/** The line is what was allowed and what comes next; the bars are what was sent, and above it what was objected to. */
function Chart({ of: { days: all, curve, step, allowed } }: { readonly of: WarmUpProgress }) {
  const today = new Date().toISOString().slice(0, 10);
  const days = all.slice(-DAYS_SHOWN);
  const past = days.filter(({ day }) => day < today);
  const next = allowed === null ? [] : curve.slice(step - 1, step - 1 + NEXT_SHOWN);
  const limits = [...past.map((day) => day.allowed ?? day.used), ...next];
  const most = Math.max(1, ...limits, ...days.map(({ used }) => used));
  const width = WIDTH / Math.max(1, limits.length, days.length);
  const y = (count: number) => HEIGHT * (1 - count / most);
  const line = limits.map((limit, at) => `${at * width},${y(limit)} ${(at + 1) * width},${y(limit)}`);
  return (
    <svg
      className="chart"
      width={WIDTH}
      height={HEIGHT}
      role="img"
      aria-label={`${days.length} days of mail against what was allowed and comes next, up to ${most.toLocaleString()} a day`}
    >
      {days.map(({ day, used, objected }, at) => (
        <StackedBar
          key={day}
          parts={[
            { kind: 'delivered', size: Math.max(0, used - objected) },
            { kind: 'bounced', size: objected },
          ]}
          x={at * width}
          width={width}
          y={y}
        />
      ))}
      <polyline className="line" points={line.join(' ')} />
    </svg>
  );
}
