/** The sample data of a template: the saved one, or a plausible value for every variable. */
import type { TemplateDetail } from '@postrider/sdk';
import type { Rule } from './rules.ts';

interface Variable {
  readonly name: string;
  readonly type: string;
}

interface Default {
  readonly name: string;
  readonly default_value?: unknown;
}

type Node = Record<string, unknown>;

/** The sample data as JSON. */
export function sampleText({ sample_data, draft, ...current }: TemplateDetail): string {
  const { variables, variable_schema } = draft ?? current;
  const rules = variable_schema as unknown as Rule[];
  return JSON.stringify(sample_data ?? sampleData(variables ?? [], rules), null, 2);
}

/** Variables with a default get the default. */
export function sampleData(variables: readonly Variable[], rules: readonly Default[] = []): Node {
  const root: Node = {};
  const defaults = new Map(rules.map(({ name, default_value }) => [name, default_value]));
  const paths = variables.map(({ name, type }) => ({
    steps: name.split('.').filter((step) => step !== '' && step !== 'this'),
    type,
    value: defaults.get(name) ?? undefined,
  }));
  // The deepest paths first: only `items[].price` shows that the items of the list are objects.
  paths.sort((a, b) => b.steps.length - a.steps.length);
  for (const { steps, type, value } of paths) place(root, steps, type, value);
  return Object.fromEntries(
    Object.entries(root).sort(([a], [b]) => order(variables, a) - order(variables, b)),
  );
}

/** The order of the variables in the template. */
function order(variables: readonly Variable[], key: string): number {
  return variables.findIndex(({ name }) => name.split(/[.[]/, 1)[0] === key);
}

/** `items[].price` is a list of things with a price. */
function place(node: Node, steps: readonly string[], type: string, value: unknown): void {
  const [step, ...rest] = steps;
  if (step === undefined) return;
  const isList = step.endsWith('[]');
  const key = isList ? step.slice(0, -2) : step;
  if (isList) {
    if (!Array.isArray(node[key])) node[key] = [rest.length === 0 ? sampleOf(key, 'string') : {}];
    const [first] = node[key] as unknown[];
    if (rest.length > 0 && isNode(first)) place(first, rest, type, value);
    return;
  }
  if (rest.length === 0) {
    node[key] ??= value ?? sampleOf(key, type);
    return;
  }
  if (!isNode(node[key])) node[key] = {};
  place(node[key] as Node, rest, type, value);
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function sampleOf(key: string, type: string): unknown {
  if (type === 'number') return 42;
  if (type === 'boolean') return true;
  if (type === 'array') return ['first', 'second'];
  if (type === 'object') return {};
  if (type === 'date' || /date|_at$/i.test(key)) return '2027-01-31';
  if (/name/i.test(key)) return 'Ada';
  if (/mail/i.test(key)) return 'ada@example.org';
  if (/url|link|href/i.test(key)) return 'https://example.org/';
  return key;
}

/** Whether two texts are the same JSON, however they are indented. */
export function isSameData(a: string, b: string): boolean {
  try {
    return JSON.stringify(JSON.parse(a)) === JSON.stringify(JSON.parse(b));
  } catch {
    return a === b;
  }
}
