/** The outcome of a soak, as a table for people and as JSON for programs. */
import type { Bound, Judgement } from './judge.ts';
import type { Sample } from './sampler.ts';
import type { Counted } from './tally.ts';

export interface SoakReport {
  readonly commit: string;
  readonly startedAt: string;
  /** From the first sample to the last. */
  readonly minutes: number;
  /** Between two samples, of which there should be one every ten seconds. */
  readonly longestGapS: number;
  readonly seed: number;
  readonly cores: number;
  readonly workers: number;
  /** Emails a second; null where the rate was given. */
  readonly capacity: number | null;
  readonly load: number | null;
  readonly rate: number;
  readonly acceptedEmails: number;
  readonly deliveredMails: number;
  readonly streamedEvents: number;
  readonly drainedAfterS: number | null;
  readonly requests: Readonly<Record<string, Counted>>;
  readonly tables: readonly { name: string; bytes: number; rows: number }[];
  readonly judgements: readonly Judgement[];
  /** What must not be, apart from growth. */
  readonly problems: readonly string[];
  readonly samples: readonly Sample[];
}

export function isFlat({ judgements, problems }: SoakReport): boolean {
  return problems.length === 0 && judgements.every((one) => one.isFlat);
}

const HEAD = ['', 'second quarter', 'last quarter', 'an hour', 'bound', ''];

/** Markdown, so that it can stand in the documentation as it is. */
export function tableOf({ judgements }: SoakReport): string {
  const rows = judgements.map((one) => [
    one.name,
    withUnit(one.early, one.unit),
    withUnit(one.late, one.unit),
    `${one.perHour >= 0 ? '+' : ''}${withUnit(one.perHour, one.unit)}`,
    boundOf(one.bound, one.unit),
    verdictOf(one),
  ]);
  const widths = HEAD.map((head, i) => Math.max(head.length, ...rows.map((row) => (row[i] ?? '').length), 3));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, i) => (i === 0 || i > 3 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join(' | ')} |`;
  const rule = widths.map((width, i) => (i === 0 || i > 3 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`));
  return [line(HEAD), `| ${rule.join(' | ')} |`, ...rows.map(line)].join('\n');
}

function verdictOf({ bound, isFlat: flat }: Judgement): string {
  return bound.kind === 'shown' ? '' : flat ? 'flat' : '**grows**';
}

function boundOf(bound: Bound, unit: string): string {
  if (bound.kind === 'rise') return `+${withUnit(bound.most, unit)}`;
  if (bound.kind === 'rise-percent') return `+${bound.most}%`;
  return bound.kind === 'at-most' ? `at most ${withUnit(bound.most, unit)}` : '';
}

function withUnit(value: number, unit: string): string {
  const size = Math.abs(value);
  const digits = Number.isInteger(value) || size >= 100 ? 0 : size >= 10 ? 1 : 2;
  const text = (Math.abs(Number(value.toFixed(digits))) === 0 ? 0 : value).toLocaleString('en', {
    maximumFractionDigits: digits,
  });
  return unit === '' ? text : unit.startsWith('/') ? `${text}${unit}` : `${text} ${unit}`;
}
