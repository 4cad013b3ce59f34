/** Applies a template's variable rules to the data of a mail: fills in defaults and reports violations. */
import { RULE_LIMITS } from './limits.ts';
import type { Meter } from './values.ts';
import {
  fits,
  mismatch,
  type SchemaProblem,
  segments,
  type VariableRule,
  type VariableSchema,
  type VariableType,
} from './variable-schema.ts';

type Data = Readonly<Record<string, unknown>>;

type AppliedSchema =
  | { readonly ok: true; readonly data: Data }
  | { readonly ok: false; readonly problems: readonly SchemaProblem[] };

/** Returns the data with defaults filled in. Given values are never changed, and `""` counts as given. */
export function applyVariableSchema(
  schema: VariableSchema,
  data: Data,
  field = 'template_data',
  meter: Meter | null = null,
): AppliedSchema {
  const application = new Application(field, meter);
  let result = data;
  for (const { rule, path } of prepared(schema)) {
    result = application.apply(rule, path, result);
    if (application.isOver) break;
  }
  const { problems } = application;
  return problems.length > 0 ? { ok: false, problems } : { ok: true, data: result };
}

type RuleProblem = SchemaProblem & { readonly rule: VariableRule };

/** For previews: violations are reported, and the other rules still fill in their defaults. */
export function applyEachRule(
  schema: VariableSchema,
  data: Data,
  field: string,
): { readonly data: Data; readonly problems: readonly RuleProblem[] } {
  const application = new Application(field, null);
  const problems: RuleProblem[] = [];
  let result = data;
  for (const { rule, path } of prepared(schema)) {
    const before = application.problems.length;
    const after = application.apply(rule, path, result);
    const found = application.problems.slice(before);
    if (found.length === 0) result = after;
    problems.push(...found.map((problem) => ({ ...problem, rule })));
    if (application.isOver) break;
  }
  return { data: result, problems };
}

interface PreparedRule {
  readonly rule: VariableRule;
  readonly path: readonly string[];
}

/**
 * Sorted by name depth, so that a default for a list is set before its items are visited. Cached, because a
 * batch applies the same schema a thousand times.
 */
const known = new WeakMap<VariableSchema, readonly PreparedRule[]>();

function prepared(schema: VariableSchema): readonly PreparedRule[] {
  const before = known.get(schema);
  if (before !== undefined) return before;
  const rules = schema.map((rule) => ({ rule, path: segments(rule.name) }));
  const sorted = rules.sort((a, b) => a.path.length - b.path.length);
  known.set(schema, sorted);
  return sorted;
}

/** Copying a key of an object costs as much as visiting this many values. */
const COPY_COST = 4;

/** Cost in render steps, for callers that count everything. */
const VISIT_COST = 3;

class Application {
  readonly problems: SchemaProblem[] = [];
  readonly #field: string;
  readonly #meter: Meter | null;
  /** The current path in the data; converted to text only for a problem. */
  readonly #where: (string | number)[] = [];
  #visits = 0;
  #isTooMuch = false;

  constructor(field: string, meter: Meter | null) {
    this.#field = field;
    this.#meter = meter;
  }

  /** No further problem would be reported and no value filled in. */
  get isOver(): boolean {
    return this.#isTooMuch || this.problems.length >= RULE_LIMITS.problems;
  }

  apply(rule: VariableRule, path: readonly string[], data: Data): Data {
    this.#where.length = 0;
    return this.#visit(rule, path, 0, data) as Data;
  }

  /** The value at the path, checked or filled in; copies only what it changes. */
  #visit(rule: VariableRule, path: readonly string[], at: number, value: unknown): unknown {
    if (this.isOver || !this.#pay(1)) return value;
    const name = path[at];
    if (name === undefined) return this.#check(rule, value);
    if (name === '[]') {
      if (Array.isArray(value)) return this.#items(rule, path, at + 1, value);
      // The list's own rule reports a missing list.
      return value == null ? value : this.#wrongOnTheWay(rule, 'array', value);
    }
    if (value == null && !isWanted(rule)) return value;
    if (value != null && !fits('object', value)) return this.#wrongOnTheWay(rule, 'object', value);
    const owner = (value ?? {}) as Record<string, unknown>;
    const before = Object.hasOwn(owner, name) ? owner[name] : undefined;
    this.#where.push(name);
    const after = this.#visit(rule, path, at + 1, before);
    this.#where.pop();
    if (after === before || !this.#pay(Object.keys(owner).length * COPY_COST)) return value;
    return { ...owner, [name]: after };
  }

  #items(rule: VariableRule, path: readonly string[], at: number, list: readonly unknown[]): unknown {
    let copy: unknown[] | null = null;
    for (let i = 0; i < list.length && !this.isOver; i += 1) {
      this.#where.push(i);
      const after = this.#visit(rule, path, at, list[i]);
      this.#where.pop();
      if (after === list[i]) continue;
      copy ??= [...list];
      copy[i] = after;
    }
    return copy ?? list;
  }

  #check(rule: VariableRule, value: unknown): unknown {
    if (value == null) {
      if (rule.default_value != null) return rule.default_value;
      if (rule.required) this.#add(`is required by the template (${rule.type})`);
      return value;
    }
    if (!fits(rule.type, value)) this.#add(mismatch(rule.type, value));
    return value;
  }

  #wrongOnTheWay(rule: VariableRule, wanted: VariableType, value: unknown): unknown {
    const field = this.#fieldHere();
    const isKnown = this.problems.some((problem) => problem.field === field);
    if (rule.required && !isKnown) this.#add(mismatch(wanted, value));
    return value;
  }

  #pay(visits: number): boolean {
    this.#visits += visits;
    this.#meter?.spend(visits * VISIT_COST);
    if (this.#visits <= RULE_LIMITS.visits) return true;
    if (!this.#isTooMuch) {
      const message = `has more than the rules of the template can look through (${RULE_LIMITS.visits} values): send fewer items`;
      this.problems.push({ field: this.#field, message });
    }
    this.#isTooMuch = true;
    return false;
  }

  #add(message: string): void {
    this.problems.push({ field: this.#fieldHere(), message });
  }

  #fieldHere(): string {
    return this.#where.reduce<string>((field, key) => {
      if (typeof key === 'number') return `${field}[${key}]`;
      return field === '' ? key : `${field}.${key}`;
    }, this.#field);
  }
}

/** Whether a missing parent object should be created for this rule. */
function isWanted(rule: VariableRule): boolean {
  return rule.required === true || rule.default_value != null;
}
