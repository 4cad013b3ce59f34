/** Each promise of SECURITY.md names the tests that prove it, and those tests exist. */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const page = readFileSync('SECURITY.md', 'utf8');
const PROMISES = '## Promises and their tests\n';

interface Promised {
  readonly heading: string;
  readonly promise: string;
  readonly tests: readonly { readonly file: string; readonly name: string }[];
}

/** `path`: “name of the test” */
const TEST = /`([^`]+\.test\.(?:ts|mjs))`: “([^”]+)”/g;

/** The rows of the tables, each with the heading that it stands under. */
function promised(): Promised[] {
  const section = page.split(PROMISES)[1]?.split(/^## /m)[0] ?? '';
  return section.split(/^### /m).flatMap((part) => {
    const [heading = '', ...lines] = part.split('\n');
    const rows = lines.filter((line) => line.startsWith('| ') && !/^\| (?:promise|---)/.test(line));
    return rows.map((row) => {
      const [promise = '', proof = ''] = row.replace(/^\| | \|$/g, '').split(' | ');
      const tests = [...proof.matchAll(TEST)].map(([, file = '', name = '']) => ({ file, name }));
      return { heading, promise: promise.trim(), tests };
    });
  });
}

/** Whether the file has a test, or a group of tests, of that name, which is not skipped. */
function hasTest(file: string, name: string): boolean {
  if (!existsSync(file)) return false;
  const text = readFileSync(file, 'utf8');
  const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`(?<!\\.(?:skip|todo))\\(\\s*(['"\`])${escaped}\\1\\s*,`).test(text);
}

/** Everybody in the first column of the threat model. */
function threats(): string[] {
  const section = page.split('## Threat model\n')[1]?.split(/^## /m)[0] ?? '';
  const rows = [...section.matchAll(/^\| (.+?) +\|/gm)].map(([, who = '']) => who);
  return rows.filter((who) => who !== 'who' && !who.startsWith('---'));
}

describe('SECURITY.md', () => {
  it('names at least one test for every promise', () => {
    expect(promised().length).toBeGreaterThan(50);
    expect(promised().filter(({ tests }) => tests.length === 0)).toEqual([]);
  });

  it('names tests that there are', () => {
    const missing = promised()
      .flatMap(({ tests }) => tests)
      .filter(({ file, name }) => !hasTest(file, name));
    expect(missing).toEqual([]);
  });

  it('knows a test that there is from one that there is not', () => {
    expect(hasTest('test/docs/security.test.ts', 'names tests that there are')).toBe(true);
    expect(hasTest('test/docs/security.test.ts', 'names tests that there')).toBe(false);
    expect(hasTest('test/docs/no-such.test.ts', 'names tests that there are')).toBe(false);
  });

  it('has promises about everybody in the threat model', () => {
    const headings = new Set(promised().map(({ heading }) => heading.toLowerCase()));
    expect(threats().length).toBeGreaterThan(8);
    expect(threats().filter((who) => !headings.has(who.toLowerCase()))).toEqual([]);
  });

  it('makes each promise once', () => {
    const all = promised().map(({ promise }) => promise);
    expect(new Set(all).size).toBe(all.length);
  });
});
