/** Stacked bars above their labels, with lines for the values. */
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { StackedBar } from './stacked-bar.tsx';

interface Bar {
  readonly key: string;
  readonly label: string;
  readonly parts: Parameters<typeof StackedBar>[0]['parts'];
}

interface ChartScale {
  readonly width: number;
  readonly step: number;
  /** The middle of a bar, by its place. */
  readonly middle: (place: number) => number;
  readonly y: (value: number) => number;
}

interface BarChartProps {
  readonly bars: readonly Bar[];
  /** The largest value. */
  readonly max: number;
  readonly label: string;
  readonly height: number;
  /** The room for the values, in pixels. */
  readonly left: number;
  /** Drawn above the bars. */
  readonly drawing?: (scale: ChartScale) => ReactNode;
  /** Elements over the chart. */
  readonly overlay?: (scale: ChartScale) => ReactNode;
}

/** Until the real width is known. */
const FIRST_WIDTH = 640;
/** Room for one label below the bars. */
const LABEL_WIDTH = 64;
const BOTTOM = 24;
const TOP = 8;

export function BarChart({ bars, max, label, height, left, drawing, overlay }: BarChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const most = niceCeiling(Math.max(max, 1));
  const step = (width - left) / Math.max(1, bars.length);
  const y = (value: number) => TOP + (height - TOP - BOTTOM) * (1 - value / most);
  const middle = (place: number) => left + (place + 0.5) * step;
  const every = Math.ceil(bars.length / Math.max(1, Math.floor((width - left) / LABEL_WIDTH)));
  const scale = { width, step, middle, y };
  return (
    <div ref={box} className="chart-box">
      <svg className="chart" width={width} height={height} role="img" aria-label={label}>
        {[0, most / 2, most].map((value) => (
          <g key={value}>
            <line className="grid" x1={left} x2={width} y1={y(value)} y2={y(value)} />
            <text x={left - 6} y={y(value) + 4} textAnchor="end">
              {value.toLocaleString()}
            </text>
          </g>
        ))}
        {bars.map(({ key, parts }, place) => (
          <StackedBar key={key} parts={parts} x={left + place * step} width={step} y={y} />
        ))}
        {bars.map(({ key, label: name }, place) =>
          place % every === 0 ? (
            <text key={key} x={middle(place)} y={height - 6} textAnchor="middle">
              {name}
            </text>
          ) : null,
        )}
        {drawing?.(scale)}
      </svg>
      {overlay?.(scale)}
    </div>
  );
}

/** Drawn in the pixels there are, so that letters keep their size on a phone. */
function useWidth(box: RefObject<HTMLDivElement | null>): number {
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

/** A round number not far above, and even, so that its half is a whole one. */
function niceCeiling(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const found = [1, 2, 3, 4, 6, 8, 10].map((factor) => factor * power).find((one) => one >= value) ?? value;
  return Math.max(2, found % 2 === 0 ? found : found * 2);
}
