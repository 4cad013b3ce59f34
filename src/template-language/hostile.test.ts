/** Hostile templates and data are refused or stopped quickly, and the process survives. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cpuMs } from '../../test/support/cpu-time.ts';
import { runs } from '../../test/support/property-runs.ts';
import { randomData, randomTemplate } from '../../test/support/random-template.ts';
import { dataProblem, renderPart, renderTemplate, type TemplateData } from './render.ts';
import { compilePart, compileTemplate } from './template.ts';
import type { PartName } from './tree.ts';

/**
 * Linear work takes a fifth of it on a slow machine, quadratic work many times as much. What is promised, 50 ms, is measured by
 * bench/hostile-templates.ts.
 */
const SOON_MS = 250;

const refusalMs = (source: string) => cpuMs(() => refusal(source), SOON_MS);

function refusal(source: string): string[] {
  const result = compilePart('html', source);
  return result.ok ? [] : result.errors.map(({ code }) => code);
}

function limitOf(source: string, data: TemplateData, part: PartName = 'html'): string {
  const compiled = compilePart(part, source);
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.errors));
  let result = renderPart(compiled.template, data);
  // On a busy machine the time limit may be reached first, before the code is warm.
  for (let tries = 1; tries < 5 && !result.ok && result.problem.limit === 'time'; tries += 1)
    result = renderPart(compiled.template, data);
  return result.ok
    ? 'rendered'
    : `${result.problem.code} ${result.problem.limit} ${result.problem.line}:${result.problem.column}`;
}

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);
const nested = (depth: number, open: string, close: string) => open.repeat(depth) + close.repeat(depth);

describe('hostile templates are refused before the parser sees them', () => {
  it.each([
    ['2,000 nested blocks', nested(2000, '{{#if a}}', '{{/if}}'), 'too_complex'],
    ['a block more than may be nested', nested(21, '{{#each a}}', '{{/each}}'), 'too_complex'],
    ['a long chain of else if', `{{#if a}}${'{{else if b}}'.repeat(5000)}{{/if}}`, 'too_complex'],
    ['100,000 tags', '{{a}}'.repeat(50_000), 'too_complex'],
    ['long paths', `{{${'a.'.repeat(50_000)}a}}`, 'too_complex'],
    ['many arguments', `{{eq ${'a '.repeat(50_000)}}}`, 'too_complex'],
    ['deep parentheses', `{{upper ${'(upper '.repeat(1000)}a${')'.repeat(1000)}}}`, 'too_complex'],
    ['many bracketed names', '{{[a].[b].[c].[d]}}'.repeat(5000), 'too_complex'],
    ['many escaped tags', '\\{{'.repeat(80_000), 'too_complex'],
    ['a megabyte', 'x'.repeat(1024 * 1024), 'too_large'],
    ['nothing but line ends', '\n'.repeat(20_000), 'too_large'],
    [
      'an endless name that is never closed',
      `{{#${'a'.repeat(200_000)}}}${'{{/b}}'.repeat(490)}`,
      'unexpected_close',
    ],
    ['a tag without an end', `{{${'a'.repeat(250_000)}`, 'unclosed_tag'],
    ['tags without an end', '{{a '.repeat(60_000), 'unclosed_tag'],
    ['a text without an end', `{{upper "${'\\"'.repeat(100_000)}`, 'unclosed_tag'],
    ['comments without an end', '{{!-- '.repeat(40_000), 'unclosed_tag'],
    ['ends of no blocks', '{{/each}}'.repeat(480), 'unexpected_close'],
    ['unknown helpers', '{{foo bar}}'.repeat(480), 'unknown_helper'],
    ['nothing but braces', '{'.repeat(250_000), 'not_supported'],
  ])('%s', (_, source, code) => {
    expect(refusal(source)).toContain(code);
  });

  it('quickly', () => {
    expect(refusalMs(nested(2000, '{{#if a}}', '{{/if}}'))).toBeLessThanOrEqual(SOON_MS);
    expect(refusalMs('{{[a].[b].[c].[d]}}'.repeat(5000))).toBeLessThanOrEqual(SOON_MS);
    expect(refusalMs('{{a '.repeat(60_000))).toBeLessThanOrEqual(SOON_MS);
    expect(refusalMs('{{!-- '.repeat(40_000))).toBeLessThanOrEqual(SOON_MS);
    expect(refusalMs(`{{upper "${'\\"'.repeat(100_000)}`)).toBeLessThanOrEqual(SOON_MS);
    expect(refusalMs('x{{!-- y --}}'.repeat(480) + ' '.repeat(200_000))).toBeLessThanOrEqual(SOON_MS);
  });

  it('or accepted as quickly, when they are at the limits', () => {
    const legal = [
      '{{aaaa.bbb}}'.repeat(500),
      '{{default a.b "x"}}'.repeat(430),
      '{{#if a}}x{{/if}}'.repeat(250),
      `{{#if a}}${'{{else if b}}'.repeat(50)}{{/if}}`.repeat(9),
    ];
    for (const source of legal) {
      expect(refusal(source)).toEqual([]);
      expect(refusalMs(source)).toBeLessThanOrEqual(SOON_MS);
    }
  });

  it('lists a limited number of problems', () => {
    expect(refusal('{{foo bar}}'.repeat(480))).toHaveLength(50);
  });
});

