/** What a storm comes to: figures, findings, and the verdict, as a table for people. */
import type { Finding } from './findings.ts';
import type { Repeats } from './repeats.ts';

export interface StormReport {
  readonly scenario: string;
  readonly seed: number;
  readonly workers: number;
  readonly forMs: number;
  readonly submissions: number;
  /** Emails, by what was said about them. */
  readonly accepted: number;
  /** Of these, how many came in through each ingress, by kind: `resend mixed`. */
  readonly acceptedAs: Readonly<Record<string, number>>;
  readonly unknown: number;
  readonly refused: number;
  readonly answers: Readonly<Record<string, number>>;
  readonly repeatedRequests: number;
  readonly deliveries: number;
  /** Before the faults were over. */
  readonly deliveriesDuringFaults: number;
  /** Deliveries that were in hand, at each strike of each kind. */
  readonly inHand: Readonly<Record<string, readonly number[]>>;
  readonly repeats: Repeats;
  readonly webhooks: number;
  readonly faults: Readonly<Record<string, number>>;
  readonly kills: number;
  readonly freezes: number;
  readonly missed: number;
  /** What the scenario measured. */
  readonly figures: readonly (readonly [string, string | number])[];
  readonly findings: readonly Finding[];
}

export function isClean({ findings }: StormReport): boolean {
  return findings.every(({ found, mustBeNone }) => !mustBeNone || found.length === 0);
}

const EXAMPLES = 10;

export function tableOf(report: StormReport): string {
  const { repeats, findings } = report;
  const excused = Object.entries(repeats.ambiguous).map(([why, n]) => `${n} ${why}`);
  const figures: (readonly [string, string | number])[] = [
    ['scenario, seed, workers', `${report.scenario}, ${report.seed}, ${report.workers}`],
    ['requests', `${report.submissions}, answered ${inWords(report.answers)}`],
    ['requests repeated after their answer', report.repeatedRequests],
    ['emails accepted', report.accepted],
    ['  as', inWords(report.acceptedAs)],
    ['emails that may exist or not', report.unknown],
    ['emails refused', report.refused],
    ['deliveries', report.deliveries],
    ['  before the faults were over', report.deliveriesDuringFaults],
    ['of these again', repeats.repeated],
    ['  ambiguous', excused.length === 0 ? 0 : excused.join(', ')],
    ['events told by webhook', report.webhooks],
    ['kills, freezes, missed', `${report.kills}, ${report.freezes}, ${report.missed}`],
    ['faults', inWords(report.faults)],
    ...Object.entries(report.inHand).map(
      ([kind, counts]) => [`  in hand at ${kind}`, counts.join(' ')] as const,
    ),
    ...report.figures,
  ];
  const checks = findings.map(({ name, found, mustBeNone }): [string, string | number] => [
    `${found.length === 0 ? 'ok ' : mustBeNone ? 'BAD' : '   '} ${name}`,
    found.length,
  ]);
  return [...rows(figures), '', ...rows(checks), ...examples(findings)].join('\n');
}

function rows(cells: readonly (readonly [string, string | number])[]): string[] {
  const width = Math.max(...cells.map(([name]) => name.length));
  return cells.map(([name, value]) => `${name.padEnd(width)}  ${value}`);
}

function inWords(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');
}

function examples(findings: readonly Finding[]): string[] {
  return findings.flatMap(({ name, found }) =>
    found.length === 0
      ? []
      : ['', `${name}:`, ...found.slice(0, EXAMPLES).map((one) => `  ${one.slice(0, 400)}`)],
  );
}
