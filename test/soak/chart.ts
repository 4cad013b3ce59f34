/**
 * The chart of a soak as SVG text: small panels below each other, one column, so that a phone shows it without zooming.
 * The part that is not judged (the warm-up) is shaded; dashed lines are the medians that are compared.
 */
import { escapeHtml } from '../../src/runtime/escape-html.ts';
import { median } from './judge.ts';
import type { SoakReport } from './report.ts';
import type { Sample } from './sampler.ts';
import { connectionsOf } from './series.ts';

interface Line {
  readonly name: string;
  readonly values: readonly number[];
}

interface Panel {
  readonly title: string;
  readonly lines: readonly Line[];
}

const WIDTH = 480;
const PLOT = { left: 54, right: 466, height: 84 };
const HEAD_HEIGHT = 64;
const PANEL_HEIGHT = 146;
const FOOT_HEIGHT = 30;
const MIB = 1_048_576;
const COLOURS = 6;

const STYLE = `
    svg { color: #1f2328; }
    .ground { fill: #ffffff; }
    .warm { fill: currentColor; fill-opacity: .06; }
    .grid { stroke: currentColor; stroke-opacity: .18; }
    .line { fill: none; stroke-width: 1.5; stroke-linejoin: round; }
    .level { fill: none; stroke: currentColor; stroke-dasharray: 5 4; stroke-opacity: .7; }
    text { font: 12px system-ui, -apple-system, "Segoe UI", Helvetica, Arial, sans-serif; fill: currentColor; }
    .title { font-size: 16px; font-weight: 600; }
    .name { font-size: 13px; font-weight: 600; }
    .soft { fill-opacity: .75; }
    .line.c0 { stroke: #0969da; } .key.c0 { fill: #0969da; }
    .line.c1 { stroke: #bc4c00; } .key.c1 { fill: #bc4c00; }
    .line.c2 { stroke: #1a7f37; } .key.c2 { fill: #1a7f37; }
    .line.c3 { stroke: #8250df; } .key.c3 { fill: #8250df; }
    .line.c4 { stroke: #bf3989; } .key.c4 { fill: #bf3989; }
    .line.c5 { stroke: #57606a; } .key.c5 { fill: #57606a; }
    @media (prefers-color-scheme: dark) {
      svg { color: #e6edf3; }
      .ground { fill: #0d1117; }
      .line.c0 { stroke: #58a6ff; } .key.c0 { fill: #58a6ff; }
      .line.c1 { stroke: #f0883e; } .key.c1 { fill: #f0883e; }
      .line.c2 { stroke: #3fb950; } .key.c2 { fill: #3fb950; }
      .line.c3 { stroke: #a371f7; } .key.c3 { fill: #a371f7; }
      .line.c4 { stroke: #db61a2; } .key.c4 { fill: #db61a2; }
      .line.c5 { stroke: #9da7b3; } .key.c5 { fill: #9da7b3; }
    }
  `;

