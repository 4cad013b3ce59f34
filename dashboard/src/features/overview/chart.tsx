/** Bars of what became of the mail, a line of what was opened; the same as a table for those who read rather than look. */
import type { Stats, StatsPoint } from '../../app/account-types.ts';
import { useChoice } from '../../app/choice.ts';
import { BarChart } from '../../ui/bar-chart.tsx';
import { Table } from '../../ui/table.tsx';
import { Segments } from '../../ui/tabs.tsx';
import { ChartPointer } from './chart-pointer.tsx';

const LEFT = 40;

const SHAPES = [
  { key: 'chart', label: 'Chart' },
  { key: 'table', label: 'Table' },
] as const;

export function Chart({ stats }: { readonly stats: Stats }) {
  const [shape, setShape] = useChoice('show', SHAPES, 'chart');
  return (
    <div className="stack">
      <div className="spread">
        <div className="legend" aria-hidden="true">
          <span className="delivered">Delivered</span>
          <span className="bounced">Bounced or failed</span>
          <span className="other">Queued</span>
          <span className="line">Opened</span>
        </div>
        <Segments label="View" options={SHAPES} chosen={shape} onChoose={setShape} />
      </div>
      {shape === 'chart' ? <Bars stats={stats} /> : <Figures stats={stats} />}
    </div>
  );
}

function Bars({ stats }: { readonly stats: Stats }) {
  const { series, totals } = stats;
  const label = `${totals.sent} sent, ${totals.delivered} delivered, ${totals.bounced} bounced, ${totals.failed} failed, ${totals.opened} opened. The table has the details.`;
  return (
    <BarChart
      bars={series.map((point) => ({
        key: point.at,
        label: labelOf(point.at, stats.interval),
        parts: partsOf(point),
      }))}
      max={Math.max(...series.map(({ sent }) => sent))}
      label={label}
      height={240}
      left={LEFT}
      drawing={({ middle, y }) =>
        totals.opened > 0 ? (
          <polyline
            className="line"
            points={series.map(({ opened }, place) => `${middle(place)},${y(opened)}`).join(' ')}
          />
        ) : null
      }
      overlay={({ step, width }) => (
        <ChartPointer
          points={series}
          left={LEFT}
          step={step}
          width={width}
          nameOf={({ at }) => periodOf(at, stats.interval)}
        />
      )}
    />
  );
}

function partsOf({ delivered, bounced, failed, queued }: StatsPoint) {
  return [
    { kind: 'delivered', size: delivered },
    { kind: 'bounced', size: bounced + failed },
    { kind: 'other', size: queued },
  ];
}

function Figures({ stats }: { readonly stats: Stats }) {
  const rows = stats.series.filter(({ sent }) => sent > 0).toReversed();
  return (
    <Table
      columns={[
        stats.interval === 'hour' ? 'Hour' : 'Day (UTC)',
        'Sent',
        'Delivered',
        'Bounced',
        'Failed',
        'Complained',
        'Opened',
      ]}
      stacking={false}
    >
      {rows.map((point) => (
        <tr key={point.at} className="number">
          <td>{periodOf(point.at, stats.interval)}</td>
          <td>{point.sent.toLocaleString()}</td>
          <td>{point.delivered.toLocaleString()}</td>
          <td>{point.bounced.toLocaleString()}</td>
          <td>{point.failed.toLocaleString()}</td>
          <td>{point.complained.toLocaleString()}</td>
          <td>{point.opened.toLocaleString()}</td>
        </tr>
      ))}
      {rows.length === 0 ? (
        <tr>
          <td colSpan={7}>Nothing was sent in this period.</td>
        </tr>
      ) : null}
    </Table>
  );
}

function periodOf(at: string, interval: Stats['interval']): string {
  return interval === 'hour' ? new Date(at).toLocaleString() : at.slice(0, 10);
}

function labelOf(at: string, interval: Stats['interval']): string {
  const date = new Date(at);
  return interval === 'hour'
    ? date.toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit' })
    : date.toLocaleDateString(undefined, { month: 'short', day: 'numeric', timeZone: 'UTC' });
}
