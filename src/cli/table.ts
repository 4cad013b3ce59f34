/** Aligned columns. Empty cells show a dash, so that columns stay aligned. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const all = [header, ...rows].map((row) => row.map((cell) => (cell === '' ? '-' : cell)));
  const widths = header.map((_, column) => Math.max(...all.map((row) => width(row[column] ?? ''))));
  return all.map((row) =>
    row
      .map((cell, column) => pad(cell, widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/** `2026-01-31 23:59`, UTC. */
export function minute(date: Date | null): string {
  return date === null ? '' : date.toISOString().slice(0, 16).replace('T', ' ');
}

/** In the most readable unit. */
export function duration(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`;
  return `${Math.round(seconds / 3600)} h`;
}

function pad(cell: string, to: number): string {
  return cell + ' '.repeat(Math.max(0, to - width(cell)));
}

function width(text: string): number {
  return [...text].length;
}
