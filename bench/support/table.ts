/** A table for people: first column to the left, numbers to the right. */
export type Table = { readonly columns: readonly string[]; readonly rows: readonly (readonly string[])[] };

export function renderTable({ columns, rows }: Table): string {
  const widths = columns.map((column, i) =>
    Math.max(column.length, ...rows.map((row) => (row[i] ?? '').length)),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))
      .join('  ');
  const rule = widths.map((width) => '-'.repeat(width)).join('  ');
  return [line(columns), rule, ...rows.map(line)].join('\n');
}

/** `share` is from 0 to 1. */
export function percent(share: number): string {
  return `${number(100 * share)} %`;
}

export function number(value: number, digits = 0): string {
  return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
