/** Measures the memory of the validation lists in bytes. Runs in its own process with --expose-gc. */
import type { ValidationLists } from '../../src/validation/lists.ts';
import { built } from './built.ts';

const { loadLists } = await built<typeof import('../../src/validation/lists.ts')>('validation/lists');

const before = used();
const started = performance.now();
const kept: ValidationLists = loadLists();
const loadMs = performance.now() - started;
process.send?.({ bytes: used() - before, loadMs, version: kept.version });
process.disconnect();

function used(): number {
  for (let times = 0; times < 3; times += 1) globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
