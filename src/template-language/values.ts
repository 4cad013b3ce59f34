/** Handlebars' semantics of values: text, truth and properties. */

const DEEPEST_LIST = 10;

/**
 * Counts the work of a render. Functions that process texts, lists or keys must charge it before or during
 * the work.
 */
export type Meter = { spend(steps: number): void };

/** Converting a number to text costs more than most steps. */
export const NUMBER_COST = 6;
/** Cost of listing an object's keys, per key. */
export const KEY_COST = 3;

/** Processing 32 characters costs about as much as any other step. */
export function textCost(length: number): number {
  return 1 + (length >> 5);
}

/**
 * The text of a value, charged to the meter. Objects have no text: Handlebars prints `[object Object]`, which
 * no recipient should see.
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

/** Whether a condition with this value is false. */
export function isEmpty(value: unknown): boolean {
  return !value || (Array.isArray(value) && value.length === 0);
}

/** Own properties only, so that prototypes are unreachable; also the characters and the length of a text. */
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
