// Runs Vitest in a process group of its own, under a time limit, and reads its results.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { root } from './prepare.mjs';
import { watchForStall } from './stall.mjs';
import { UNFINISHED_FILE_VARIABLE, unfinished, withUnfinished } from './unfinished-files.mjs';

/** A shared machine can be several times as slow as an idle one. */
const TIME_LIMIT_MS = 60 * 60_000;

/** `scratch` is what `makeScratch` returned. Resolves to Vitest's exit code and the results of each file. */
export async function runVitest(args, scratch, resultsFile) {
  const unfinishedFile = path.join(scratch.folder, 'unfinished.json');
  const resultsPath = path.join(scratch.folder, resultsFile);
  const child = startVitest(args, scratch, { unfinishedFile, resultsPath });
  const killGroup = (signal) => {
    try {
      process.kill(-child.pid, signal);
    } catch {
      // The group has ended.
    }
  };
  forwardSignals(killGroup);
  const giveUp = (why) => {
    console.error([`${why} They are stopped.`, ...unfinished(unfinishedFile)].join('\n'));
    killGroup('SIGKILL');
  };
  const limit = setTimeout(giveUp, TIME_LIMIT_MS, `The tests took ${TIME_LIMIT_MS / 60_000} minutes.`);
  const endWatch = watchForStall(unfinishedFile, () => giveUp('The tests hang: for minutes none has ended.'));
  const exitCode = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
  clearTimeout(limit);
  endWatch();
  killGroup('SIGKILL');
  return { exitCode, results: withUnfinished(readResults(resultsPath), unfinishedFile) };
}

function startVitest(args, scratch, { unfinishedFile, resultsPath }) {
  const vitest = path.join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const reporters = [
    '--reporter=default',
    `--reporter=${path.join(root, 'scripts', 'lib', 'unfinished-files.mjs')}`,
    '--reporter=json',
    `--outputFile.json=${resultsPath}`,
  ];
  return spawn(process.execPath, [vitest, 'run', ...reporters, ...args], {
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
}

function forwardSignals(killGroup) {
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.once(signal, () => {
      killGroup(signal);
      setTimeout(() => killGroup('SIGKILL'), 5_000).unref();
    });
  }
}

/** Empty where the run was cut off. */
function readResults(file) {
  return fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')).testResults : [];
}
