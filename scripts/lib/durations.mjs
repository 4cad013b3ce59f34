// How long each test file took, for the order in which the next runs start them (test/support/longest-first.ts).
import fs from 'node:fs';
import path from 'node:path';
import { root } from './prepare.mjs';

const FILE = path.join(root, 'test', 'durations.json');
/** Shorter files do not matter for the order. */
const MIN_SECONDS = 1;

/** Replaces the durations of the files that ran and keeps those of the others. Files that are gone are dropped. */
export function recordDurations(testResults) {
  const known = JSON.parse(fs.readFileSync(FILE, 'utf8'));
  fs.writeFileSync(FILE, `${JSON.stringify(mergeDurations(known, testResults), null, 2)}\n`);
}

export function mergeDurations(known, testResults, exists = (file) => fs.existsSync(path.join(root, file))) {
  const seconds = new Map(Object.entries(known));
  for (const { name, startTime, endTime } of testResults) {
    const file = path.relative(root, name);
    if (file.startsWith('test/')) seconds.set(file, Math.round((endTime - startTime) / 1000));
  }
  const kept = [...seconds].filter(([file, took]) => took >= MIN_SECONDS && exists(file));
  return Object.fromEntries(kept.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
