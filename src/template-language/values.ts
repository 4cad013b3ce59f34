/** What values are in a template, as Handlebars has it: their text, their truth, their properties. */

const DEEPEST_LIST = 10;

/** Whoever renders counts the work; who goes through texts, lists or keys says so before or while doing it. */
export type Meter = { spend(steps: number): void };

/** Making text of a number takes longer than most steps. */
export const NUMBER_COST = 6;
/** Listing the keys of an object, for each of them. */
export const KEY_COST = 3;

/** Going through 32 characters costs about as much as any other step. */
export function textCost(length: number): number {
  return 1 + (length >> 5);
}

/**
 * The text of a value, paid for. Objects have none: Handlebars prints `[object Object]`, which no reader of a mail
 * should see.
 */
export function paidText(meter: Meter, value: unknown): string {
  if (typeof value === 'string') {
    meter.spend(textCost(value.length));
    return value;
  }
  if (typeof value === 'number' || typeof value === 'boolean') {
    meter.spend(NUMBER_COST);
    return String(value);
  }
  return Array.isArray(value) ? joined(meter, value, 1) : '';
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

function joined(meter: Meter, list: readonly unknown[], depth: number): string {
  if (depth > DEEPEST_LIST) return '';
  let text = '';
  for (let i = 0; i < list.length; i += 1) {
    const item = list[i];
    meter.spend(1);
    if (i > 0) text += ',';
    text += Array.isArray(item) ? joined(meter, item, depth + 1) : paidText(meter, item);
  }
  return text;
}
