import { describe, expect, it } from 'vitest';
import { filesToRunAgain, unsteady, withSecondRun } from './second-run.mjs';

const file = (name, tests) => {
  const results = Object.entries(tests).map(([fullName, status]) => ({ fullName, status }));
  const isBroken = results.length === 0 || results.some(({ status }) => status === 'failed');
  return { name: `/home/${name}`, status: isBroken ? 'failed' : 'passed', assertionResults: results };
};

describe('the second run of what failed', () => {
  it('is of the files with failures only', () => {
    const results = [file('a.ts', { x: 'passed' }), file('b.ts', { x: 'passed', y: 'failed' })];
    expect(filesToRunAgain(results)).toEqual(['/home/b.ts']);
  });

  it('includes a failed file of each of six workers, but not nine files', () => {
    const failed = (count) => Array.from({ length: count }, (_, n) => file(`${n}.ts`, { x: 'failed' }));
    expect(filesToRunAgain(failed(6))).toHaveLength(6);
    expect(filesToRunAgain(failed(9))).toEqual([]);
  });

  it('replaces what the first found out, and a test that fails again has failed', () => {
    const [a, b] = [file('a.ts', { x: 'passed' }), file('b.ts', { y: 'failed' })];
    const again = file('b.ts', { y: 'failed' });
    expect(withSecondRun([a, b], [again])).toEqual([a, again]);
    expect(unsteady([a, b], [again], '/home')).toEqual([]);
  });

  it('names what passed then, also where a file could not be loaded at first', () => {
    const first = [file('b.ts', { x: 'passed', y: 'failed', z: 'failed' }), file('c.ts', {})];
    const second = [file('b.ts', { x: 'passed', y: 'passed', z: 'failed' }), file('c.ts', { x: 'passed' })];
    expect(unsteady(first, second, '/home')).toEqual(['b.ts: y', 'c.ts']);
  });
});
