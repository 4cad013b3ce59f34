/** Validates the rules for a template's data. */
import { checkData } from './data.ts';
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

/** `field` is the position of the problem: `variable_schema[2].name`, `template_data.items[0].price`. */
export type SchemaProblem = { readonly field: string; readonly message: string };

const NAME = /^[^\s.[\]{}"'#/@]+(\[\])?(\.[^\s.[\]{}"'#/@]+(\[\])?)*$/;
const FORBIDDEN = new Set(['__proto__', 'prototype', 'constructor', 'this']);

export function checkVariableSchema(schema: VariableSchema): readonly SchemaProblem[] {
  const field = 'variable_schema';
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
  const wrong = checkData(schema.map((rule) => rule.default_value));
  if (wrong !== null) problems.push({ field, message: `has defaults that are too large: ${wrong.message}` });
  return problems;
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

export function segments(name: string): readonly string[] {
  return name.replaceAll('[]', '.[]').split('.');
}

export function fits(type: VariableType, value: unknown): boolean {
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

export function mismatch(type: VariableType, value: unknown): string {
  if (type === 'date') return 'must be a date: ISO 8601, like 2026-11-15 or 2026-11-15T10:00:00Z';
  const wanted = type === 'array' ? 'a list' : type === 'object' ? 'an object' : `a ${type}`;
  return `must be ${wanted}, not ${typeName(value)}`;
}
