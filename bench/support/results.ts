/**
 * bench/RESULTS.md: a section for each bench, with its claim and a block between two markers. The blocks are written by
 * `npm run bench -- --all`; everything else in the file is written by hand.
 */
import type { Ended } from './supervise.ts';
import { number, percent, type Table } from './table.ts';

export interface Circumstances {
  readonly machine: string;
  readonly date: string;
  readonly commit: string;
  readonly command: string;
  /** The share of processors in use before the bench; null if it was low enough. */
  readonly busyShare: number | null;
}

export interface Section {
  readonly name: string;
  readonly claim: string | null;
  /** The text between the markers; null without markers. */
  readonly block: string | null;
}

const open = (name: string) => `<!-- result: ${name} -->`;
const CLOSE = '<!-- /result -->';

/** Headings of the second level; one without a claim and a block is not about a bench. */
export function sectionsOf(markdown: string): Section[] {
  return markdown
    .split(/^## /m)
    .slice(1)
    .map((text) => {
      const name = text.slice(0, text.indexOf('\n')).trim();
      const claim = /^\*\*Claim\*\*: (.+)\.$/m.exec(text)?.[1] ?? null;
      const [, rest] = text.split(`${open(name)}\n`);
      const block = rest?.includes(CLOSE) ? rest.slice(0, rest.indexOf(CLOSE)) : null;
      return { name, claim, block };
    });
}

/** Replaces only the block of this bench. */
export function withBlock(markdown: string, name: string, block: string): string {
  const start = markdown.indexOf(open(name));
  const end = markdown.indexOf(CLOSE, start);
  if (start === -1 || end === -1)
    throw new Error(
      `bench/RESULTS.md has no block for ${name}. Add a section with "${open(name)}" and "${CLOSE}".`,
    );
  return `${markdown.slice(0, start)}${open(name)}\n${block}${markdown.slice(end)}`;
}

export function blockOf(ended: Ended, { machine, date, commit, command, busyShare }: Circumstances): string {
  const facts = [
    `- Machine: ${machine}`,
    `- Date: ${date}`,
    `- Commit: ${commit}`,
    `- Command: \`${command}\``,
    ...(busyShare === null
      ? []
      : [`- **The machine was busy**: ${percent(busyShare)} of its processors were in use before the bench`]),
  ];
  const table = ended.kind === 'measured' ? `${markdownTable(ended.result.table)}\n\n` : '';
  return `${facts.join('\n')}\n\n${table}${verdictOf(ended)}\n`;
}

function verdictOf(ended: Ended): string {
  if (ended.kind === 'skipped') return `Not measured: ${ended.why}.`;
  if (ended.kind === 'failed') return `**Failed**: ${cell(ended.why)}`;
  const { ratio, target } = ended.result;
  return `**${ratio >= target ? 'Holds' : 'Does not hold'}**: ratio ${number(ratio, 2)} (target ${target}).`;
}

/** Aligns columns of numbers to the right, other columns to the left. */
export function markdownTable({ columns, rows }: Table): string {
  const all = [columns, ...rows].map((row) => columns.map((_, i) => cell(row[i] ?? '')));
  const widths = columns.map((_, i) => Math.max(3, ...all.map((row) => row[i]?.length ?? 0)));
  const isNumeric = columns.map((_, i) => i > 0 && rows.every((row) => /^(\W*\d|$)/.test(row[i] ?? '')));
  const line = (cells: readonly string[]) => {
    const padded = cells.map((text, i) =>
      isNumeric[i] ? text.padStart(widths[i] ?? 0) : text.padEnd(widths[i] ?? 0),
    );
    return `| ${padded.join(' | ')} |`;
  };
  const rule = widths.map((width, i) => (isNumeric[i] ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width)));
  const [head = [], ...body] = all;
  return [line(head), line(rule), ...body.map(line)].join('\n');
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}
