/** The most expensive templates and data within all other limits, for the tests and the bench of rendering costs. */
import type { TemplateSource } from '../../src/template-language/template.ts';
import type { VariableSchema } from '../../src/template-language/variable-schema.ts';

export interface HostileCase {
  readonly name: string;
  readonly source: TemplateSource;
  readonly data: Readonly<Record<string, unknown>>;
  readonly schema?: VariableSchema;
}

const list = (count: number) => Array.from({ length: count }, (_, i) => i % 10);
const keys = (count: number) => Object.fromEntries(list(count).map((_, i) => [`k${i}`, 1]));
/** Repeats `inside` 10,000 times, the limit of loops. */
const often = (inside: string) => `{{#each l}}{{#each ../m}}${inside}{{/each}}{{/each}}`;
const LISTS = { l: list(9), m: list(1000) };
const html = (name: string, inside: string, data: Record<string, unknown>): HostileCase => ({
  name,
  source: { html: often(inside) },
  data: { ...LISTS, ...data },
});
const test = (condition: string) => `{{#if (${condition})}}{{/if}}`;
const LONG = 240_000;

export const HOSTILE_CASES: readonly HostileCase[] = [
  html('length of 1,000 keys', test('gt (length ../../o) 99999'), { o: keys(1000) }),
  html('upper of long text beyond ASCII', test('upper ../../s'), { s: 'ß'.repeat(LONG / 2) }),
  html('upper of upper of upper', test('upper (upper (upper (upper ../../s)))'), { s: 'ΐ'.repeat(LONG / 2) }),
  html('lower of long text', test('lower ../../s'), { s: 'Ⅷ'.repeat(LONG / 3) }),
  html('capitalize of long text', test('capitalize ../../s'), { s: 'é'.repeat(LONG / 2) }),
  html('long texts that are equal but for the end', test('eq ../../s ../../t'), {
    s: `${'x'.repeat(LONG / 2)}1`,
    t: `${'x'.repeat(LONG / 2)}2`,
  }),
  html('long texts put in order', test('gt ../../s ../../t'), {
    s: `${'é'.repeat(LONG / 4)}1`,
    t: `${'é'.repeat(LONG / 4)}2`,
  }),
  html('numbers as text', test('gt ../../s ../../t'), {
    s: ` ${'1'.repeat(38)} `,
    t: `-1${'0'.repeat(30)}.5e-9`,
  }),
  html('numbers that take long to write', test('eq ../../s ../../t'), { s: 5e-324, t: 'x' }),
  html('numbers printed', '{{../../s}}', { s: -1.23456789012345e-300 }),
  html('a long format for a date', test('formatDate 0 ../../s'), { s: 'D '.repeat(LONG / 2) }),
  html('a format of names', test('formatDate 0 ../../s'), { s: 'ddddMMMM'.repeat(100) }),
  html('lists put together', test('upper ../../s'), { s: list(45_000) }),
  html('lists of nothing but lists', test('upper ../../s'), {
    s: Array.from({ length: 7_000 }, () => [[[[[[[[]]]]]]]]),
  }),
  html('contexts that are long texts', '{{#with ../../s}}{{#with ../../../t}}{{/with}}{{/with}}', {
    s: `${'x'.repeat(LONG / 2)}1`,
    t: `${'x'.repeat(LONG / 2)}2`,
  }),
  html('long texts of digits that meet a number', '{{#with ../../s}}{{/with}}', { s: '1'.repeat(LONG) }),
  html('long texts of blanks that meet a number', '{{#with ../../s}}{{/with}}', { s: ' '.repeat(LONG) }),
  html('long lists as contexts', '{{#with ../../s}}{{/with}}', { s: list(45_000) }),
  html('escaping', '{{../../s}}', { s: '&'.repeat(20) }),
  html('escaping long text', '{{../../s}}', { s: '"<>\''.repeat(50_000) }),
  html('nothing printed often', '{{../../a.b.c.d.e.f.g.h.i}}'.repeat(120), { a: {} }),
  html('letters of a text', '{{../../s.length}}{{../../s.[0]}}', { s: 'x'.repeat(LONG) }),
  {
    name: 'loops over 1,000 keys',
    source: { html: `{{#each l}}{{#each ../o}}{{@key}}{{/each}}{{/each}}` },
    data: { l: list(9), o: keys(1000) },
  },
  {
    name: 'everything missing, in three parts',
    source: {
      subject: '{{#each l}}{{#if zz}}{{/if}}{{/each}}x',
      html: often('{{missing.name}}'.repeat(8)),
      text: often('{{missing.name}}'.repeat(8)),
    },
    data: LISTS,
  },
  {
    name: 'thousands of variables',
    source: {
      html: namesOf('h'),
      text: namesOf('t'),
    },
    data: keys(900),
  },
  {
    name: 'rules for every item of a long list',
    source: { html: '{{a}}' },
    data: { items: list(45_000) },
    schema: rules((i) => ({ name: `items[].f${i}.x`, type: 'string', required: true })),
  },
  {
    name: 'rules that fit every item of a long list',
    source: { html: '{{a}}' },
    data: { items: list(45_000) },
    schema: rules((i) => ({ name: `${'items[]'}${'[]'.repeat(i % 2)}.f${i}`, type: 'string' })),
  },
  {
    name: 'defaults for wide objects',
    source: { html: '{{a}}' },
    data: { items: Array.from({ length: 20 }, () => keys(900)) },
    schema: rules((i) => ({ name: `items[].f${i}`, type: 'string', default_value: 'x' })),
  },
  {
    name: 'data of nothing but lists',
    source: { html: '{{a}}' },
    data: { items: Array.from({ length: 80_000 }, () => []) },
  },
];

