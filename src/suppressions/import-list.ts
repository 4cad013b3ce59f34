/**
 * Parses an uploaded list into addresses and reasons. Parsing is deterministic, so an interrupted import can resume.
 */
import { type AddressKey, type EmailAddress, parseAddress } from '../protocols/message/address.ts';
import { Turns } from '../runtime/turns.ts';
import { type CsvRecord, csvLine, csvRecords, csvRow, type Delimiter, detectDelimiter } from './csv.ts';
import { GROUP_NAME, REASONS, type Reason } from './suppression.ts';

/** JSON is stored as lines without a heading, so that line numbers equal positions in the JSON list. */
export type ListFormat = 'csv' | 'json';

export interface ListedAddress {
  readonly ok: true;
  readonly email: EmailAddress;
  readonly key: AddressKey;
  readonly reason: Reason | null;
  readonly group: string | null;
}

export interface ListProblem {
  readonly ok: false;
  readonly line: number;
  readonly field: 'email' | 'reason' | 'unsubscribe_group';
  readonly message: string;
}

const EMAIL_HEADINGS = ['email', 'e-mail', 'email address', 'email_address', 'address', 'recipient'];

/** Counts the addresses of a list, up to `limit`. */
export async function countListed(text: string, format: ListFormat, limit: number): Promise<number> {
  let count = 0;
  for await (const _ of readList(text, format)) {
    count += 1;
    if (count > limit) break;
  }
  return count;
}

/** Yields each address as a function that parses it, so that counting and skipping do not parse. */
export async function* readList(
  text: string,
  format: ListFormat,
): AsyncGenerator<() => ListedAddress | ListProblem> {
  const turns = new Turns();
  for (const line of linesOf(text, format)) {
    if (turns.isOver) await turns.next();
    if (line !== null) yield () => readLine(line);
  }
}

/** Converts a JSON list into the stored format. */
export async function linesFromJson(
  items: readonly {
    readonly email: string;
    readonly reason?: Reason;
    readonly unsubscribe_group?: string;
  }[],
): Promise<string> {
  const turns = new Turns();
  const lines: string[] = [];
  for (const { email, reason = '', unsubscribe_group: group = '' } of items) {
    if (turns.isOver) await turns.next();
    // An address with a line break is invalid either way; the space keeps later line numbers unchanged.
    lines.push(csvLine([email.replace(/[\r\n]/g, ' '), reason, group]));
  }
  return lines.join('');
}

/** Replaces the address with this `key` by another in the list. Line numbers stay unchanged. */
export async function renameInList(
  text: string,
  format: ListFormat,
  key: AddressKey,
  email: string,
): Promise<string> {
  const parts: string[] = [];
  const turns = new Turns();
  let copiedTo = 0;
  for (const line of linesOf(text, format)) {
    if (turns.isOver) await turns.next();
    if (line === null || !isOf(line, key)) continue;
    const { record, column } = line;
    const cells = record.cells.map((cell, index) => (index === column ? email : cell));
    parts.push(text.slice(copiedTo, record.from), csvRow(cells, delimiterOf(text, format)));
    copiedTo = record.to;
  }
  return parts.join('') + text.slice(copiedTo);
}

function isOf({ email }: Line, key: AddressKey): boolean {
  const parsed = parseAddress(email);
  return parsed.ok && parsed.key === key;
}

interface Line {
  readonly record: CsvRecord;
  /** The column that contains the address. */
  readonly column: number;
  readonly email: string;
  readonly reason: string;
  readonly group: string;
}

interface Columns {
  readonly email: number;
  readonly reason: number;
  readonly group: number;
}

/** The columns without a heading. In CSV only the first two have a meaning. */
const UNNAMED: Readonly<Record<ListFormat, Columns>> = {
  csv: { email: 0, reason: 1, group: -1 },
  json: { email: 0, reason: 1, group: 2 },
};

/** Yields null for the heading and for empty lines, of which there may be millions. */
function* linesOf(text: string, format: ListFormat): Generator<Line | null> {
  let columns = UNNAMED[format];
  let isFirst = format === 'csv';
  for (const record of csvRecords(text, delimiterOf(text, format))) {
    const isEmpty = !record.unclosed && record.cells.every((cell) => cell.trim() === '');
    const heading = isFirst && !isEmpty ? readHeading(record) : null;
    isFirst &&= isEmpty;
    columns = heading ?? columns;
    if (isEmpty || heading !== null) {
      yield null;
      continue;
    }
    const { cells } = record;
    yield {
      record,
      column: columns.email,
      email: format === 'csv' ? (cells[columns.email] ?? '').trim() : (cells[0] ?? ''),
      reason: (cells[columns.reason] ?? '').trim(),
      group: (cells[columns.group] ?? '').trim(),
    };
  }
}

function delimiterOf(text: string, format: ListFormat): Delimiter {
  return format === 'csv' ? detectDelimiter(text) : ',';
}

/** Null when the first line is an address. */
function readHeading({ cells }: CsvRecord): Columns | null {
  const names = cells.map((cell) => cell.trim().toLowerCase());
  const email = names.findIndex((name) => EMAIL_HEADINGS.includes(name));
  if (email === -1) return null;
  return { email, reason: names.indexOf('reason'), group: names.indexOf('unsubscribe_group') };
}

function readLine({ record, email, reason, group }: Line): ListedAddress | ListProblem {
  const { line, unclosed } = record;
  if (unclosed) {
    return {
      ok: false,
      line,
      field: 'email',
      message: 'A quote is opened here and never closed; nothing behind it was read.',
    };
  }
  const parsed = parseAddress(email);
  if (!parsed.ok) return { ok: false, line, field: 'email', message: parsed.message };
  const known = reason === '' ? null : REASONS.find((one) => one === reason.toLowerCase());
  if (known === undefined) {
    return { ok: false, line, field: 'reason', message: `The reason must be one of ${REASONS.join(', ')}.` };
  }
  if (group !== '' && (known !== 'unsubscribe' || !GROUP_NAME.test(group))) {
    const message = 'A group is a name such as product-news, for the reason unsubscribe alone.';
    return { ok: false, line, field: 'unsubscribe_group', message };
  }
  return {
    ok: true,
    email: parsed.email,
    key: parsed.key,
    reason: known,
    group: group === '' ? null : group,
  };
}
