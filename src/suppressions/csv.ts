/**
 * Reads and writes CSV (RFC 4180). Reading is lenient about line ends and takes linear time for any input.
 *
 * A spreadsheet would execute a cell that starts like a formula, so the writer puts an apostrophe in front and the
 * reader removes it. The writer adds one more apostrophe to a cell that already has apostrophes before such a
 * character, so that every cell is read back unchanged.
 */

export interface CsvRecord {
  /** The first line of the record, counted from 1. */
  readonly line: number;
  /** The position in the text, without the line end. */
  readonly from: number;
  readonly to: number;
  readonly cells: readonly string[];
  /** A quote is not closed, or not within LONGEST_QUOTED characters. Nothing after it was read. */
  readonly unclosed: boolean;
}

export const DELIMITERS = [',', ';', '\t'] as const;
export type Delimiter = (typeof DELIMITERS)[number];

/** More cells than any list of addresses has. The bounds keep one record from blocking the event loop for seconds. */
const MAX_CELLS = 200;
const LONGEST_QUOTED = 100_000;
/** Longer cells are truncated, and the rest of the line is skipped. */
const LONGEST_PLAIN = 10_000;

const FORMULA = /^'*[=+\-@\t\r]/;
const NEEDS_QUOTES = /[",;\t\r\n]|^\s|\s$/;
/** A cell up to the delimiter or the end of the line, one pattern per delimiter. */
const PLAIN: Readonly<Record<Delimiter, RegExp>> = {
  ',': plainCell(','),
  ';': plainCell(';'),
  '\t': plainCell('\t'),
};

function plainCell(delimiter: Delimiter): RegExp {
  return new RegExp(`[^${delimiter}\\r\\n]{0,${LONGEST_PLAIN}}`, 'y');
}

export function* csvRecords(text: string, delimiter: Delimiter = ','): Generator<CsvRecord> {
  let at = text.startsWith('\uFEFF') ? 1 : 0;
  let line = 1;
  while (at < text.length) {
    const cells: string[] = [];
    const begins = line;
    const from = at;
    let unclosed = false;
    for (;;) {
      const cell = readCell(text, at, delimiter);
      cells.push(cell.value);
      line += cell.breaks;
      unclosed ||= cell.unclosed;
      at = cell.end + 1;
      if (text[cell.end] !== delimiter) break;
      if (cells.length === MAX_CELLS) at = endOfLine(text, at);
    }
    const to = Math.min(at - 1, text.length);
    if (text[at - 1] === '\r' && text[at] === '\n') at += 1;
    line += 1;
    yield { line: begins, from, to, cells, unclosed };
  }
}

/** The most frequent delimiter of the first line: programs in many countries write semicolons. */
export function detectDelimiter(text: string): Delimiter {
  const first = /^[^\r\n]*/.exec(text.slice(0, 10_000))?.[0] ?? '';
  const counts = DELIMITERS.map((one) => first.split(one).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))] as Delimiter;
}

export function csvLine(cells: readonly string[]): string {
  return `${csvRow(cells, ',')}\r\n`;
}

export function csvRow(cells: readonly string[], delimiter: Delimiter): string {
  return cells.map(csvCell).join(delimiter);
}

function csvCell(value: string): string {
  const text = FORMULA.test(value) ? `'${value}` : value;
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

interface Cell {
  readonly value: string;
  /** The position of the delimiter or line end after the cell. */
  readonly end: number;
  readonly breaks: number;
  readonly unclosed: boolean;
}

function readCell(text: string, at: number, delimiter: Delimiter): Cell {
  if (text[at] === '"') return readQuoted(text, at, delimiter);
  const { value, end } = readPlain(text, at, delimiter);
  return { value: unguarded(value), end, breaks: 0, unclosed: false };
}

/** Text after the closing quote is kept in the cell, so that address parsing rejects it. */
function readQuoted(text: string, at: number, delimiter: Delimiter): Cell {
  let from = at + 1;
  let inner = '';
  for (;;) {
    const quote = text.indexOf('"', from);
    if (quote === -1 || inner.length + quote - from > LONGEST_QUOTED) {
      return { value: '', end: text.length, breaks: 0, unclosed: true };
    }
    inner += text.slice(from, quote);
    if (text[quote + 1] === '"') {
      inner += '"';
      from = quote + 2;
      continue;
    }
    const { value, end } = readPlain(text, quote + 1, delimiter);
    const breaks = inner.match(/\r\n|\r|\n/g)?.length ?? 0;
    return { value: unguarded(inner + value), end, breaks, unclosed: false };
  }
}

function readPlain(text: string, at: number, delimiter: Delimiter): { value: string; end: number } {
  const pattern = PLAIN[delimiter];
  pattern.lastIndex = at;
  const value = (pattern.exec(text) as RegExpExecArray)[0];
  const end = at + value.length;
  const isCutOff = value.length === LONGEST_PLAIN && ![delimiter, '\r', '\n', undefined].includes(text[end]);
  return { value, end: isCutOff ? endOfLine(text, end) : end };
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end;
}

function unguarded(value: string): string {
  return value.startsWith("'") && FORMULA.test(value) ? value.slice(1) : value;
}
