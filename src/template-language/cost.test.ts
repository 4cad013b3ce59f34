/** The cost of the most expensive templates and data. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cpuMs } from '../../test/support/cpu-time.ts';
import { HOSTILE_CASES, HOSTILE_SOURCES } from '../../test/support/hostile-templates.ts';
import { applyEachRule, applyVariableSchema } from './apply-schema.ts';
import { RenderBudget } from './budget.ts';
import { HELPER_NAMES, helper } from './helpers.ts';
import { RENDER_LIMITS } from './limits.ts';
import { dataProblem, renderContent, renderPart, renderTemplate, type TemplateData } from './render.ts';
import { compilePart, compileTemplate, detectVariables } from './template.ts';

/**
 * Linear work takes a fifth of it on a slow machine, quadratic work many times as much. What is promised, 50 ms, is measured by
 * bench/hostile-templates.ts.
 */
const SOON_MS = 250;

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);

describe('the most expensive templates and data', () => {
  it.each(HOSTILE_CASES.map((one) => [one.name, one] as const))(
    '%s: rendered or stopped quickly',
    (_, hostile) => {
      const { source, data, schema = [] } = hostile;
      const compiled = compileTemplate(source);
      if (!compiled.ok) throw new Error(JSON.stringify(compiled.errors));
      const { template } = compiled;
      expect(dataProblem(data)).toBeNull();
      expect(cpuMs(() => renderContent(template, data), SOON_MS)).toBeLessThanOrEqual(SOON_MS);
      expect(cpuMs(() => renderTemplate(template, data), SOON_MS)).toBeLessThanOrEqual(SOON_MS);
      expect(cpuMs(() => detectVariables(template), SOON_MS)).toBeLessThanOrEqual(SOON_MS);
      expect(cpuMs(() => applyVariableSchema(schema, data), SOON_MS)).toBeLessThanOrEqual(SOON_MS);
      expect(cpuMs(() => applyEachRule(schema, data, 'data'), SOON_MS)).toBeLessThanOrEqual(SOON_MS);
    },
  );

  it.each(HOSTILE_SOURCES)('%s: compiled or refused quickly', (_, source) => {
    expect(cpuMs(() => compilePart('html', source), SOON_MS)).toBeLessThanOrEqual(SOON_MS);
  });

  it('show only a limited part of a name', () => {
    const result = compilePart('html', `{{#${'a'.repeat(200_000)}}}{{/b}}{{else}}{{else}}`);
    expect(result.ok).toBe(false);
    if (!result.ok) for (const { message } of result.errors) expect(message.length).toBeLessThan(300);
  });

  it('helpers over large data are charged for what they visit', () => {
    const large = fc.constantFrom<unknown>(
      'x'.repeat(200_000),
      'ß'.repeat(100_000),
      '9'.repeat(200_000),
      ' '.repeat(200_000),
      'YYYY-MM-DD '.repeat(20_000),
      numbers(40_000),
      Array.from({ length: 20_000 }, () => [[]]),
      Object.fromEntries(numbers(1000).map((i) => [`k${i}`, i])),
      1.23456789012345e-300,
      '2026-11-15T10:00:00Z',
    );
    const call = fc.constantFrom(...HELPER_NAMES).chain((name) =>
      fc
        .array(fc.constantFrom('@root.s', '@root.t', '(upper @root.s)', '(length @root.t)', '7'), {
          minLength: helper(name).least,
          maxLength: helper(name).most,
        })
        .map((args) => `${name} ${args.join(' ')}`),
    );
    const property = fc.property(call, large, large, (written, s, t) => {
      const inside = `{{#if (${written})}}{{/if}}{{#with @root.s}}{{#with @root.t}}{{/with}}{{/with}}`;
      const compiled = compilePart('text', `{{#each @root.l}}{{#each @root.m}}${inside}{{/each}}{{/each}}`);
      // A helper may refuse literals that are obviously invalid.
      if (!compiled.ok) return;
      const data = { s, t, l: numbers(10), m: numbers(1000) };
      expect(cpuMs(() => renderPart(compiled.template, data), SOON_MS)).toBeLessThanOrEqual(SOON_MS);
    });
    fc.assert(property, { numRuns: 100 });
  }, 60_000);
});

describe('a budget', () => {
  const slow = (stepMs: number) => {
    let nowMs = 0;
    return () => (nowMs += stepMs);
  };
  const busy = { l: numbers(100), m: numbers(90) };
  const source = '{{#each l}}{{#each ../m}}{{this}}{{/each}}{{/each}}';
  const limitWith = (
    watch: ConstructorParameters<typeof RenderBudget>[0],
    template = source,
    data: TemplateData = busy,
  ) => {
    const compiled = compilePart('html', template);
    if (!compiled.ok) throw new Error('does not compile');
    const result = renderPart(compiled.template, data, new RenderBudget(watch));
    return result.ok ? 'rendered' : result.problem.limit;
  };

  it('ends a render that takes too much processor time', () => {
    expect(limitWith({ wallMs: slow(20), cpuMs: slow(20) })).toBe('time');
  });

  it('does not count time in which the machine was busy or paused', () => {
    expect(limitWith({ wallMs: slow(60_000), cpuMs: slow(0.1) })).toBe('rendered');
    expect(limitWith({ wallMs: slow(0.1), cpuMs: slow(60_000) })).toBe('rendered');
  });

  it('does not read the clock in an ordinary mail', () => {
    const never = { wallMs: () => expect.unreachable(), cpuMs: () => expect.unreachable() };
    expect(limitWith(never, source, { l: numbers(10), m: numbers(20) })).toBe('rendered');
  });

  it('is shared by all parts of a mail', () => {
    const part = `{{#each l}}{{#each ../m}}${'{{a.b.c.d.e}}'.repeat(3)}{{/each}}{{/each}}`;
    const one = compileTemplate({ html: part });
    const both = compileTemplate({ html: part, text: part });
    if (!one.ok || !both.ok) throw new Error('does not compile');
    const budget = new RenderBudget();
    expect(renderContent(one.template, busy, budget).ok).toBe(true);
    expect(budget.steps).toBeGreaterThan(RENDER_LIMITS.steps / 2);
    expect(renderContent(both.template, busy)).toMatchObject({
      ok: false,
      problem: { limit: 'steps', part: 'text' },
    });
  });
});
