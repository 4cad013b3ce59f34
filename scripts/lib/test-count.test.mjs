import { describe, expect, it } from 'vitest';
import { countTests, failedTests } from './test-count.mjs';

const file = (status, ...tests) => ({ status, assertionResults: tests.map((one) => ({ status: one })) });

describe('the count of tests', () => {
  it('is of each that passed, failed or was skipped', () => {
    const results = [file('passed', 'passed', 'pending'), file('failed', 'passed', 'failed')];
    expect(countTests({ results, exitCode: 1 })).toEqual({ passed: 2, failed: 1, skipped: 1 });
  });

  it('has a file that could not be set up among those that failed, though its tests were skipped', () => {
    const results = [
      file('passed', 'passed'),
      file('failed', 'failed'),
      file('failed', 'pending', 'pending'),
    ];
    expect(countTests({ results, exitCode: 1 })).toEqual({ passed: 1, failed: 2, skipped: 2 });
  });

  it('has a file that could not be loaded among them', () => {
    expect(countTests({ results: [file('failed')], exitCode: 1 })).toEqual({
      passed: 0,
      failed: 1,
      skipped: 0,
    });
  });

  it('never says that all is well when the run failed, or when nothing was run', () => {
    expect(countTests({ results: [file('passed', 'passed')], exitCode: 1 }).failed).toBe(1);
    expect(countTests({ results: [], exitCode: 0 }).failed).toBe(1);
  });
});

describe('the list of what failed', () => {
  const test = (status, fullName) => ({ status, fullName });

  it('names each test that failed, with its file', () => {
    const assertionResults = [test('passed', 'sends'), test('failed', 'bounces')];
    const results = [{ name: '/project/test/a.test.ts', status: 'failed', assertionResults }];
    expect(failedTests(results, '/project')).toEqual(['test/a.test.ts: bounces']);
  });

  it('names a file that could not be loaded', () => {
    const results = [{ name: '/project/test/a.test.ts', status: 'failed', assertionResults: [] }];
    expect(failedTests(results, '/project')).toEqual(['test/a.test.ts']);
  });
});
