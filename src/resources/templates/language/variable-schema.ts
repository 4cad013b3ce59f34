/** The rules for a template's data: what they may say, and what they do to the data of a mail. */
import { momentOf } from './format-date.ts';
import { PART_LIMITS } from './limits.ts';
import { typeName } from './values.ts';

export const VARIABLE_TYPES = ['string', 'number', 'boolean', 'array', 'object', 'date'] as const;
export type VariableType = (typeof VARIABLE_TYPES)[number];

export type VariableRule = {
  /** A path: `name`, `user.name`, or for every item of a list, `items[].price`. */
  readonly name: string;
  readonly type: VariableType;
  readonly required?: boolean;
  readonly default_value?: unknown;
};

export type VariableSchema = readonly VariableRule[];

/** `field` is where it is wrong: `variable_schema[2].name`, `template_data.items[0].price`. */
export type SchemaProblem = { readonly field: string; readonly message: string };

export type AppliedSchema =
  | { readonly ok: true; readonly data: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly problems: readonly SchemaProblem[] };

const NAME = /^[^\s.[\]{}"'#/@]+(\[\])?(\.[^\s.[\]{}"'#/@]+(\[\])?)*$/;
const FORBIDDEN = new Set(['__proto__', 'prototype', 'constructor', 'this']);
const MOST_PROBLEMS = 50;

export function checkVariableSchema(
  schema: VariableSchema,
  field = 'variable_schema',
): readonly SchemaProblem[] {
  const problems: SchemaProblem[] = [];
  const seen = new Map<string, number>();
  for (const [i, rule] of schema.entries()) {
    const wrong = nameProblem(rule.name);
    if (wrong !== null) problems.push({ field: `${field}[${i}].name`, message: wrong });
    const first = seen.get(rule.name);
    if (first !== undefined) {
      const message = `is a name that ${field}[${first}] has already; names must be unique`;
      problems.push({ field: `${field}[${i}].name`, message });
    } else seen.set(rule.name, i);
    if (!(VARIABLE_TYPES as readonly string[]).includes(rule.type)) {
      problems.push({ field: `${field}[${i}].type`, message: `must be one of ${VARIABLE_TYPES.join(', ')}` });
    } else if (rule.default_value != null && !fits(rule.type, rule.default_value)) {
      problems.push({
        field: `${field}[${i}].default_value`,
        message: mismatch(rule.type, rule.default_value),
      });
    }
  }
  return problems;
}

/** The data with defaults filled in. What was given is never changed, and `""` counts as given. */
export function applyVariableSchema(
  schema: VariableSchema,
  data: Readonly<Record<string, unknown>>,
  field = 'template_data',
): AppliedSchema {
  const problems: SchemaProblem[] = [];
  let result: unknown = data;
  // Outer names first, so that a default for a list is there when its items are looked at.
  for (const rule of schema.toSorted((a, b) => segments(a.name).length - segments(b.name).length)) {
    result = applyRule(rule, segments(rule.name), result, field, problems);
  }
  if (problems.length > 0) return { ok: false, problems: problems.slice(0, MOST_PROBLEMS) };
  return { ok: true, data: result as Readonly<Record<string, unknown>> };
}

function nameProblem(name: string): string | null {
  if (!NAME.test(name)) return 'must be a name or a path like user.name or items[].price';
  const names = segments(name).filter((segment) => segment !== '[]');
  if (names.length > PART_LIMITS.pathSegments) return `must have at most ${PART_LIMITS.pathSegments} names`;
  for (const one of names) {
    if (FORBIDDEN.has(one)) return `must not contain ${one}`;
    if (one.length > PART_LIMITS.nameLength)
      return `must have at most ${PART_LIMITS.nameLength} characters a name`;
  }
  return null;
}

function segments(name: string): readonly string[] {
  return name.replaceAll('[]', '.[]').split('.');
}

/** The value at the path, checked or filled in; copies only what it changes. */
function applyRule(
  rule: VariableRule,
  path: readonly string[],
  value: unknown,
  field: string,
  problems: SchemaProblem[],
): unknown {
  const [first, ...rest] = path;
  if (first === undefined) return applyToValue(rule, value, field, problems);
  if (first === '[]') {
    if (Array.isArray(value)) {
      return value.map((item, i) => applyRule(rule, rest, item, `${field}[${i}]`, problems));
    }
    // A list that is missing is the business of its own rule.
    return value == null ? value : wrongOnTheWay(rule, 'array', value, field, problems);
  }
  if (value == null && !isWanted(rule)) return value;
  if (value != null && !fits('object', value)) return wrongOnTheWay(rule, 'object', value, field, problems);
  const owner = (value ?? {}) as Record<string, unknown>;
  const before = Object.hasOwn(owner, first) ? owner[first] : undefined;
  const after = applyRule(rule, rest, before, `${field}.${first}`, problems);
  return after === before ? value : { ...owner, [first]: after };
}

function wrongOnTheWay(
  rule: VariableRule,
  wanted: VariableType,
  value: unknown,
  field: string,
  problems: SchemaProblem[],
): unknown {
  const isKnown = problems.some((problem) => problem.field === field);
  if (rule.required && !isKnown) problems.push({ field, message: mismatch(wanted, value) });
  return value;
}

/** Worth making the objects on the way to it. */
function isWanted(rule: VariableRule): boolean {
  return rule.required === true || rule.default_value != null;
}

function applyToValue(rule: VariableRule, value: unknown, field: string, problems: SchemaProblem[]): unknown {
  if (value == null) {
    if (rule.default_value != null) return rule.default_value;
    if (rule.required) problems.push({ field, message: `is required by the template (${rule.type})` });
    return value;
  }
  if (!fits(rule.type, value)) problems.push({ field, message: mismatch(rule.type, value) });
  return value;
}

function fits(type: VariableType, value: unknown): boolean {
  switch (type) {
    case 'array':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    case 'date':
      return momentOf(value) !== null;
    case 'number':
      return typeof value === 'number' && Number.isFinite(value);
    default:
      return typeof value === type;
  }
}

function mismatch(type: VariableType, value: unknown): string {
  if (type === 'date') return 'must be a date: ISO 8601, like 2026-11-15 or 2026-11-15T10:00:00Z';
  const wanted = type === 'array' ? 'a list' : type === 'object' ? 'an object' : `a ${type}`;
  return `must be ${wanted}, not ${typeName(value)}`;
}
