import path from 'node:path';

const isFailed = ({ status }) => status === 'failed';
const isBroken = (file) => isFailed(file) && !file.assertionResults.some(isFailed);

/**
 * How many tests passed, failed and were skipped. A file that failed without one of its tests doing so could not be loaded or set
 * up: its tests are reported as skipped, or not at all, and it counts as one that failed.
 */
export function countTests({ results, exitCode }) {
  const tests = results.flatMap((file) => file.assertionResults);
  const broken = results.filter(isBroken);
  const passed = tests.filter(({ status }) => status === 'passed').length;
  const failed = tests.filter(isFailed).length + broken.length;
  const skipped = tests.length - tests.filter(isFailed).length - passed;
  const unexplained = failed === 0 && (exitCode !== 0 || passed + skipped === 0);
  return { passed, failed: unexplained ? 1 : failed, skipped };
}

export function addCounts(a, b) {
  return { passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: a.skipped + b.skipped };
}

/** One line for each test that failed, and for each file that could not be loaded or set up. */
export function failedTests(results, root) {
  return results.filter(isFailed).flatMap((file) => {
    const name = path.relative(root, file.name);
    if (isBroken(file)) return [name];
    return file.assertionResults.filter(isFailed).map(({ fullName }) => `${name}: ${fullName}`);
  });
}
