/** Which metrics an expression of PromQL names, and which labels it expects them to have. */

export interface Named {
  readonly metric: string;
  readonly labels: readonly string[];
}

const WORDS = /^(by|without|on|ignoring|and|or|unless|bool|offset|group_left|group_right)$/;
/** Those that Prometheus itself adds to what it scrapes. */
const TARGET_LABELS = ['instance', 'job'];

/** Labels that are grouped by are expected of every metric in the expression. */
export function namedIn(expression: string): Named[] {
  const bare = expression.replace(/\[[^\]]*\]/g, '').replace(/"(?:[^"\\]|\\.)*"/g, '""');
  const grouped = [...bare.matchAll(/\b(?:by|on|without|ignoring)\s*\(([^)]*)\)/g)].flatMap(
    ([, names = '']) => wordsIn(names),
  );
  const rest = bare.replace(/\b(?:by|on|without|ignoring)\s*\([^)]*\)/g, ' ');
  return [...rest.matchAll(/([a-zA-Z_][\w:]*)\s*(\{[^}]*\})?(?!\w*\s*\()/g)]
    .filter(([, name = '']) => !WORDS.test(name))
    .map(([, metric = '', matchers = '']) => ({
      metric,
      labels: [...grouped, ...wordsIn(matchers)].filter((label) => !TARGET_LABELS.includes(label)),
    }));
}

/** What `{{label}}` of a legend, or `{{ $labels.label }}` of a text, refers to. */
export function labelsInText(text: string): string[] {
  return [...text.matchAll(/\{\{\s*(?:\$labels\.)?([a-z_]+)\s*\}\}/g)]
    .map(([, label = '']) => label)
    .filter((label) => !TARGET_LABELS.includes(label));
}

/** Labels by metric, of a page in Prometheus' text format. */
export function labelsOnPage(page: string): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const [, metric = '', labels = ''] of page.matchAll(/^(\w+)\{(.*)\} \S+$/gm)) {
    const known = found.get(metric) ?? new Set();
    for (const [, label = ''] of labels.matchAll(/(?:^|,)(\w+)="/g)) known.add(label);
    found.set(metric, known);
  }
  return found;
}

function wordsIn(text: string): string[] {
  return [...text.matchAll(/[a-zA-Z_]\w*/g)].map(([word]) => word);
}
