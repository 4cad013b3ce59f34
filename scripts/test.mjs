// Sets up what is missing, runs tests, and closes with a line that says how many passed and failed.
//   npm test                 the tests of every change
//   npm run test:all         the same, then those that take minutes
//   npm run test:slow        only those that take minutes
//   npm test -- PATH …       the files whose path contains PATH, slow ones too
//   npm test -- --record     also writes down how long each file took

import { recordDurations } from './lib/durations.mjs';
import { buildIfNeeded, command, installIfNeeded, root } from './lib/prepare.mjs';
import { runVitest } from './lib/run-vitest.mjs';
import { clear, makeScratch } from './lib/scratch.mjs';
import { filesToRunAgain, unsteady, withSecondRun } from './lib/second-run.mjs';
import { missingPrograms } from './lib/system-programs.mjs';
import { addCounts, countTests, failedTests } from './lib/test-count.mjs';

const QUICK = ['--project', 'unit', '--project', 'system'];
const SLOW = ['--project', 'slow'];

await command(async () => {
  const options = parseOptions(process.argv.slice(2));
  await installIfNeeded(console.log);
  await buildIfNeeded(console.log);
  reportSkipped(missingPrograms());
  const counts = [];
  for (const stage of options.stages) counts.push(await runStage(stage, options));
  finish(counts.reduce(addCounts));
});

function parseOptions(args) {
  const own = ['--all', '--slow', '--record'];
  const rest = args.filter((arg) => !own.includes(arg));
  const record = args.includes('--record');
  if (rest.length > 0) return { stages: [rest], record, isSelection: true };
  if (args.includes('--slow')) return { stages: [SLOW], record, isSelection: false };
  return { stages: args.includes('--all') ? [QUICK, SLOW] : [QUICK], record, isSelection: false };
}

async function runStage(args, { record, isSelection }) {
  const scratch = makeScratch();
  try {
    const first = await runVitest(args, scratch, 'first.json');
    if (record) recordDurations(first.results);
    // Files that were named are run alone already.
    const again = isSelection ? [] : filesToRunAgain(first.results);
    const last = again.length === 0 ? first : await runAgain(first, again, scratch);
    // Named again at the end: what CI keeps of a long log may be its last lines alone.
    for (const test of failedTests(last.results, root)) console.log(`Failed: ${test}`);
    return countTests(last);
  } finally {
    clear(scratch);
  }
}

async function runAgain(first, files, scratch) {
  console.log('What failed is run once more, alone.');
  const second = await runVitest(['--no-file-parallelism', ...files], scratch, 'second.json');
  for (const test of unsteady(first.results, second.results, root))
    console.log(`Unsteady, to be mended: ${test}`);
  return { results: withSecondRun(first.results, second.results), exitCode: second.exitCode };
}

/** A mail server or a browser is not installed on somebody's machine without being asked for. */
function reportSkipped(missing) {
  if (missing.length === 0) return;
  const names = missing.join(', ');
  console.log(`Not installed: ${names}. Their tests are skipped (apt-get install ${missing.join(' ')}).`);
}

function finish({ passed, failed, skipped }) {
  console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
  process.exitCode = failed > 0 ? 1 : 0;
}
