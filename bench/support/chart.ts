/** A chart as SVG text: lines over logarithmic axes, readable on a light and on a dark page. */
import { escapeHtml } from '../../src/runtime/escape-html.ts';
export interface Series {
  readonly name: string;
  readonly points: readonly (readonly [x: number, y: number])[];
}

export interface ChartOptions {
  readonly title: string;
  readonly xLabel: string;
  readonly yLabel: string;
  readonly series: readonly Series[];
}

const WIDTH = 760;
const HEIGHT = 420;
const PLOT = { left: 70, top: 48, right: 520, bottom: 360 };
const COLOURS = ['#2563eb', '#d97706', '#059669', '#dc2626', '#7c3aed', '#0891b2', '#db2777', '#65a30d'];

export function renderChart({ title, xLabel, yLabel, series }: ChartOptions): string {
  const xs = decades(series.flatMap(({ points }) => points.map(([x]) => x)));
  const ys = decades(series.flatMap(({ points }) => points.map(([, y]) => y)));
  const toX = scale(xs, PLOT.left, PLOT.right);
  const toY = scale(ys, PLOT.bottom, PLOT.top);
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escapeHtml(title)}">`,
    `<style>text{font:12px system-ui,sans-serif;fill:#57606a}.title{font-size:15px;font-weight:600}
.grid{stroke:#8b949e;stroke-opacity:.3}.line{fill:none;stroke-width:2}</style>`,
    text(PLOT.left, 24, title, 'title'),
    text((PLOT.left + PLOT.right) / 2, HEIGHT - 14, xLabel, '', 'middle'),
    `<text transform="translate(18 ${(PLOT.top + PLOT.bottom) / 2}) rotate(-90)" text-anchor="middle">${escapeHtml(yLabel)}</text>`,
    ...ticks(ys).flatMap((value) => [
      `<line class="grid" x1="${PLOT.left}" x2="${PLOT.right}" y1="${toY(value)}" y2="${toY(value)}"/>`,
      text(PLOT.left - 8, toY(value) + 4, short(value), '', 'end'),
    ]),
    ...ticks(xs).map((value) => text(toX(value), PLOT.bottom + 20, short(value), '', 'middle')),
    ...series.flatMap((one, index) => drawn(one, index, toX, toY)),
    '</svg>',
  ];
  return `${parts.join('\n')}\n`;
}

type Scale = (value: number) => number;

function drawn({ name, points }: Series, index: number, toX: Scale, toY: Scale): string[] {
  const colour = COLOURS[index % COLOURS.length] ?? '#000';
  const places = points.map(([x, y]) => [toX(x).toFixed(1), toY(y).toFixed(1)] as const);
  return [
    `<polyline class="line" stroke="${colour}" points="${places.map((place) => place.join(',')).join(' ')}"/>`,
    ...places.map(([x, y]) => `<circle cx="${x}" cy="${y}" r="3.5" fill="${colour}"/>`),
    `<rect x="${PLOT.right + 22}" y="${PLOT.top + index * 20 - 9}" width="12" height="4" fill="${colour}"/>`,
    text(PLOT.right + 40, PLOT.top + index * 20 - 3, name),
  ];
}

/** The powers of ten below the smallest value and above the largest value. */
function decades(values: readonly number[]): readonly [number, number] {
  const low = Math.floor(Math.log10(Math.min(...values)));
  const high = Math.ceil(Math.log10(Math.max(...values)));
  return [low, Math.max(high, low + 1)];
}

function ticks([low, high]: readonly [number, number]): number[] {
  return Array.from({ length: high - low + 1 }, (_, step) => 10 ** (low + step));
}

function scale([low, high]: readonly [number, number], from: number, to: number): Scale {
  return (value) => from + ((Math.log10(value) - low) / (high - low)) * (to - from);
}

function short(value: number): string {
  return value >= 1 ? value.toLocaleString('en') : String(value);
}

function text(x: number, y: number, content: string, name = '', anchor = 'start'): string {
  const kind = name === '' ? '' : ` class="${name}"`;
  return `<text${kind} x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}">${escapeHtml(content)}</text>`;
}
