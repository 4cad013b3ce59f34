/**
 * Long files first, so that none of them is alone at the end while the other workers have nothing to do. On a fresh clone
 * nothing is known of how long files take; these take the longest.
 */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const LONG = [
  'test/browser/every-page.test.ts',
  'test/processes/supervisor.test.ts',
  'test/browser/people.test.ts',
  'test/embedded-postgres/crash.test.ts',
  'test/fuzz/fuzz.test.ts',
  'test/api/docs-examples.test.ts',
  'test/processes/api.test.ts',
  'test/processes/upgrade.test.ts',
  'test/browser/set-up.test.ts',
  'test/lists/exact.test.ts',
  'test/delivery/evil/strangers-mx.test.ts',
  'test/browser/keyboard.test.ts',
  'test/domains/rechecks.test.ts',
  'test/backup/restore.test.ts',
  'test/flows/templates.test.ts',
  'test/browser/first-mail.test.ts',
  'test/docs/examples.test.ts',
  'test/api/overload.test.ts',
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
