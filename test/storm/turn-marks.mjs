/**
 * Loaded into the storm's workers: notes when each of the last two turns of the event loop ended. What has come to a socket
 * before a turn begins is read, and all that follows from it at once is done, before that turn ends.
 */
import { openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';

if (isMainThread && /worker\.m?js$/.test(process.argv[1] ?? '')) {
  const file = openSync(join(process.env.STORM_TURNS_DIR, String(process.pid)), 'w');
  const ends = new Float64Array(2);
  const bytes = new Uint8Array(ends.buffer);
  // One that does not keep the process awake runs at the end of each turn that there is anyhow.
  const mark = () => {
    ends[0] = ends[1];
    ends[1] = performance.timeOrigin + performance.now();
    writeSync(file, bytes, 0, bytes.length, 0);
    setImmediate(mark).unref();
  };
  mark();
}