export function soakChart(report: SoakReport): string {
  const panels = panelsOf(report.samples);
  const height = HEAD_HEIGHT + panels.length * PANEL_HEIGHT + FOOT_HEIGHT;
  const endS = report.samples.at(-1)?.atS ?? 1;
  const emails = report.acceptedEmails.toLocaleString('en');
  const about = `${report.minutes} minutes, ${emails} emails, ${report.rate.toFixed(0)} a second`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-labelledby="title desc">`,
    `  <title id="title">Soak: ${about}</title>`,
    `  <desc id="desc">${panels.map(({ title }) => title).join('; ')}: each over the time of the run.</desc>`,
    `  <style>${STYLE}</style>`,
    `  <rect class="ground" width="${WIDTH}" height="${height}" rx="8"/>`,
    `  <text class="title" x="16" y="28">Soak: ${about}</text>`,
    `  <text class="soft" x="16" y="48">Shaded: warm-up. Dashed: medians of second and last quarter.</text>`,
    ...panels.flatMap((panel, i) => drawPanel(panel, report.samples, endS, HEAD_HEIGHT + i * PANEL_HEIGHT)),
    ...axis(endS, HEAD_HEIGHT + panels.length * PANEL_HEIGHT),
    '</svg>',
    '',
  ].join('\n');
}

export function panelsOf(samples: readonly Sample[]): Panel[] {
  const line = (name: string, value: (sample: Sample) => number): Line => ({
    name,
    values: samples.map(value),
  });
  const names = [...new Set(samples.flatMap(({ processes }) => processes.map(({ name }) => name)))];
  const ofProcess = (value: 'memoryBytes' | 'handles', scale: number) =>
    names.map((name) =>
      line(name, ({ processes }) => (processes.find((one) => one.name === name)?.[value] ?? 0) / scale),
    );
  return [
    { title: 'Memory, MiB', lines: ofProcess('memoryBytes', MIB) },
    {
      title: 'File handles',
      lines: ofProcess('handles', 1).filter(({ name }) => name !== 'postgres'),
    },
    {
      title: 'File handles of all PostgreSQL processes',
      lines: ofProcess('handles', 1).filter(({ name }) => name === 'postgres'),
    },
    {
      title: 'Connections to PostgreSQL',
      lines: [line('all', connectionsOf), line('active', ({ database }) => database.active)],
    },
    {
      title: 'Age of the oldest that is due, s',
      lines: [
        line('mail', ({ database }) => database.queue_age_s),
        line('webhook that works', ({ database }) => database.hook_age_s),
      ],
    },
    { title: 'Due in the mail queue', lines: [line('mails', ({ database }) => database.queued)] },
    {
      title: 'Delivered a second',
      lines: [line('mails', ({ deliveredPerS }) => deliveredPerS)],
    },
    {
      title: 'Accept, ms',
      lines: [line('p50', ({ acceptP50Ms }) => acceptP50Ms), line('p99', ({ acceptP99Ms }) => acceptP99Ms)],
    },
    { title: 'Database, MiB: grows by what is kept', lines: [line('database', mib('database_bytes'))] },
    { title: 'Outbox on disk, MiB', lines: [line('outbox', mib('outbox_bytes'))] },
    { title: 'Write-ahead log, MiB', lines: [line('log', mib('wal_bytes'))] },
    {
      title: 'Cores taken by other work on the machine',
      lines: [line('cores', ({ othersCores }) => othersCores)],
    },
  ];
}

function mib(field: 'database_bytes' | 'outbox_bytes' | 'wal_bytes'): (sample: Sample) => number {
  return ({ database }) => database[field] / MIB;
}

function drawPanel({ title, lines }: Panel, samples: readonly Sample[], endS: number, top: number): string[] {
  const most = niceCeiling(Math.max(...lines.flatMap(({ values }) => values)));
  const base = top + 42 + PLOT.height;
  const toX = (atS: number) => PLOT.left + (atS / endS) * (PLOT.right - PLOT.left);
  const toY = (value: number) => base - (value / most) * PLOT.height;
  return [
    `  <text class="name" x="16" y="${top + 14}">${escapeHtml(title)}</text>`,
    ...legend(lines, top + 30),
    `  <rect class="warm" x="${PLOT.left}" y="${base - PLOT.height}" width="${n(toX(endS / 4) - PLOT.left)}" height="${PLOT.height}"/>`,
    ...[0, most / 2, most].flatMap((value) => [
      `  <line class="grid" x1="${PLOT.left}" x2="${PLOT.right}" y1="${n(toY(value))}" y2="${n(toY(value))}"/>`,
      `  <text class="soft" x="${PLOT.left - 6}" y="${n(toY(value) + 4)}" text-anchor="end">${short(value)}</text>`,
    ]),
    ...lines.flatMap(({ values }, i) => [
      `  <polyline class="line c${i % COLOURS}" points="${values.map((value, at) => `${n(toX(samples[at]?.atS ?? 0))},${n(toY(value))}`).join(' ')}"/>`,
      ...[1, 3].map((quarter) => level(values, samples, endS, quarter, toX, toY)),
    ]),
  ];
}

/** The lines' names, each in its colour; a single one needs none. */
function legend(lines: readonly Line[], y: number): string[] {
  if (lines.length < 2) return [];
  const spans = lines.map(
    ({ name }, i) =>
      `<tspan class="key c${i % COLOURS}" dx="${i === 0 ? 0 : 10}">${escapeHtml(name)}</tspan>`,
  );
  return [`  <text x="16" y="${y}">${spans.join('')}</text>`];
}

function level(
  values: readonly number[],
  samples: readonly Sample[],
  endS: number,
  quarter: number,
  toX: (atS: number) => number,
  toY: (value: number) => number,
): string {
  const from = (endS * quarter) / 4;
  const to = (endS * (quarter + 1)) / 4;
  const middle = median(values.filter((_, i) => within(samples[i]?.atS ?? -1, from, to)));
  return `  <line class="level" x1="${n(toX(from))}" x2="${n(toX(to))}" y1="${n(toY(middle))}" y2="${n(toY(middle))}"/>`;
}

function within(atS: number, from: number, to: number): boolean {
  return atS >= from && atS <= to;
}

function axis(endS: number, y: number): string[] {
  const minutes = Math.max(1, Math.round(endS / 60));
  const step = [1, 2, 5, 10, 15, 30, 60].find((one) => minutes / one <= 6) ?? 60;
  return Array.from({ length: Math.floor(minutes / step) + 1 }, (_, i) => {
    const x = PLOT.left + Math.min(1, (i * step * 60) / endS) * (PLOT.right - PLOT.left);
    return `  <text class="soft" x="${n(x)}" y="${y + 12}" text-anchor="middle">${i * step}${i === 0 ? ' min' : ''}</text>`;
  });
}

/** 1, 2 or 5 times a power of ten, or what lies between where that leaves half of the panel empty. */
function niceCeiling(most: number): number {
  if (most <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(most));
  return ([1, 1.5, 2, 3, 4, 5, 6, 8, 10].find((one) => one * power >= most) ?? 10) * power;
}

function short(value: number): string {
  return value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 2 : 0 });
}

function n(value: number): string {
  return String(Math.round(value * 10) / 10);
}
