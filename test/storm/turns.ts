/** The turns of a worker's event loop, as it noted them itself (turn-marks.mjs). */
import { mkdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FOLDER = join(tmpdir(), 'postrider-storm-turns');

/** What makes workers note them. */
export function environmentOfTurns(): Record<string, string> {
  mkdirSync(FOLDER, { recursive: true });
  const marks = fileURLToPath(new URL('./turn-marks.mjs', import.meta.url));
  return { NODE_OPTIONS: `--import ${marks}`, STORM_TURNS_DIR: FOLDER };
}

/** When the last turn began that has also ended; undefined where that is not known. */
export function lastTurnMs(pid: number): number | undefined {
  try {
    const { buffer, byteOffset } = Uint8Array.from(readFileSync(join(FOLDER, String(pid))));
    return new Float64Array(buffer, byteOffset, 2)[0];
  } catch {
    return undefined;
  }
}
