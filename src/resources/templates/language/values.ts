/** What values are in a template, as Handlebars has it: their text, their truth, their properties. */

const DEEPEST_LIST = 10;

/** Objects have no text: Handlebars prints `[object Object]`, which no reader of a mail should see. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return Array.isArray(value) ? joined(value, 1) : '';
}

/** Whoever renders counts the work; who goes through long texts and lists says so. */
export type Meter = { spend(steps: number): void };

/** The same, paid for: a step for 32 characters of a text, and one for about each item of a list. */
export function paidText(meter: Meter, value: unknown): string {
  const text = textOf(value);
  meter.spend(1 + (text.length >> (typeof value === 'string' ? 5 : 1)));
  return text;
}

/** A condition with this value does not hold. */
export function isEmpty(value: unknown): boolean {
  return !value || (Array.isArray(value) && value.length === 0);
}

/** Own properties only, so that nothing of a prototype can be reached; also characters and length of a text. */
export function ownProperty(owner: unknown, name: string): unknown {
  if (typeof owner === 'object') {
    return owner !== null && Object.hasOwn(owner, name)
      ? (owner as Record<string, unknown>)[name]
      : undefined;
  }
  if (typeof owner === 'string' && Object.hasOwn(Object(owner), name)) {
    return owner[name as keyof string];
  }
  return undefined;
}

export function typeName(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

function joined(list: readonly unknown[], depth: number): string {
  if (depth > DEEPEST_LIST) return '';
  let text = '';
  for (let i = 0; i < list.length; i += 1) {
    const item = list[i];
    if (i > 0) text += ',';
    text += Array.isArray(item) ? joined(item, depth + 1) : textOf(item);
  }
  return text;
}