function namesOf(prefix: string): string {
  return Array.from(
    { length: 270 },
    (_, i) =>
      `{{or ${list(8)
        .map((_one, j) => `${prefix}${i}_${j}`)
        .join(' ')}}}`,
  ).join('');
}

function rules(rule: (index: number) => VariableSchema[number]): VariableSchema {
  return Array.from({ length: 200 }, (_, i) => rule(i));
}

/** The most expensive sources for the parser and the checks before it, valid or not. */
export const HOSTILE_SOURCES: readonly (readonly [name: string, source: string])[] = [
  ['500 tags', '{{aaaa.bbb}}'.repeat(500)],
  ['helpers with texts', '{{default a.b "x"}}'.repeat(430)],
  ['blocks', '{{#if a}}x{{/if}}'.repeat(250)],
  ['chains', `{{#if a}}${'{{else if b}}'.repeat(50)}{{/if}}`.repeat(9)],
  ['nested blocks', `${'{{#if a}}'.repeat(20)}${'{{/if}}'.repeat(20)}`.repeat(12)],
  ['bracketed names in much text', `${'x'.repeat(2000)}{{[a]}}`.repeat(100)],
  ['comments in much text', `${'x'.repeat(450)}{{!-- y --}}`.repeat(480)],
  ['nothing but line ends', '\n'.repeat(19_999)],
  ['line ends between tags', `${'\n'.repeat(40)}{{a}}`.repeat(490)],
  ['blank lines around blocks', `${'\n'.repeat(80)}{{#if a}}\n{{/if}}`.repeat(240)],
  ['blank lines and strips', `${' '.repeat(500)}{{~#if a~}}\n{{~/if~}}`.repeat(240)],
  ['a block with an endless name and many wrong ends', `{{#${'a'.repeat(200_000)}}}${'{{/b}}'.repeat(490)}`],
  ['endless names in ends', `{{#if a}}${`{{/${'a'.repeat(500)}}}`.repeat(490)}`],
  ['unknown helpers with endless names', `{{${'a'.repeat(500)} b}}`.repeat(490)],
  ['unknown blocks', `{{#${'b'.repeat(60)} a}}{{/${'b'.repeat(60)}}}`.repeat(240)],
  ['mistakes in every tag', '{{a b.c d=1 "x"}}'.repeat(400)],
  ['tags that cannot be read', '{{a..b}}'.repeat(490)],
];
