import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arbitraryHtml, arbitrarySoup, arbitraryTyping } from './arbitrary-html.ts';
import { canonical, type Field, spliceOf, withSplices } from './fields.ts';
import { allBlocks, type Block, type EditableBlock, readBlocks } from './outline.ts';
import { swapped } from './structure.ts';
import { readTokens } from './tokens.ts';

const RUNS = { numRuns: 200 };
const sources = fc.oneof(arbitraryHtml, arbitrarySoup);

function fieldsIn(source: string): readonly Field[] {
  return allBlocks(readBlocks(source) ?? [])
    .filter((block): block is EditableBlock => 'fields' in block)
    .flatMap(({ fields }) => fields);
}

function edited(source: string, field: Field, typed: string): string {
  const splice = spliceOf(field, typed, source);
  return splice ? withSplices(source, [splice]) : source;
}

describe('the visual editor', () => {
  it('has a token for every byte of a template', () => {
    fc.assert(
      fc.property(sources, (source) => {
        const read = readTokens(source);
        const text = read?.tokens.map(({ start, end }) => source.slice(start, end)).join('');
        expect(text ?? source).toBe(source);
      }),
      RUNS,
    );
  });

  it('changes nothing when nothing is changed', () => {
    fc.assert(
      fc.property(sources, (source) => {
        for (const field of fieldsIn(source)) {
          expect(canonical(field.shown, field.kind)).toBe(field.shown);
          expect(spliceOf(field, field.shown, source)).toBeNull();
        }
      }),
      RUNS,
    );
  });

  it('has fields that do not overlap', () => {
    fc.assert(
      fc.property(sources, (source) => {
        const ranges = fieldsIn(source).map(({ start, end }) => ({ start, end }));
        ranges.sort((a, b) => a.start - b.start || a.end - b.end);
        for (const [at, range] of ranges.entries()) {
          expect(range.end).toBeGreaterThanOrEqual(range.start);
          expect(range.start).toBeGreaterThanOrEqual(ranges[at - 1]?.end ?? 0);
        }
      }),
      RUNS,
    );
  });

  it('changes only the bytes of the field that is edited', () => {
    fc.assert(
      fc.property(sources, fc.nat(), arbitraryTyping, (source, pick, typed) => {
        const fields = fieldsIn(source);
        const field = fields[pick % fields.length];
        if (!field) return;
        const result = edited(source, field, typed);
        expect(result.startsWith(source.slice(0, field.start))).toBe(true);
        expect(result.endsWith(source.slice(field.end))).toBe(true);
      }),
      RUNS,
    );
  });

  it('reads a typed text back as it was typed, and every other field as before', () => {
    fc.assert(
      fc.property(arbitraryHtml, fc.nat(), arbitraryTyping, (source, pick, typed) => {
        const before = fieldsIn(source);
        const at = pick % before.length;
        const field = before[at];
        if (!field || canonical(typed, field.kind).trim() === '') return;
        const after = fieldsIn(edited(source, field, typed)).map(({ shown }) => shown);
        const expected = before.map(({ shown }) => shown);
        expected[at] = canonical(typed, field.kind);
        expect(after).toEqual(expected);
      }),
      RUNS,
    );
  });

  it('keeps the entities and expressions of a text around an added word', () => {
    fc.assert(
      fc.property(arbitraryHtml, fc.nat(), fc.nat(), (source, pick, place) => {
        const fields = fieldsIn(source).filter(({ kind }) => kind.is === 'text');
        const field = fields[pick % fields.length];
        if (!field) return;
        const atoms = field.atoms.slice(0, place % (field.atoms.length + 1));
        const at = atoms.map(({ shown }) => shown).join('').length;
        const typed = `${field.shown.slice(0, at)}new${field.shown.slice(at)}`;
        const gap = atoms.at(-1)?.end ?? field.start;
        expect(edited(source, field, typed)).toBe(`${source.slice(0, gap)}new${source.slice(gap)}`);
      }),
      RUNS,
    );
  });

  it.each([
    ['deep', '<b>'.repeat(80_000)],
    ['brackets', '<'.repeat(250_000)],
    ['a block of entities', `{{#if a}}${'&amp;'.repeat(50_000)}{{/if}}`],
    ['end tags', `<div>${'</p>'.repeat(60_000)}`],
    ['rules', '<hr>'.repeat(60_000)],
    ['a long address', `<a href="${'x&'.repeat(120_000)}">x</a>`],
    ['attributes', `<p ${'a="b" '.repeat(40_000)}>x</p>`],
  ])('reads a hostile source: %s', (_name, source) => {
    for (const field of fieldsIn(source)) expect(edited(source, field, field.shown)).toBe(source);
  });

  it('has the first source again after two blocks changed places twice', () => {
    fc.assert(
      fc.property(arbitraryHtml, fc.nat(), (source, pick) => {
        const [first, second] = neighbours(source, pick) ?? [];
        if (!first || !second) return;
        const once = swapped(source, first, second);
        const secondNow = { start: first.start, end: first.start + second.end - second.start };
        const firstNow = { start: once.at, end: second.end };
        expect(swapped(once.source, secondNow, firstNow).source).toBe(source);
      }),
      RUNS,
    );
  });
});

function neighbours(source: string, pick: number): readonly [Block, Block] | null {
  const whole = allBlocks(readBlocks(source) ?? []).filter(({ isWhole }) => isWhole);
  const pairs = whole.flatMap((first) => {
    const second = whole.find((one) => one.parent === first.parent && one.start >= first.end);
    return second ? [[first, second] as const] : [];
  });
  return pairs[pick % pairs.length] ?? null;
}
