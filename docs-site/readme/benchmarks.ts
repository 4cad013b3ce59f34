/** Rows about performance, taken from the recorded results of bench/RESULTS.md. */

/** The text of bench/RESULTS.md. */
export type Benchmarks = string;

interface Result {
  readonly machine: string;
  readonly date: string;
  /** The value in the column of the first row that begins with these words. */
  readonly value: (row: string, column: string) => string;
}

interface Row {
  readonly bench: string;
  readonly what: string;
  readonly measured: (result: Result) => string;
  readonly against: (result: Result) => string;
}

const ROWS: readonly Row[] = [
  {
    bench: 'accept',
    what: 'accept over HTTP, 64 connections, on disk',
    measured: ({ value }) => `${value('64', 'postrider/s')} emails/s, p99 ${value('64', 'p99 ms')} ms`,
    against: ({ value }) => `${value('64', 'ratio')} of a bare web framework with one insert`,
  },
  {
    bench: 'delivery',
    what: 'deliver, 10 destinations, not signed',
    measured: ({ value }) => `${value('postrider', 'median mails/s')} emails/s`,
    against: ({ value }) => `${value('Postfix', 'postrider is so many times')} times Postfix, end to end`,
  },
  {
    bench: 'pipeline',
    what: 'all at once: accept, sign, deliver, webhooks',
    measured: ({ value }) => `${value('postrider', 'median mails/s')} emails/s`,
    against: ({ value }) =>
      `Postfix with OpenDKIM, without webhooks: ${value('Postfix', 'median mails/s')} emails/s`,
  },
  {
    bench: 'webhooks',
    what: 'call webhooks',
    measured: ({ value }) => `${value('deliveries/s in bulk', 'value')}/s`,
    against: ({ value }) =>
      `p50 from event to receiver: ${value('ms from event to receiver, p50', 'value')} ms`,
  },
];

export function benchmarkTable(results: Benchmarks): string {
  const lines = ROWS.map(({ bench, what, measured, against }) => {
    const result = resultOf(results, bench);
    const cells = [`[${what}](bench/RESULTS.md#${bench})`, measured(result), against(result)];
    return `| ${[...cells, `${result.date}, ${result.machine}`].join(' | ')} |`;
  });
  return ['| what | measured | compared with | when and where |', '| --- | --- | --- | --- |', ...lines].join(
    '\n',
  );
}

function resultOf(results: Benchmarks, bench: string): Result {
  const [, block] =
    new RegExp(`<!-- result: ${bench} -->\\n([\\s\\S]*?)<!-- /result -->`).exec(results) ?? [];
  if (block === undefined) throw new Error(`bench/RESULTS.md has no result of "${bench}".`);
  const named = (name: string) => new RegExp(`^- ${name}: (.*)$`, 'm').exec(block)?.[1] ?? '';
  return {
    machine: (named('Machine').split(/, | \(/)[0] ?? '').trim(),
    date: named('Date'),
    value: (row, column) => cellOf(block, bench, row, column),
  };
}

function cellOf(block: string, bench: string, row: string, column: string): string {
  const [head = [], ...rows] = [...block.matchAll(/^\|(.*)\|$/gm)].map(([, cells = '']) =>
    cells.split('|').map((cell) => cell.trim()),
  );
  const found = rows.find(([name = '']) => name.startsWith(row))?.[head.indexOf(column)];
  if (!found) throw new Error(`The result of "${bench}" has no "${column}" in the row "${row}".`);
  return found;
}
