/**
 * What failed beside all the other tests gets a second run, alone. A test that passes then is unsteady: it counts as
 * passed, and is named at the end, so that somebody fixes it. One that is broken fails again.
 */
import path from 'node:path';

/** A machine that is paused for seconds can fail a test in each of the six workers. Many more failures are no accident. */
const MAX_FILES = 8;

const isPassed = ({ status }) => status === 'passed';
const isFailed = ({ status }) => status === 'failed';

/** The files to run again; none where nothing failed or too much did. */
export function filesToRunAgain(testResults) {
  const files = testResults.filter(isFailed).map(({ name }) => name);
  return files.length <= MAX_FILES ? files : [];
}

/** The first run's results with those of the second in their place. */
export function withSecondRun(first, second) {
  const again = new Map(second.map((file) => [file.name, file]));
  return first.map((file) => again.get(file.name) ?? file);
}

/** What failed first and passed then, one line each. A file that could not even be loaded the first time has only its name. */
export function unsteady(first, second, root) {
  const passedAgain = new Map(
    second.map((file) => [
      file.name,
      new Set(file.assertionResults.filter(isPassed).map((one) => one.fullName)),
    ]),
  );
  return first.filter(isFailed).flatMap((file) => {
    const passed = passedAgain.get(file.name) ?? new Set();
    const failed = file.assertionResults.filter(isFailed).map((one) => one.fullName);
    const name = path.relative(root, file.name);
    if (failed.length === 0) return passed.size > 0 ? [name] : [];
    return failed.filter((test) => passed.has(test)).map((test) => `${name}: ${test}`);
  });
}