describe('hostile renders are stopped, with the line of the loop', () => {
  const six = `\n${'{{#each @root.a}}'.repeat(6)}x${'{{/each}}'.repeat(6)}`;
  const list = { a: numbers(100) };

  it.each([
    ['a million million iterations', six, list, 'loop_iterations 2:86'],
    ['a loop over too many items', '{{#each a}}x{{/each}}', { a: numbers(1001) }, 'items_per_loop 1:1'],
    ['a loop over too many keys', '{{#each a}}x{{/each}}', { a: { ...numbers(1001) } }, 'items_per_loop 1:1'],
    [
      'more output than allowed',
      '\n{{#each a}}{{{../s}}}{{/each}}',
      { a: numbers(100), s: 'x'.repeat(50_000) },
      'output_size 2:1',
    ],
    ['more than allowed once it is escaped', '{{s}}', { s: '&'.repeat(250_000) }, 'output_size 1:1'],
    ['more bytes than characters', '{{s}}{{s}}{{s}}{{s}}', { s: '€'.repeat(87_000) }, 'rendered'],
    [
      'too many steps',
      `{{#each a}}{{#each ../a}}${'{{x.y.z}}'.repeat(200)}{{/each}}{{/each}}`,
      { a: numbers(90), x: 1 },
      'steps 1:12',
    ],
    [
      'work on long texts',
      '{{#each a}}{{#if (eq (upper ../s) (lower ../s))}}{{/if}}{{/each}}',
      { a: numbers(1000), s: 'x'.repeat(200_000) },
      'steps 1:1',
    ],
    [
      'comparing contexts that are long lists',
      '{{#each a}}{{#with ../s}}{{/with}}{{/each}}',
      { a: numbers(1000), s: numbers(40_000) },
      'steps 1:1',
    ],
  ])('%s', (_, source, data, expected) => {
    const wanted = expected === 'rendered' ? expected : `template_limit_exceeded ${expected}`;
    expect(limitOf(source, data)).toBe(wanted);
    const compiled = compilePart('html', source);
    if (compiled.ok) expect(cpuMs(() => renderPart(compiled.template, data))).toBeLessThan(SOON_MS);
  });

  it('a subject and a text have their own limits', () => {
    expect(limitOf('{{s}}', { s: 'x'.repeat(999) }, 'subject')).toBe(
      'template_limit_exceeded output_size 1:1',
    );
    expect(limitOf('{{s}}', { s: '€'.repeat(333) }, 'subject')).toBe(
      'template_limit_exceeded output_size 1:1',
    );
    expect(limitOf('{{s}}', { s: 'x'.repeat(998) }, 'subject')).toBe('rendered');
    expect(limitOf('{{s}}{{s}}', { s: 'x'.repeat(200_000) }, 'text')).toBe(
      'template_limit_exceeded output_size 1:6',
    );
  });

  it('a full allowance of iterations is rendered', () => {
    expect(
      limitOf('{{#each a}}{{#each ../b}}{{this}}{{/each}}{{/each}}', { a: numbers(99), b: numbers(100) }),
    ).toBe('rendered');
  });
});

describe('hostile previews', () => {
  it('take little longer for all their warnings', () => {
    const key = (i: number) => `${'k'.repeat(28)}${i}`;
    const item = Object.fromEntries(numbers(100).map((i) => [key(i), i]));
    const data = { ...item, a: Array.from({ length: 20 }, () => item) };
    const tags = numbers(490).map((i) => `{{${key(i + 1000)}}}`);
    const compiled = compileTemplate({ html: `{{#each a}}${tags.join('')}{{/each}}` });
    if (!compiled.ok) throw new Error(JSON.stringify(compiled.errors));
    expect(cpuMs(() => renderTemplate(compiled.template, data))).toBeLessThan(SOON_MS);
  });
});

