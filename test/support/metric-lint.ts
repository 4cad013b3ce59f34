/** The checks of `promtool check metrics`, for machines without promtool. https://prometheus.io/docs/practices/naming */

const SAMPLE_SUFFIXES = ['_count', '_sum', '_bucket'];
const TYPES = ['counter', 'gauge', 'histogram', 'summary'];
const RESERVED_LABELS: Readonly<Record<string, string>> = { le: 'histogram', quantile: 'summary' };
/** Abbreviations, and units that must be replaced by their base unit. */
const UNITS =
  /_(milliseconds?|microseconds?|nanoseconds?|minutes?|hours?|days?|weeks?|kilobytes?|megabytes?|gigabytes?|bits?|percent|ms|us|ns|sec|kb|mb|gb|s|b|m|h|d)(_|$)/;

/** One line for each error, such as `x_total: a gauge must not end in _total`. */
export function lintExposition(text: string): string[] {
  const types = new Map<string, string>();
  const helps = new Map<string, string>();
  const labels = new Map<string, Set<string>>();
  for (const line of text.split('\n')) {
    const [, kind, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) ?(.*)$/.exec(line) ?? [];
    if (kind === 'TYPE') types.set(name, rest);
    if (kind === 'HELP') helps.set(name, rest);
    const [, sample = '', of = ''] = /^([a-zA-Z_:][\w:]*)\{(.*)\} /.exec(line) ?? [];
    const used = [...of.matchAll(/(?:^|,)([a-zA-Z_]\w*)="/g)].map(([, label = '']) => label);
    labels.set(sample, new Set([...(labels.get(sample) ?? []), ...used]));
  }
  return [...types].flatMap(([name, type]) =>
    faultsOf({ name, type, help: helps.get(name) ?? '', labels: labelsOf(name, labels) }).map(
      (fault) => `${name}: ${fault}`,
    ),
  );
}

function labelsOf(name: string, labels: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  return [name, ...SAMPLE_SUFFIXES.map((suffix) => name + suffix)].flatMap((one) => [
    ...(labels.get(one) ?? []),
  ]);
}

interface Metric {
  readonly name: string;
  readonly type: string;
  readonly help: string;
  readonly labels: readonly string[];
}

function faultsOf({ name, type, help, labels }: Metric): string[] {
  const found: [boolean, string][] = [
    [help.trim() === '', 'has no help text'],
    [type === 'counter' && !name.endsWith('_total'), 'a counter must end in _total'],
    [type !== 'counter' && name.endsWith('_total'), `a ${type} must not end in _total`],
    [SAMPLE_SUFFIXES.some((suffix) => name.endsWith(suffix)), 'ends like a sample of a histogram'],
    [TYPES.some((one) => name.split('_').includes(one)), 'has a type in its name'],
    [name.includes(':'), 'has a colon, which recording rules are for'],
    [/[a-z][A-Z]/.test(name) || labels.some((label) => /[a-z][A-Z]/.test(label)), 'is in camel case'],
    [UNITS.test(name), 'is not in a base unit'],
    [labels.some((label) => (RESERVED_LABELS[label] ?? type) !== type), 'has a label of another type'],
  ];
  return found.filter(([isFault]) => isFault).map(([, fault]) => fault);
}
