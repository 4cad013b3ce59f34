// `npm test [-- paths]`: sets up what is missing, runs every test under one time limit, and closes with a line
// that says how many passed and failed.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { buildIfNeeded, command, installIfNeeded, root } from './lib/prepare.mjs';
import { clear, makeScratch } from './lib/scratch.mjs';
import { filesToRunAgain, unsteady, withSecondRun } from './lib/second-run.mjs';
import { watchForStall } from './lib/stall.mjs';
import { missingPrograms } from './lib/system-programs.mjs';
import { countTests } from './lib/test-count.mjs';
import { UNFINISHED_FILE_VARIABLE, unfinished } from './lib/unfinished-files.mjs';

/** Seven minutes on a small machine of its own; one that is shared may be several times as slow. */
const TIME_LIMIT_MS = 60 * 60_000;

await command(async () => {
  const args = process.argv.slice(2);
  await installIfNeeded(console.log);
  await buildIfNeeded(console.log);
  sayWhatIsSkipped(missingPrograms());
  const scratch = makeScratch();
  try {
    await runTests(args, scratch);
  } finally {
    clear(scratch);
  }
});

async function runTests(args, scratch) {
  const first = await runVitest(args, scratch, 'first.json');
  // Whoever names files or tests runs them alone already.
  const again = args.length === 0 ? filesToRunAgain(first.results) : [];
  if (again.length === 0) return finish(countTests(first), first.exitCode);
  console.log('What failed is run once more, alone.');
  const second = await runVitest(['--no-file-parallelism', ...again], scratch, 'second.json');
  const results = withSecondRun(first.results, second.results);
  for (const one of unsteady(first.results, second.results, root))
    console.log(`Unsteady, to be mended: ${one}`);
  finish(countTests({ results, exitCode: second.exitCode }), second.exitCode);
}

/** A mail server or a browser is nothing to install on somebody's machine unasked. */
function sayWhatIsSkipped(missing) {
  if (missing.length === 0) return;
  const names = missing.join(', ');
  console.log(`Not installed: ${names}. Their tests are skipped (apt-get install ${missing.join(' ')}).`);
}

async function runVitest(args, scratch, resultsFile) {
  const vitest = path.join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const unfinishedFile = path.join(scratch.folder, 'unfinished.json');
  const reporters = [
    '--reporter=default',
    `--reporter=${path.join(root, 'scripts', 'lib', 'unfinished-files.mjs')}`,
    '--reporter=json',
    `--outputFile.json=${path.join(scratch.folder, resultsFile)}`,
  ];
  // A group of its own, so that a run that hangs can be ended with all its processes.
  const child = spawn(process.execPath, [vitest, 'run', ...reporters, ...args], {
    cwd: root,
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      ...process.env,
      TMPDIR: scratch.folder,
      POSTRIDER_TEST_DATABASE_DIR: scratch.databaseFolder,
      NODE_ENV: 'test',
      [UNFINISHED_FILE_VARIABLE]: unfinishedFile,
    },
  });
  const kill = (signal) => {
    try {
      process.kill(-child.pid, signal);
    } catch {
      // It has ended by itself.
    }
  };
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.on(signal, () => {
      kill(signal);
      setTimeout(() => kill('SIGKILL'), 5_000).unref();
    });
  }
  const giveUp = (why) => {
    console.error([`${why} They are stopped.`, ...unfinished(unfinishedFile)].join('\n'));
    kill('SIGKILL');
  };
  const limit = setTimeout(giveUp, TIME_LIMIT_MS, `The tests took ${TIME_LIMIT_MS / 60_000} minutes.`);
  const endWatch = watchForStall(unfinishedFile, () => giveUp('The tests hang: for minutes none has ended.'));
  const exitCode = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => {
      clearTimeout(limit);
      endWatch();
      kill('SIGKILL');
      resolve(code === null ? 1 : code);
    });
  });
  return { exitCode, results: readResults(path.join(scratch.folder, resultsFile)) };
}

/** Of each file; of none where the run was cut off. */
function readResults(file) {
  return fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')).testResults : [];
}

function finish({ passed, failed, skipped }, exitCode) {
  if (failed > 0 && exitCode === 0) console.error('No test was run.');
  console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
  process.exitCode = failed > 0 ? 1 : 0;
}
