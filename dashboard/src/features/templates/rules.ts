/** Rules for variables while they are edited. A rule without a requirement is removed. */
import type { TemplateVariableRule } from '@postrider/sdk';

export type Rule = TemplateVariableRule;

export const TYPES = ['string', 'number', 'boolean', 'array', 'object', 'date'] as const;

interface Detected {
  readonly name: string;
  readonly type: string;
}

export function ruleOf(rules: readonly Rule[], name: string): Rule | undefined {
  return rules.find((rule) => rule.name === name);
}

export function changedRules(
  rules: readonly Rule[],
  { name, type }: Detected,
  changes: Partial<Rule>,
): Rule[] {
  const before = ruleOf(rules, name) ?? { name, type: typeOf(type) };
  const rule: Rule = { ...before, ...changes };
  if (rule.default_value === undefined) delete rule.default_value;
  if (rule.required !== true) delete rule.required;
  const others = rules.filter((one) => one.name !== name);
  const asks = rule.required === true || rule.default_value !== undefined || rule.type !== typeOf(type);
  return asks ? [...others, rule] : others;
}

/** A typed default: JSON for types other than text and date, or the typed text if it is no JSON. */
export function parseDefault(text: string, type: string): unknown {
  if (text.trim() === '') return undefined;
  if (type === 'string' || type === 'date') return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export function showDefault(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function typeOf(type: string): Rule['type'] {
  return TYPES.find((one) => one === type) ?? 'string';
}
