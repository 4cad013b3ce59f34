/**
 * Long files first, so that none of them is alone at the end while the other workers have nothing to do. On a fresh clone
 * nothing is known of how long files take; these took a minute or so.
 */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const LONG = [
  'test/flows/retries.test.ts',
  'test/browser/every-page.test.ts',
  'test/browser/people.test.ts',
  'test/fuzz/fuzz.test.ts',
  'test/flows/sandbox-delivery.test.ts',
  'test/embedded-postgres/crash.test.ts',
  'test/processes/supervisor.test.ts',
  'test/docs/examples.test.ts',
  'test/api/docs-examples.test.ts',
];

/** It kills processes, and tells by milliseconds what they could not have known: last, when the machine is least busy. */
const LAST = 'test/storm/storm.test.ts';

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      if (moduleId.endsWith(`/${LAST}`)) return LONG.length + 1;
      const place = LONG.findIndex((name) => moduleId.endsWith(`/${name}`));
      return place === -1 ? LONG.length : place;
    };
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}
