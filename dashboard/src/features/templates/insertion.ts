/** The expression that inserts a variable at a place: inside of a loop, the variables of its items are `this.…`. */
import { scanTags } from '../../../../src/template-language/scan.ts';

export interface Variable {
  readonly name: string;
  readonly type: string;
}

export interface Insertion {
  readonly text: string;
  /** The offset of the caret after the insertion. */
  readonly caret: number;
}

const LOOP = /^\{\{~?#\s*(each|with)\s+([^\s}~|]+)/;

/** The paths of the values that `this` means in the blocks around the end of a text, from the outside in. */
export function scopesAt(textBefore: string): string[] {
  const open: (string | null)[] = [];
  for (const { kind, start, end } of scanTags(textBefore).tags) {
    if (kind === 'close') open.pop();
    if (kind !== 'open') continue;
    const loop = LOOP.exec(textBefore.slice(start, end));
    const path = loop ? absolute(loop[2] ?? '', open.findLast((scope) => scope !== null) ?? null) : null;
    open.push(path === null ? null : loop?.[1] === 'each' ? `${path}[]` : path);
  }
  return open.filter((scope) => scope !== null);
}

function absolute(path: string, scope: string | null): string {
  const rest = path.replace(/^(this|@root|\.)(\.|\/|$)/, '');
  if (scope === null || path.startsWith('@root')) return rest;
  return rest === '' ? scope : `${scope}.${rest}`;
}

export function insertionOf({ name, type }: Variable, textBefore: string): Insertion {
  const scope = scopesAt(textBefore).at(-1) ?? '';
  if (scope !== '' && name === scope) return finished('{{this}}');
  if (scope !== '' && name.startsWith(`${scope}.`))
    return inScope(name.slice(scope.length + 1), type, 'this.');
  return inScope(name, type, scope === '' ? '' : '@root.');
}

/** Values of lists are inserted in a loop, and a condition gets its content later. */
function inScope(path: string, type: string, prefix: string): Insertion {
  const [list, ...rest] = path.split('[]');
  if (list !== undefined && rest.length > 0) {
    const inner = rest.join('[]').replace(/^\./, '');
    const { text } = inner === '' ? finished('{{this}}') : inScope(inner, type, 'this.');
    return finished(`{{#each ${prefix}${list}}}${text}{{/each}}`);
  }
  if (type === 'array') return finished(`{{#each ${prefix}${path}}}{{this}}{{/each}}`);
  if (type !== 'boolean') return finished(`{{${prefix}${path}}}`);
  const open = `{{#if ${prefix}${path}}}`;
  return { text: `${open}{{/if}}`, caret: open.length };
}

function finished(text: string): Insertion {
  return { text, caret: text.length };
}

/** The variables that a template uses, then those that only its rules or its sample data name. */
export function knownVariables(
  used: readonly Variable[],
  rules: readonly Variable[],
  sample: unknown,
): Variable[] {
  const types = new Map<string, string>();
  for (const { name, type } of [...rules, ...used, ...variablesIn(sample, '')])
    if (!types.has(name)) types.set(name, type);
  const names = [...types.keys()];
  return names
    .filter((name) => !names.some((other) => other !== name && /^(\[\]|\.)/.test(rest(other, name))))
    .map((name) => ({ name, type: types.get(name) ?? 'string' }));
}

function rest(name: string, start: string): string {
  return name.startsWith(start) ? name.slice(start.length) : '';
}

const MAX_DEPTH = 4;
const MAX_VARIABLES = 100;

function variablesIn(value: unknown, path: string, depth = 0): Variable[] {
  if (depth > MAX_DEPTH) return [];
  if (Array.isArray(value)) {
    const inside = variablesIn(value[0], `${path}[]`, depth + 1);
    return inside.length > 0 && typeof value[0] === 'object' ? inside : [{ name: path, type: 'array' }];
  }
  if (typeof value !== 'object' || value === null)
    return path === '' ? [] : [{ name: path, type: typeof value }];
  return Object.entries(value)
    .slice(0, MAX_VARIABLES)
    .flatMap(([key, inner]) => variablesIn(inner, path === '' ? key : `${path}.${key}`, depth + 1));
}
