/** The tables that the lab prints. */
export interface Row {
  readonly cells: readonly string[];
  readonly problems: readonly string[];
}

export function tableOf(columns: readonly string[], rows: readonly Row[]): string {
  const lines = [
    [...columns, ''],
    ...rows.map(({ cells, problems }) => [...cells, problems.length === 0 ? 'ok' : 'BAD']),
  ];
  const widths = lines[0]?.map((_, i) => Math.max(...lines.map((line) => [...(line[i] ?? '')].length))) ?? [];
  return lines
    .flatMap((line, i) => [
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
      ...(rows[i - 1]?.problems.map((problem) => `    ${problem}`) ?? []),
    ])
    .join('\n');
}

export function isGood(rows: readonly Row[]): boolean {
  return rows.length > 0 && rows.every(({ problems }) => problems.length === 0);
}
