/** The results of the growth bench, as a table and as a chart. */
import { renderChart } from './chart.ts';
import { number, type Table } from './table.ts';

/** The results of one round. */
export interface Round {
  readonly acceptedPerSecond: number;
  readonly deliveredPerSecond: number;
  /** Processor time per email, which depends less than a rate on other load of the machine. */
  readonly acceptCpuMs: number;
  readonly deliverCpuMs: number;
  readonly acceptWalBytes: number;
  readonly deliverWalBytes: number;
  readonly firstPageMs: number;
  readonly searchMs: number;
}

export interface Grown {
  readonly emails: number;
  readonly round: Round;
  /** The smallest amount of mail, measured in turns with this round. */
  readonly beside: Round;
  readonly diskBytesPerEmail: number;
  readonly retentionMs: number;
}

export function growthTable(all: readonly Grown[]): Table {
  const row = (name: string, value: (one: Grown) => number, digits = 0) => [
    name,
    ...all.map((one) => number(value(one), digits)),
  ];
  return {
    columns: ['emails stored', ...all.map(({ emails }) => number(emails))],
    rows: [
      row('accepted/s', ({ round }) => round.acceptedPerSecond),
      row('of the least, in turns', (o) => o.round.acceptedPerSecond / o.beside.acceptedPerSecond, 2),
      row('delivered/s', ({ round }) => round.deliveredPerSecond),
      row('of the least, in turns', (o) => o.round.deliveredPerSecond / o.beside.deliveredPerSecond, 2),
      row('processor ms an email accepted', ({ round }) => round.acceptCpuMs, 2),
      row('processor ms an email delivered', ({ round }) => round.deliverCpuMs, 2),
      row('first page, ms', ({ round }) => round.firstPageMs, 1),
      row('to one address, ms', ({ round }) => round.searchMs, 1),
      row('bytes on disk an email', ({ diskBytesPerEmail }) => diskBytesPerEmail),
      row('bytes of log an email accepted', ({ round }) => round.acceptWalBytes),
      row('bytes of log an email delivered', ({ round }) => round.deliverWalBytes),
      row('removing the oldest week, ms', ({ retentionMs }) => retentionMs),
    ],
  };
}

export function growthChart(all: readonly Grown[]): string {
  const series = (name: string, value: (one: Grown) => number) => ({
    name,
    points: all.map((one) => [one.emails, value(one)] as const),
  });
  return renderChart({
    title: 'What more stored mail costs',
    xLabel: 'emails stored',
    yLabel: 'as each line says',
    series: [
      series('accepted a second', ({ round }) => round.acceptedPerSecond),
      series('delivered a second', ({ round }) => round.deliveredPerSecond),
      series('first page, ms', ({ round }) => round.firstPageMs),
      series('to one address, ms', ({ round }) => round.searchMs),
      series('bytes on disk an email', ({ diskBytesPerEmail }) => diskBytesPerEmail),
      series('removing the oldest week, ms', ({ retentionMs }) => retentionMs),
    ],
  });
}
