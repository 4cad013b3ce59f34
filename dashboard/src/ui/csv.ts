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

/** Columns are the fields of the rows, in the order in which they first come. */
export function toCsv(rows: readonly object[]): string {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const lines = rows.map((row) =>
    names.map((name) => cell((row as Record<string, unknown>)[name])).join(','),
  );
  return [names.map(quoted).join(','), ...lines, ''].join('\r\n');
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return quoted(harmless(typeof value === 'string' ? value : JSON.stringify(value)));
}

/** Subjects are written by strangers, and a spreadsheet runs what begins like a formula. */
function harmless(text: string): string {
  return /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
