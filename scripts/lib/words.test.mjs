import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { identifierHits, messageOf, phraseHits } from './words.mjs';

const file = (text) => [{ path: 'src/a.ts', text }];

describe('the word check', () => {
  it('names the file, the line, the old name and the new one', () => {
    const hits = identifierHits(file('const a = 1;\nnew Vigil(a);\n'), { Vigil: 'FailureDetector' });
    expect(hits.map(messageOf)).toEqual(['src/a.ts:2: "Vigil": use "FailureDetector"']);
  });

  it('ignores names that only contain an old name, and paths', () => {
    const text = "class Vigilant {}\nimport './Vigil.ts';\nconst myVigil = a-Vigil-b;\n";
    expect(identifierHits(file(text), { Vigil: 'FailureDetector' })).toEqual([]);
  });

  it('finds a phrase whatever its case is', () => {
    expect(phraseHits(file('/** Whoever asks. */'), [{ phrase: 'whoever', use: 'the caller' }])).toEqual([
      'src/a.ts:1: "Whoever": use "the caller"',
    ]);
  });

  it('accepts as many occurrences of a phrase as are allowed, and reports all when there is one more', () => {
    const phrases = [{ phrase: 'by itself', use: 'automatically', allowed: 1 }];
    expect(phraseHits(file('by itself'), phrases)).toEqual([]);
    expect(phraseHits(file('by itself\nby itself'), phrases)).toEqual([
      '"by itself" occurs 2 times, and 1 are allowed. Change the one that you added:',
      'src/a.ts:1: "by itself": use "automatically"',
      'src/a.ts:2: "by itself": use "automatically"',
    ]);
  });

  it('finds nothing in this tree', () => {
    const script = fileURLToPath(new URL('../words.mjs', import.meta.url));
    expect(execFileSync(process.execPath, [script], { encoding: 'utf8' })).toBe('');
  });
});
