/**
 * Unit tests first, then the files of the system by how long they took when `npm test -- --record` last ran, so that no long
 * file is alone at the end while the other workers are idle.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const ROOT = path.resolve(import.meta.dirname, '../..');
const DURATIONS_FILE = path.join(ROOT, 'test', 'durations.json');

/** The storm kills processes and judges by milliseconds what they could have known: last, when the machine is least busy. */
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

/** Smaller runs earlier. A worker ends where the next file is of another project, so each project's files stay together. */
function rank({ moduleId, project }: TestSpecification, seconds: ReadonlyMap<string, number>): number {
  if (project.name === 'unit') return Number.NEGATIVE_INFINITY;
  const file = path.relative(ROOT, moduleId);
  if (file === LAST) return Number.POSITIVE_INFINITY;
  return -(seconds.get(file) ?? 0);
}
