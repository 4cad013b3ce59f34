/** Bars of what became of the mail, a line of what was opened; the same as a table for those who read rather than look. */
import { type RefObject, useEffect, useRef, useState } from 'react';
import type { Stats, StatsPoint } from '../../app/account-types.ts';
import { useChoice } from '../../app/choice.ts';
import { StackedBar } from '../../ui/stacked-bar.tsx';
import { Table } from '../../ui/table.tsx';
import { Segments } from '../../ui/tabs.tsx';
import { ChartPointer } from './chart-pointer.tsx';

/** Until the real width is known. */
const FIRST_WIDTH = 640;
/** Room for one label below the bars. */
const LABEL_WIDTH = 64;
const HEIGHT = 240;
const LEFT = 40;
const BOTTOM = 24;
const TOP = 8;

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
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const { series, totals } = stats;
  const most = niceCeiling(Math.max(...series.map(({ sent }) => sent), 1));
  const step = (width - LEFT) / Math.max(1, series.length);
  const y = (value: number) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - value / most);
  const label = `${totals.sent} sent, ${totals.delivered} delivered, ${totals.bounced} bounced, ${totals.failed} failed, ${totals.opened} opened. The table has the details.`;
  const middle = (place: number) => LEFT + (place + 0.5) * step;
  const every = Math.ceil(series.length / Math.max(1, Math.floor((width - LEFT) / LABEL_WIDTH)));
  return (
    <div ref={box} className="chart-box">
      <svg className="chart" width={width} height={HEIGHT} role="img" aria-label={label}>
        {[0, most / 2, most].map((value) => (
          <g key={value}>
            <line className="grid" x1={LEFT} x2={width} y1={y(value)} y2={y(value)} />
            <text x={LEFT - 6} y={y(value) + 4} textAnchor="end">
              {value.toLocaleString()}
            </text>
          </g>
        ))}
        {series.map((point, place) => (
          <StackedBar key={point.at} parts={partsOf(point)} x={LEFT + place * step} width={step} y={y} />
        ))}
        {series.map((point, place) =>
          place % every === 0 ? (
            <text key={point.at} x={middle(place)} y={HEIGHT - 6} textAnchor="middle">
              {labelOf(point.at, stats.interval)}
            </text>
          ) : null,
        )}
        {totals.opened > 0 ? (
          <polyline
            className="line"
            points={series.map(({ opened }, place) => `${middle(place)},${y(opened)}`).join(' ')}
          />
        ) : null}
      </svg>
      <ChartPointer
        points={series}
        left={LEFT}
        step={step}
        width={width}
        nameOf={({ at }) => periodOf(at, stats.interval)}
      />
    </div>
  );
}

/** Drawn in the pixels there are, so that letters keep their size on a phone. */
export function useWidth(box: RefObject<HTMLDivElement | null>): number {
  const [width, setWidth] = useState(FIRST_WIDTH);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setWidth(Math.max(200, element.clientWidth)));
    observer.observe(element);
    return () => observer.disconnect();
  }, [box]);
  return width;
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

/** A round number not far above, and even, so that its half is a whole one. */
export function niceCeiling(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const found = [1, 2, 3, 4, 6, 8, 10].map((factor) => factor * power).find((one) => one >= value) ?? value;
  return Math.max(2, found % 2 === 0 ? found : found * 2);
}
