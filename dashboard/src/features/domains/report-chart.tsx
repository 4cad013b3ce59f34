/** Bars by day of what receivers reported: what was well below, what was not above. */
import { useRef } from 'react';
import { StackedBar } from '../../ui/stacked-bar.tsx';
import { niceCeiling, useWidth } from '../overview/chart.tsx';
import '../../ui/styles/charts.css';

interface ReportedDay {
  readonly date: string;
  readonly well: number;
  readonly failed: number;
}

interface Props {
  readonly days: readonly ReportedDay[];
  readonly words: { readonly well: string; readonly failed: string };
}

const LABEL_WIDTH = 64;
const HEIGHT = 180;
const LEFT = 48;
const BOTTOM = 24;
const TOP = 8;

export function ReportChart({ days, words }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const most = niceCeiling(Math.max(...days.map(({ well, failed }) => well + failed), 1));
  const step = (width - LEFT) / Math.max(1, days.length);
  const y = (value: number) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - value / most);
  const every = Math.ceil(days.length / Math.max(1, Math.floor((width - LEFT) / LABEL_WIDTH)));
  const sum = (of: (day: ReportedDay) => number) => days.reduce((all, day) => all + of(day), 0);
  const label = `By day: ${sum((day) => day.well).toLocaleString()} ${words.well}, ${sum((day) => day.failed).toLocaleString()} ${words.failed}.`;
  return (
    <div className="stack-small">
      <div className="legend" aria-hidden="true">
        <span className="delivered">{words.well}</span>
        <span className="bounced">{words.failed}</span>
      </div>
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
          {days.map((day, place) => (
            <StackedBar key={day.date} parts={partsOf(day)} x={LEFT + place * step} width={step} y={y} />
          ))}
          {days.map(({ date }, place) =>
            place % every === 0 ? (
              <text key={date} x={LEFT + (place + 0.5) * step} y={HEIGHT - 6} textAnchor="middle">
                {dayLabel(date)}
              </text>
            ) : null,
          )}
        </svg>
      </div>
    </div>
  );
}

function partsOf({ well, failed }: ReportedDay) {
  return [
    { kind: 'delivered', size: well },
    { kind: 'bounced', size: failed },
  ];
}

function dayLabel(date: string): string {
  return new Date(date).toLocaleDateString(undefined, { month: 'short', day: 'numeric', timeZone: 'UTC' });
}
