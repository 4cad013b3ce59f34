/** Rows of a list as a file that spreadsheets open. */

/** More than that is for the API: a browser would hold all of it in memory. */
const MAX_EXPORTED = 10_000;

interface Exported {
  readonly csv: string;
  readonly count: number;
  /** There were more. */
  readonly isCut: boolean;
}

/** Those that are at hand, or those that come page by page. */
export type ExportedRows = AsyncIterable<object> | Iterable<object>;

export async function exportRows(rows: ExportedRows, max = MAX_EXPORTED): Promise<Exported> {
  const kept: object[] = [];
  for await (const row of rows) {
    if (kept.length === max) return { csv: toCsv(kept), count: max, isCut: true };
    kept.push(row);
  }
  return { csv: toCsv(kept), count: kept.length, isCut: false };
}

/** Columns are the fields of the rows, in the order in which they first come. Fields of fields are columns as well. */
export function toCsv(rows: readonly object[]): string {
  const flat = flattened(rows);
  const names = [...new Set(flat.flatMap((row) => Object.keys(row)))];
  const lines = flat.map((row) => names.map((name) => cell(row[name])).join(','));
  return [names.map(quoted).join(','), ...lines, ''].join('\r\n');
}

type Row = Readonly<Record<string, unknown>>;

/** A field with the same fields in every row becomes a column for each of them, such as `hold.reason`. */
function flattened(rows: readonly object[]): readonly Row[] {
  const fields = new Map<string, Set<string>>();
  for (const row of rows)
    for (const [name, value] of Object.entries(row)) {
      const before = fields.get(name) ?? new Set();
      fields.set(name, before);
      if (value !== null && value !== undefined) before.add(isPlain(value) ? Object.keys(value).join() : '');
    }
  const isSplit = (name: string) => fields.get(name)?.size === 1 && !fields.get(name)?.has('');
  return rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).flatMap(([name, value]) => {
        if (!isSplit(name)) return [[name, value]];
        return Object.entries(value ?? {}).map(([field, inner]) => [`${name}.${field}`, inner]);
      }),
    ),
  );
}

function isPlain(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return quoted(harmless(plainText(value)));
}

/** As a person would write it: addresses, tags and lists in one line, never JSON. */
function plainText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(plainText).join('; ');
  if (!isPlain(value)) return String(value);
  const { email, name } = value;
  if (typeof email === 'string' && Object.keys(value).every((field) => field === 'email' || field === 'name'))
    return name ? `${name} <${email}>` : email;
  if (typeof name === 'string' && 'value' in value && Object.keys(value).length === 2)
    return `${name}: ${plainText(value.value)}`;
  return Object.entries(value)
    .map(([field, inner]) => `${field}: ${plainText(inner)}`)
    .join(', ');
}

/** Subjects are written by strangers, and a spreadsheet runs what begins like a formula. */
function harmless(text: string): string {
  return /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
