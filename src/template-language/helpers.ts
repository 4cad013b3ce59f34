/**
 * The helpers of the language: pure functions of their arguments, which charge the meter for the text they
 * process.
 */
import { formatDate } from './format-date.ts';
import { isEmpty, KEY_COST, type Meter, NUMBER_COST, paidText, textCost } from './values.ts';

export type ArgumentUse = 'any' | 'text' | 'number' | 'date' | 'list';

type Helper = {
  readonly least: number;
  readonly most: number;
  /** Returns a boolean and can be used as a block: `{{#equals a b}}…{{/equals}}`. */
  readonly isCondition: boolean;
  /** An example of its use. */
  readonly usage: string;
  /** The expected type of the first argument, for variable types and warnings. */
  readonly use: ArgumentUse;
  /** The helper handles missing values. */
  readonly acceptsMissing: boolean;
  readonly apply: (meter: Meter, a: unknown, b: unknown, c: unknown) => unknown;
};

const equals = condition('equals a b', (meter, a, b) => sameValue(meter, a, b));
const notEquals = condition('notEquals a b', (meter, a, b) => !sameValue(meter, a, b));
const greaterThan = comparison('greaterThan a b', (order) => order > 0);
const lessThan = comparison('lessThan a b', (order) => order < 0);

/**
 * `and` and `or` are listed for their signature; they compile to code that reads no more arguments than
 * needed.
 */
const HELPERS = {
  equals,
  eq: { ...equals, usage: 'eq a b' },
  notEquals,
  ne: { ...notEquals, usage: 'ne a b' },
  greaterThan,
  gt: { ...greaterThan, usage: 'gt a b' },
  lessThan,
  lt: { ...lessThan, usage: 'lt a b' },
  gte: comparison('gte a b', (order) => order >= 0),
  lte: comparison('lte a b', (order) => order <= 0),
  and: { ...condition('and a b', (_, a, b) => (isEmpty(a) ? a : b)), most: 8 },
  or: { ...condition('or a b', (_, a, b) => (isEmpty(a) ? b : a)), most: 8 },
  not: { ...condition('not a', (_, a) => isEmpty(a)), least: 1, most: 1 },
  length: value('length list', 1, 1, 'list', lengthOf),
  upper: value('upper text', 1, 1, 'text', (meter, a) => letters(meter, a).toUpperCase()),
  lower: value('lower text', 1, 1, 'text', (meter, a) => letters(meter, a).toLowerCase()),
  capitalize: value('capitalize text', 1, 1, 'text', (meter, a) => capitalize(paidText(meter, a))),
  default: {
    ...value('default name "there"', 2, 2, 'any', (_, a, b) => (isAbsent(a) ? b : a)),
    acceptsMissing: true,
  },
  insert: {
    ...value('insert name "default=there"', 1, 2, 'any', (_, a, b) => (isAbsent(a) ? insertDefault(b) : a)),
    acceptsMissing: true,
  },
  formatDate: value('formatDate date "YYYY-MM-DD" "+0100"', 2, 3, 'date', dateText),
} satisfies Record<string, Helper>;

export type HelperName = keyof typeof HELPERS;

export const HELPER_NAMES = Object.keys(HELPERS) as readonly HelperName[];

export function isHelperName(name: string): name is HelperName {
  return Object.hasOwn(HELPERS, name);
}

export function helper(name: HelperName): Helper {
  return HELPERS[name];
}

const DATE_COST = 20;
const FORMAT_COST = 8;

export const INSERT_PREFIX = 'default=';

/** Compares numbers (also as text) by size and texts by code unit; null for values without an order. */
export function compareValues(meter: Meter, a: unknown, b: unknown): number | null {
  const [x, y] = [numberOf(meter, a), numberOf(meter, b)];
  if (x !== null && y !== null) return x - y;
  if (typeof a !== 'string' || typeof b !== 'string') return null;
  meter.spend(textCost(Math.min(a.length, b.length)));
  return a < b ? -1 : a > b ? 1 : 0;
}

function condition(usage: string, apply: Helper['apply']): Helper {
  return { least: 2, most: 2, isCondition: true, usage, use: 'any', acceptsMissing: true, apply };
}

function comparison(usage: string, holds: (order: number) => boolean): Helper {
  const apply: Helper['apply'] = (meter, a, b) => {
    const order = compareValues(meter, a, b);
    return order !== null && holds(order);
  };
  return { least: 2, most: 2, isCondition: true, usage, use: 'number', acceptsMissing: false, apply };
}

function value(usage: string, least: number, most: number, use: ArgumentUse, apply: Helper['apply']): Helper {
  return { least, most, isCondition: false, usage, use, acceptsMissing: false, apply };
}

/**
 * 5 equals "5" and true equals "true", because data often arrives as text. Lists and objects only equal
 * themselves.
 */
function sameValue(meter: Meter, a: unknown, b: unknown): boolean {
  if (a == null || b == null) return a == null && b == null;
  if (typeof a === 'object' || typeof b === 'object') return a === b;
  if (typeof a === 'number' && typeof b === 'number') return a === b;
  const [x, y] = [plainText(meter, a), plainText(meter, b)];
  if (x.length !== y.length) return false;
  meter.spend(textCost(x.length));
  return x === y;
}

/** Charged for texts that are actually compared, which needs equal lengths. */
function plainText(meter: Meter, value: unknown): string {
  return typeof value === 'string' ? value : paidText(meter, value);
}

function numberOf(meter: Meter, value: unknown): number | null {
  if (typeof value === 'number') return Number.isNaN(value) ? null : value;
  meter.spend(NUMBER_COST);
  if (
    typeof value !== 'string' ||
    value.length > 40 ||
    !/^\s*[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?\s*$/i.test(value)
  ) {
    return null;
  }
  return Number(value);
}

function lengthOf(meter: Meter, value: unknown): number {
  if (typeof value === 'string' || Array.isArray(value)) return value.length;
  if (value === null || typeof value !== 'object') return 0;
  const { length } = Object.keys(value);
  meter.spend(length * KEY_COST);
  return length;
}

/** Characters beyond ASCII are converted one by one, and some become several. */
function letters(meter: Meter, value: unknown): string {
  const text = paidText(meter, value);
  meter.spend(text.length >> 1);
  return text;
}

function capitalize(text: string): string {
  const [first = ''] = text;
  return first.toUpperCase() + text.slice(first.length);
}

function isAbsent(value: unknown): boolean {
  return value == null || value === '';
}

function insertDefault(value: unknown): unknown {
  return typeof value === 'string' && value.startsWith(INSERT_PREFIX)
    ? value.slice(INSERT_PREFIX.length)
    : '';
}

/** A value that is not a date is shown unchanged, which is better than a gap in the sentence. */
function dateText(meter: Meter, value: unknown, format: unknown, offset: unknown): unknown {
  const pattern = paidText(meter, format);
  // Each letter of the format may become a word.
  meter.spend(DATE_COST + pattern.length * FORMAT_COST);
  return formatDate(value, pattern, offset === undefined ? 'Z' : paidText(meter, offset)) ?? value;
}
