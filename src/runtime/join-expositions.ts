interface Exposition {
  readonly text: string;
  /** Labels added to each sample: `process="worker 2"`, or nothing. */
  readonly labels: string;
}

/**
 * Joins several pages in Prometheus' text format into one that describes each metric once. Every sample must already have a
 * label, as all of ours do: `role`.
 */
export function joinExpositions(pages: readonly Exposition[]): string {
  const metrics = new Map<string, string[]>();
  for (const { text, labels } of pages) {
    for (const block of text.split(/^(?=# HELP )/m)) {
      const [help = '', type = '', ...samples] = block.split('\n').filter((line) => line !== '');
      const name = help.split(' ')[2] ?? '';
      const lines = metrics.get(name) ?? [help, type];
      lines.push(...samples.map((line) => (labels === '' ? line : line.replace('{', `{${labels},`))));
      metrics.set(name, lines);
    }
  }
  return `${[...metrics.values()].flat().join('\n')}\n`;
}
