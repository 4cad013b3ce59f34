// A run of the tests in which nothing ends any more is not worth waiting for.
import fs from 'node:fs';

/** No test and no hook may take as long. */
const STALLED_AFTER_MS = 8 * 60_000;
const CHECK_INTERVAL_MS = 5_000;

/** Calls `onStall` once, when the file that every event of the run is noted in has not changed for long. */
export function watchForStall(file, onStall) {
  const startedMs = Date.now();
  const timer = setInterval(() => {
    const changedMs = fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? startedMs;
    if (Date.now() - changedMs < STALLED_AFTER_MS) return;
    clearInterval(timer);
    onStall();
  }, CHECK_INTERVAL_MS);
  return () => clearInterval(timer);
}