describe('hostile data is refused', () => {
  const limit = (data: unknown) => dataProblem(data)?.limit;

  it('when it is a cycle, too deep or too large', () => {
    const cycle: Record<string, unknown> = {};
    cycle.self = cycle;
    const ring: unknown[] = [];
    ring.push(ring);
    expect(limit(cycle)).toBe('data_depth');
    expect(limit({ ring })).toBe('data_depth');
    expect(limit(JSON.parse(`${'{"a":'.repeat(10)}1${'}'.repeat(10)}`))).toBeUndefined();
    expect(dataProblem(JSON.parse(`${'{"a":'.repeat(11)}1${'}'.repeat(11)}`))).toMatchObject({
      code: 'template_limit_exceeded',
      limit: 'data_depth',
      path: 'a.a.a.a.a.a.a.a.a.a',
    });
    expect(limit({ a: 'x'.repeat(262_145) })).toBe('data_size');
    expect(limit({ a: '€'.repeat(90_000) })).toBe('data_size');
    expect(limit({ a: new Array(1e9) })).toBe('data_size');
    expect(limit({ a: numbers(100_000) })).toBe('data_size');
    expect(limit({ a: { ...numbers(1000) } })).toBeUndefined();
    expect(dataProblem({ a: [{ ...numbers(1001) }] })).toMatchObject({ limit: 'data_keys', path: 'a[0]' });
  });

  it('when reading it would run code or it is not JSON', () => {
    let ran = false;
    const getter = Object.defineProperty({}, 'x', { enumerable: true, get: () => (ran = true) });
    expect(dataProblem({ a: [getter] })).toMatchObject({
      code: 'template_data_invalid',
      limit: 'data_type',
      path: 'a[0].x',
    });
    for (const odd of [() => 1, Symbol('x'), 1n, new Date(), new Map(), /x/, Object.create({ x: 1 })]) {
      expect(limit({ odd }), String(odd)).toBe('data_type');
    }
    expect(ran).toBe(false);
  });

  it('in a render with warnings, before anything is rendered', () => {
    const compiled = compileTemplate({ html: '{{x}}' });
    if (!compiled.ok) throw new Error('does not compile');
    const data = Object.defineProperty({}, 'x', { enumerable: true, get: () => expect.unreachable() });
    expect(renderTemplate(compiled.template, data)).toMatchObject({
      ok: false,
      problem: { limit: 'data_type' },
    });
  });

  it('but may have any keys, which remain plain keys', () => {
    const data = JSON.parse(
      '{"__proto__":{"x":1},"constructor":{"y":2},"o":{"__proto__":"p"}}',
    ) as TemplateData;
    const compiled = compilePart('html', '{{#each o}}{{@key}}={{this}}{{/each}}{{x}}{{o.x}}');
    expect(compiled.ok && renderPart(compiled.template, data)).toEqual({ ok: true, output: '__proto__=p' });
  });
});

describe('fuzzing', () => {
  it('any text either compiles or is refused with a position inside of it', () => {
    const tokens = [
      '{{',
      '}}',
      '{{{',
      '}}}',
      '{{{{',
      '#',
      '/',
      'if',
      'each',
      'else',
      ' ',
      '\n',
      '"',
      "'",
      '[',
      ']',
      '(',
      ')',
      '|',
      'as',
      '@',
      '.',
      '..',
      '~',
      '!',
      '--',
      '\\',
      '>',
      '*',
      '=',
      'a',
      '0',
      '\u0000',
      '😀',
    ];
    const garbage = fc.array(fc.constantFrom(...tokens), { maxLength: 60 }).map((list) => list.join(''));
    const property = fc.property(
      fc.oneof(garbage, fc.string({ unit: 'binary' })),
      randomData,
      (source, data) => {
        const compiled = compileTemplate({ subject: source, html: source, text: source });
        if (compiled.ok) {
          renderTemplate(compiled.template, data);
          return;
        }
        const lines = source.split(/\r\n?|\n/).length;
        for (const { line, column, message } of compiled.errors) {
          expect(line).toBeGreaterThanOrEqual(1);
          expect(line).toBeLessThanOrEqual(lines);
          expect(column).toBeGreaterThanOrEqual(1);
          expect(message).not.toBe('');
        }
      },
    );
    fc.assert(property, runs(500));
  });

  it('a template with one character changed never throws, with warnings or without', () => {
    const change = fc.tuple(fc.nat(), fc.constantFrom('', '{', '}', '"', '#', '/', '~', '.', '\n', '(', '|'));
    const property = fc.property(randomTemplate(), change, randomData, (source, [at, char], data) => {
      const index = source.length === 0 ? 0 : at % source.length;
      const changed = source.slice(0, index) + char + source.slice(index + 1);
      const compiled = compileTemplate({ html: changed });
      if (!compiled.ok) return;
      const watched = renderTemplate(compiled.template, data);
      const plain = compiled.template.html && renderPart(compiled.template.html, data);
      if (watched.ok && plain?.ok) expect(watched.html).toBe(plain.output);
    });
    fc.assert(property, runs(100));
  }, 60_000);
});
