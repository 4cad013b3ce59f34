import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
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
    expect(
      phraseHits(file('/** Whoever asks. */'), [{ phrase: 'whoever', use: 'the caller' }], 'code'),
    ).toEqual(['src/a.ts:1: "Whoever": use "the caller"']);
  });

  it('accepts as many occurrences of a phrase as are allowed, and reports all when there is one more', () => {
    const phrases = [{ phrase: 'by itself', use: 'automatically', allowed: { code: 1 } }];
    expect(phraseHits(file('by itself'), phrases, 'code')).toEqual([]);
    expect(phraseHits(file('by itself\nby itself'), phrases, 'code')).toEqual([
      '"by itself" occurs 2 times, and 1 are allowed. Change the one that you added:',
      'src/a.ts:1: "by itself": use "automatically"',
      'src/a.ts:2: "by itself": use "automatically"',
    ]);
  });

  it('allows nothing in an area that has no number', () => {
    const phrases = [{ phrase: 'by itself', use: 'automatically', allowed: { code: 1 } }];
    expect(phraseHits(file('by itself'), phrases, 'docs')).toHaveLength(1);
  });

  it('searches for a phrase only in its areas', () => {
    const phrases = [{ phrase: 'heard', use: 'received', areas: ['docs'] }];
    expect(phraseHits(file('heard'), phrases, 'code')).toEqual([]);
    expect(phraseHits(file('heard'), phrases, 'docs')).toHaveLength(1);
  });

  it('finds a phrase that goes on in the next line', () => {
    expect(
      phraseHits(file('it goes by\nitself'), [{ phrase: 'by itself', use: 'automatically' }], 'docs'),
    ).toEqual(['src/a.ts:1: "by itself": use "automatically"']);
  });

  it('counts lines from the line at which a text begins', () => {
    const text = { path: 'src/a.ts', line: 7, text: 'one\nby itself' };
    expect(phraseHits([text], [{ phrase: 'by itself', use: 'automatically' }], 'texts')).toEqual([
      'src/a.ts:8: "by itself": use "automatically"',
    ]);
  });
});

describe('the script', () => {
  const script = fileURLToPath(new URL('../words.mjs', import.meta.url));
  const folder = mkdtempSync(join(tmpdir(), 'postrider-words-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  /** Runs the check on a repository with these files. */
  function check(files) {
    const root = mkdtempSync(join(folder, 'repository-'));
    execFileSync('git', ['init', '--quiet', root]);
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    const { status, stderr } = spawnSync(process.execPath, [script, root], { encoding: 'utf8' });
    return { status, problems: stderr };
  }

  it('fails for a phrase in a page of the documentation', () => {
    const { status, problems } = check({ 'docs/send/a.md': '# A\n\nMail moves little by little.\n' });
    expect(status).toBe(1);
    expect(problems).toBe('docs/send/a.md:3: "little by little": use "step by step, gradually"\n');
  });

  it('fails for a phrase in a text that people see, and not for the same phrase in a comment', () => {
    const code = '// We heard it.\nthrow new CliError(`No worker was heard.`);\n';
    const { status, problems } = check({ 'src/cli/a.ts': code });
    expect(status).toBe(1);
    expect(problems).toBe('src/cli/a.ts:2: "heard": use "received, seen"\n');
  });

  it('fails for a phrase between the tags of a page of the dashboard', () => {
    const code =
      'export const A = () => (\n  <p>\n    It moves <b>now</b>, little\n    by little.\n  </p>\n);\n';
    const { status, problems } = check({ 'dashboard/src/features/a/a.tsx': code });
    expect(status).toBe(1);
    expect(problems).toBe(
      'dashboard/src/features/a/a.tsx:3: "little by little": use "step by step, gradually"\n',
    );
  });

  it('fails for a sentence without a noun as its subject', () => {
    const { problems } = check({ 'README.md': 'Mail is queued. What is due is sent. What is due?\n' });
    expect(problems).toBe(
      'README.md:1: "What is due is sent.": use "a noun as the subject of the sentence"\n',
    );
  });

  it('succeeds in this tree', () => {
    expect(execFileSync(process.execPath, [script], { encoding: 'utf8' })).toBe('');
  });
});
