/**
 * Loaded into a process under test (`node --import`). Writes every turn of the event loop with more than 50 ms of processor time on
 * the main thread as a line of JSON to the file that LOOP_WATCH_FILE names. On SIGUSR2 it writes an empty line after all finished
 * turns. Plain JavaScript, because the process runs built code.
 */
import { appendFileSync, readFileSync } from 'node:fs';

const LIMIT_MS = 50;
/** The time of a turn includes other work since the previous sample, so samples are frequent. */
const SAMPLE_EVERY_MS = 2;
/** The file with the nanoseconds that this thread has run. Linux only. */
const SCHEDSTAT = '/proc/thread-self/schedstat';

const file = process.env.LOOP_WATCH_FILE;
const cpuMs = threadClock();
let sinceCpuMs = cpuMs();
let sinceMs = Date.now();

function threadClock() {
  const ofThread = () => Number(readFileSync(SCHEDSTAT, 'latin1').split(' ', 1)[0]) / 1e6;
  try {
    if (ofThread() > 0) return ofThread;
  } catch {
    // On other systems all threads of the process count.
  }
  return () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  };
}

function sample() {
  const heldMs = cpuMs() - sinceCpuMs;
  const nowMs = Date.now();
  if (heldMs > LIMIT_MS)
    appendFileSync(file, `${JSON.stringify({ heldMs, fromMs: sinceMs, toMs: nowMs })}\n`);
  sinceCpuMs = cpuMs();
  sinceMs = nowMs;
}

if (file !== undefined) {
  setInterval(sample, SAMPLE_EVERY_MS).unref();
  process.on('SIGUSR2', () => {
    sample();
    appendFileSync(file, '\n');
  });
}
