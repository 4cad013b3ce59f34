/** Warnings of a preview: missing, odd or dangerous values and their positions. */
import { nearestName } from '../runtime/nearest-name.ts';
import { momentOf } from './format-date.ts';
import { compareValues, helper } from './helpers.ts';
import type { RenderScope, Watcher } from './run.ts';
import type { Call, EachNode, PartName, Path, Place, ValueNode } from './tree.ts';
import { ownProperty, paidText, typeName } from './values.ts';

type WarningCode =
  | 'missing_variable'
  | 'type_mismatch'
  | 'non_scalar'
  | 'unused'
  | 'unsafe_url'
  | 'unescaped_value';

export type TemplateWarning = {
  readonly code: WarningCode;
  /** Null when the warning concerns the data and no position in the template. */
  readonly part: PartName | null;
  /** The name in the data: `items[].price`. */
  readonly path: string;
  readonly line: number | null;
  readonly column: number | null;
  /** The layout or partial of the position. */
  readonly source: string | null;
  readonly message: string;
};

const MAX_WARNINGS = 100;
/** Comparing two long names takes up to 50 µs, so previews compare only a limited number. */
const MAX_KEYS_COMPARED = 30;
const MAX_HINTS = 20;
const LONGEST_HINTED = 32;
const SCHEME = /^[a-z][a-z0-9+.-]*:/i;
const SAFE_SCHEME = /^(?:https?|mailto|tel):/i;
const NEEDS_ESCAPING = /[&<>"']/;

/**
 * Collects the warnings of one part. Each position gives one warning per kind, however often a loop repeats
 * it.
 */
export class Notes implements Watcher {
  readonly warnings: TemplateWarning[] = [];
  readonly #part: PartName;
  readonly #seen = new Map<string, Set<Place>>();

  constructor(part: PartName) {
    this.#part = part;
  }

  printed(node: ValueNode, value: unknown, scope: RenderScope): void {
    const path = node.value.kind === 'path' ? node.value : firstPath(node.value);
    if (path === null) return;
    if (node.value.kind === 'path') {
      if (value == null) {
        this.missing(node.value, scope);
        return;
      }
      if (typeof value === 'object') this.#nonScalar(path, value);
    }
    if (node.startsUrl) this.#checkUrl(path, paidText(scope.run, value));
    if (this.#part !== 'html' || node.escaped) return;
    if (!NEEDS_ESCAPING.test(paidText(scope.run, value))) return;
    const message = `${named(path)} is put into the HTML as it is: write {{${path.text}}} unless you trust where it comes from.`;
    this.#add('unescaped_value', path, message);
  }

  repeated({ list }: EachNode, value: unknown, scope: RenderScope): void {
    if (value == null) this.missing(list, scope);
    else if (typeof value !== 'object') {
      this.#add('type_mismatch', list, `${named(list)} should be a list, but is ${typeName(value)}.`);
    }
  }

  called(call: Call, values: readonly unknown[], { run }: RenderScope): void {
    const path = firstPath(call);
    const [first, second] = values;
    if (path === null || first == null) return;
    const { use } = helper(call.helper);
    if (use === 'date' && momentOf(first) === null) {
      this.#add('type_mismatch', path, `${named(path)} should be a date in ISO 8601, like 2026-11-15.`);
    }
    if (use === 'number' && second != null && compareValues(run, first, second) === null) {
      this.#add('type_mismatch', path, `${named(path)} cannot be compared: both sides should be numbers.`);
    }
    if (use === 'list' && typeof first !== 'object' && typeof first !== 'string') {
      this.#add('type_mismatch', path, `${named(path)} should be a list, but is ${typeName(first)}.`);
    }
    if (use === 'text' && typeof first === 'object') this.#nonScalar(path, first);
  }

  missing(path: Path, scope: RenderScope): void {
    // Checked first: finding the reason takes some work, and loops repeat it.
    if (!this.#isFirstReport('missing', path.place)) return;
    const { code, message } = reasonForMissing(path, scope, this.warnings.length < MAX_HINTS);
    this.#push(code, path, message);
  }

  #nonScalar(path: Path, value: unknown): void {
    const advice = Array.isArray(value)
      ? `repeat it with {{#each ${path.text}}}`
      : `print one of its fields, like {{${path.text}.name}}`;
    const effect = Array.isArray(value) ? 'is printed with commas' : 'is printed as nothing';
    this.#add('non_scalar', path, `${named(path)} is ${typeName(value)} and ${effect}: ${advice}.`);
  }

  #checkUrl(path: Path, text: string): void {
    // Browsers skip blanks and control characters before and inside a scheme.
    const url = text.slice(0, 200).replace(/[\s\p{Cc}]/gu, '');
    const scheme = SCHEME.exec(url)?.[0];
    if (scheme === undefined || SAFE_SCHEME.test(url)) return;
    const message = `${named(path)} makes a link with ${scheme} - only http, https, mailto and tel are safe.`;
    this.#add('unsafe_url', path, message);
  }

  #add(code: WarningCode, path: Path, message: string): void {
    if (this.#isFirstReport(code, path.place)) this.#push(code, path, message);
  }

  #isFirstReport(what: string, place: Place): boolean {
    if (this.warnings.length >= MAX_WARNINGS) return false;
    const seen = this.#seen.get(what) ?? new Set<Place>();
    if (seen.has(place)) return false;
    this.#seen.set(what, seen.add(place));
    return true;
  }

  #push(code: WarningCode, path: Path, message: string): void {
    const { line, column, source = null } = path.place;
    const name = path.name ?? path.text;
    this.warnings.push({ code, part: this.#part, path: name, line, column, source, message });
  }
}

/** Keys of the data that no part of the template uses. */
export function unusedWarnings(
  data: Readonly<Record<string, unknown>>,
  used: ReadonlySet<string>,
): TemplateWarning[] {
  const unused = Object.keys(data).filter((key) => !used.has(key));
  return unused.slice(0, MAX_WARNINGS).map((key, i) => {
    const near = i < MAX_HINTS ? nearKey(key, [...used]) : undefined;
    const hint = near === undefined || Object.hasOwn(data, near) ? '' : ` Did you mean ${near}?`;
    const message = `${key} is not used by the template.${hint}`;
    return { code: 'unused', part: null, path: key, line: null, column: null, source: null, message };
  });
}

function reasonForMissing(
  path: Path,
  scope: RenderScope,
  mayCompare: boolean,
): { code: WarningCode; message: string } {
  const missing = `${named(path)} is missing and renders as nothing.`;
  if (path.from.kind !== 'context' || path.parts.length === 0)
    return { code: 'missing_variable', message: missing };
  const chain = contexts(scope);
  const owner = chain[path.from.depth];
  const [first = ''] = path.parts;
  if (owner !== undefined && ownProperty(owner, first) === undefined) {
    const hint = outerHint(path, chain) ?? (mayCompare ? nearHint(path, owner) : null);
    return { code: 'missing_variable', message: hint === null ? missing : `${missing} ${hint}` };
  }
  const blocking = firstScalar(owner, path.parts);
  if (blocking === null) return { code: 'missing_variable', message: missing };
  const message = `${blocking.name} should be an object, but is ${typeName(blocking.value)}; ${named(path)} renders as nothing.`;
  return { code: 'type_mismatch', message };
}

function contexts(scope: RenderScope): unknown[] {
  const chain: unknown[] = [scope.context];
  for (let outer = scope.depths.parent; outer !== null; outer = outer.parent) chain.push(outer.value);
  return chain;
}

/**
 * Unlike in Mustache, names are not looked up in outer scopes: `{{currency}}` in a loop is the item's own.
 */
function outerHint(path: Path, chain: readonly unknown[]): string | null {
  const depth = path.from.kind === 'context' ? path.from.depth : 0;
  for (let up = depth + 1; up < chain.length; up += 1) {
    if (ownProperty(chain[up], path.parts[0] ?? '') === undefined) continue;
    return `Did you mean {{${'../'.repeat(up)}${path.parts.join('.')}}}?`;
  }
  return null;
}

function nearHint(path: Path, owner: unknown): string | null {
  if (owner === null || typeof owner !== 'object' || Array.isArray(owner)) return null;
  const near = nearKey(path.parts[0] ?? '', Object.keys(owner));
  return near === undefined ? null : `The data has ${near}.`;
}

function nearKey(name: string, keys: readonly string[]): string | undefined {
  if (name.length > LONGEST_HINTED) return undefined;
  const short = keys.filter((key) => key.length <= LONGEST_HINTED);
  return nearestName(name, short.slice(0, MAX_KEYS_COMPARED));
}

/** The first value on the path that has no fields. */
function firstScalar(start: unknown, parts: readonly string[]): { name: string; value: unknown } | null {
  let value = start;
  for (const [i, part] of parts.entries()) {
    value = ownProperty(value, part);
    if (value == null) return null;
    if (typeof value !== 'object' && i < parts.length - 1)
      return { name: parts.slice(0, i + 1).join('.'), value };
  }
  return null;
}

function firstPath(expression: ValueNode['value']): Path | null {
  if (expression.kind === 'path') return expression;
  if (expression.kind === 'literal') return null;
  for (const arg of expression.args) {
    const path = firstPath(arg);
    if (path !== null) return path;
  }
  return null;
}

function named(path: Path): string {
  return path.name === null || path.name === '' ? path.text : path.name;
}
