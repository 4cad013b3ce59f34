/** Bars by day of what receivers reported: what was well below, what was not above. */
import { BarChart } from '../../ui/bar-chart.tsx';
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

export function ReportChart({ days, words }: Props) {
  const sum = (of: (day: ReportedDay) => number) => days.reduce((all, day) => all + of(day), 0);
  const label = `By day: ${sum((day) => day.well).toLocaleString()} ${words.well}, ${sum((day) => day.failed).toLocaleString()} ${words.failed}.`;
  return (
    <div className="stack-small">
      <div className="legend" aria-hidden="true">
        <span className="delivered">{words.well}</span>
        <span className="bounced">{words.failed}</span>
      </div>
      <BarChart
        bars={days.map((day) => ({ key: day.date, label: dayLabel(day.date), parts: partsOf(day) }))}
        max={Math.max(...days.map(({ well, failed }) => well + failed))}
        label={label}
        height={180}
        left={48}
      />
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
