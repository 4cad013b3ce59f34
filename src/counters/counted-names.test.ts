import { describe, expect, it } from 'vitest';
import { CountedNames, OTHERS } from './counted-names.ts';

describe('names that are counted apart', () => {
  it('are the first fifty of a list, in every hour', () => {
    const names = new CountedNames();
    for (let n = 0; n < 50; n += 1) expect(names.named(1, 'a', `run:${n}`)).toBe(`run:${n}`);
    expect(names.named(1, 'a', 'run:50')).toBe(OTHERS);
    expect(names.named(1, 'a', 'run:7')).toBe('run:7');
    expect(names.named(1, 'b', 'run:50')).toBe('run:50');
    expect(names.named(2, 'a', 'run:50')).toBe('run:50');
  });

  it('are bounded in total across all lists', () => {
    const names = new CountedNames();
    for (let n = 0; n < 20_000; n += 1) names.named(1, `list ${n}`, 'name');
    expect(names.named(1, 'one more', 'name')).toBe(OTHERS);
  });

  it('are counted with the others when they are too long', () => {
    expect(new CountedNames().named(1, 'a', 'x'.repeat(201))).toBe(OTHERS);
  });
});
