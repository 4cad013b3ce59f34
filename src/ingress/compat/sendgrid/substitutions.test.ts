import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/support/property-runs.ts';
import { Substitutions } from './substitutions.ts';

const filled = (values: Record<string, unknown>, text: string, sections?: Substitutions) =>
  new Substitutions(values, 'substitutions').in(text, sections);

/** Replaces with a regular expression, longest name first. */
function byRegExp(values: Record<string, string>, text: string): string {
  const names = Object.keys(values).sort((a, b) => b.length - a.length);
  const escaped = names.map((name) => name.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'));
  return names.length === 0
    ? text
    : text.replaceAll(new RegExp(escaped.join('|'), 'g'), (name) => values[name] as string);
}

describe('substitutions', () => {
  it('replace the same names as a regular expression would', async () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', '-', '\u{1f600}'), minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(word, word),
        fc.array(word, { maxLength: 30 }),
        async (values, words) => {
          const text = words.join('');
          expect(await filled(values, text)).toBe(byRegExp(values, text));
        },
      ),
      runs(300),
    );
  });

  it("are found across the boundaries of a long text's slices", async () => {
    const text = 'x-name-'.repeat(50_000);
    expect(await filled({ '-name-': 'Ada', x: '' }, text)).toBe('Ada'.repeat(50_000));
  });

  it('replace sections in values, and not in the text itself', async () => {
    const sections = new Substitutions({ '-s-': 'section' }, 'sections');
    expect(await filled({ '-a-': '[-s-]' }, '-a- -s-', sections)).toBe('[section] -s-');
  });

  it('are refused when a text exceeds 2 MiB', async () => {
    const grown = filled({ a: 'x'.repeat(10_000) }, 'a'.repeat(10_000));
    await expect(grown).rejects.toThrow(
      'substitutions: with its values filled in, a text is larger than 2 MiB',
    );
  });

  it.each([
    [
      'too many entries',
      Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`-${i}-`, 'x'])),
      /100 entries/,
    ],
    ['names that are too long', { ['a'.repeat(10_001)]: 'x' }, /10000 characters/],
    ['a value that is no text', { a: {} }, /substitutions\.a: must be a text/],
  ])('are refused with %s', (_what, values, words) => {
    expect(() => new Substitutions(values, 'substitutions')).toThrow(words);
  });
});
