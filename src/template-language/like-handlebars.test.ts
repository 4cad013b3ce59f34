/**
 * Templates that both accept must render to the same bytes, with two exceptions: an object printed as text is
 * empty here, not `[object Object]`, and adjacent unescaped numbers are not added up.
 */
import fc from 'fast-check';
import Handlebars from 'handlebars';
import { describe, expect, it } from 'vitest';
import { runs } from '../../test/support/property-runs.ts';
import { randomData, randomTemplate } from '../../test/support/random-template.ts';
import { renderPart, type TemplateData } from './render.ts';
import { compilePart } from './template.ts';

const handlebars = referenceWithHelpers();

/** The helpers, implemented for Handlebars. */
function referenceWithHelpers(): typeof Handlebars {
  const reference = Handlebars.create();
  reference.logger.log = () => {};
  const empty = (v: unknown) => !v || (Array.isArray(v) && v.length === 0);
  const same = (a: unknown, b: unknown) =>
    a == null || b == null
      ? a == null && b == null
      : typeof a === 'object' || typeof b === 'object'
        ? a === b
        : String(a) === String(b);
  const number = (v: unknown) =>
    typeof v === 'number' ? v : typeof v === 'string' && v !== '' ? Number(v) : Number.NaN;
  const order = (a: unknown, b: unknown) => {
    const difference = number(a) - number(b);
    return Number.isNaN(difference) && typeof a === 'string' && typeof b === 'string'
      ? a < b
        ? -1
        : a > b
          ? 1
          : 0
      : difference;
  };
  const plain = (v: unknown) => `${v ?? ''}`.replaceAll('[object Object]', '');
  const values: Record<string, (a: unknown, b: unknown) => unknown> = {
    eq: same,
    equals: same,
    ne: (a, b) => !same(a, b),
    notEquals: (a, b) => !same(a, b),
    gt: (a, b) => order(a, b) > 0,
    lessThan: (a, b) => order(a, b) < 0,
    and: (a, b) => (empty(a) ? a : b),
    or: (a, b) => (empty(a) ? b : a),
    not: (a) => empty(a),
    default: (a, b) => (a == null || a === '' ? b : a),
    upper: (a) => plain(a).toUpperCase(),
    lower: (a) => plain(a).toLowerCase(),
    capitalize: (a) => plain(a).replace(/^./u, (first) => first.toUpperCase()),
  };
  for (const [name, of] of Object.entries(values)) {
    reference.registerHelper(name, function (this: unknown, ...args: unknown[]) {
      const options = args.pop() as Handlebars.HelperOptions;
      const result = of(args[0], args[1]);
      if (options.fn === undefined) return result;
      return empty(result) ? options.inverse(this) : options.fn(this);
    });
  }
  return reference;
}

function ours(source: string, given: TemplateData): string {
  const result = compilePart('html', source);
  if (!result.ok) throw new Error(`${source}\n${JSON.stringify(result.errors)}`);
  const rendered = renderPart(result.template, given);
  if (!rendered.ok) throw new Error(JSON.stringify(rendered.problem));
  return rendered.output;
}

function theirs(source: string, given: TemplateData): string {
  return handlebars.compile(source)(given).replaceAll('[object Object]', '');
}

describe('rendering like Handlebars', () => {
  it('gives the same bytes for random templates and data', () => {
    const property = fc.property(randomTemplate(), randomData, (source, given) => {
      expect(ours(source, given)).toBe(theirs(source, given));
    });
    fc.assert(property, runs(100));
  }, 120_000);

  it('gives the same bytes for all fragments of syntax that both accept', () => {
    const scraps = [
      '{{',
      '}}',
      '{{{',
      '}}}',
      '{{#if a}}',
      '{{/if}}',
      '{{else}}',
      '{{^}}',
      '{{else if b}}',
      '{{#each list}}',
      '{{/each}}',
      '{{a}}',
      '{{&a}}',
      '{{this}}',
      '{{..}}',
      '{{../a}}',
      '{{a.b}}',
      '{{[a]}}',
      '{{@index}}',
      '~',
      '\\',
      '"',
      "'",
      '[',
      ']',
      '(',
      ')',
      '!',
      '--',
      ' ',
      '\n',
      'a',
      '.',
      '/',
      '@',
      '|',
      '=',
      '#',
      '>',
      '*',
      'else',
      'as |x|',
      '{{!',
      '--}}',
      '{{{{',
      '}}}}',
      '\u0000',
      '\ufeff',
    ];
    const garbage = fc.array(fc.constantFrom(...scraps), { maxLength: 12 }).map((list) => list.join(''));
    const property = fc.property(garbage, randomData, (source, given) => {
      // Handlebars adds up two adjacent unescaped numbers.
      fc.pre(!/\}\}\s*\{\{~?[{&]/.test(source));
      const result = compilePart('html', source);
      if (!result.ok) {
        expect(result.errors.length).toBeGreaterThan(0);
        return;
      }
      let expected: string;
      try {
        expected = theirs(source, given);
      } catch {
        return;
      }
      expect(ours(source, given)).toBe(expected);
    });
    fc.assert(property, runs(500));
  }, 120_000);
});
