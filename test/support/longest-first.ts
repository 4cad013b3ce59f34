/**
 * Orders the test files: unit tests first, then the `system` files by their duration in the last `npm test -- --record`, longest
 * first. So no long file runs alone at the end while other workers are idle.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const ROOT = path.resolve(import.meta.dirname, '../..');
const DURATIONS_FILE = path.join(ROOT, 'test', 'durations.json');

/** The storm kills processes and compares times in milliseconds, so it runs last, when the machine is least busy. */
const LAST = 'test/storm/storm.test.ts';

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const seconds = recordedSeconds();
    const order = (file: TestSpecification) => rank(file, seconds);
    return (await super.sort(files)).toSorted((a, b) => order(a) - order(b));
  }
}

function recordedSeconds(): ReadonlyMap<string, number> {
  return new Map(Object.entries(JSON.parse(readFileSync(DURATIONS_FILE, 'utf8'))));
}

/** A file with a smaller rank runs earlier. Vitest restarts a worker between projects, so each project's files stay together. */
function rank({ moduleId, project }: TestSpecification, seconds: ReadonlyMap<string, number>): number {
  if (project.name === 'unit') return Number.NEGATIVE_INFINITY;
  const file = path.relative(ROOT, moduleId);
  if (file === LAST) return Number.POSITIVE_INFINITY;
  return -(seconds.get(file) ?? 0);
}
