/**
 * Unit tests first, then the long files of the system, so that none of them is alone at the end while the other workers have
 * nothing to do. On a fresh clone nothing is known of how long files take; these take the longest, or wait the longest.
 */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const LONG = [
  'test/processes/supervisor.test.ts',
  'test/browser/every-page.test.ts',
  'test/embedded-postgres/crash.test.ts',
  'test/browser/people.test.ts',
  'test/processes/upgrade.test.ts',
  'test/fuzz/fuzz.test.ts',
  'test/delivery/evil/strangers-mx.test.ts',
  'test/browser/set-up.test.ts',
  'test/lists/exact.test.ts',
  'test/package/installed.test.ts',
  'test/processes/api.test.ts',
  'test/domains/rechecks.test.ts',
  'test/browser/keyboard.test.ts',
  'test/suppressions/import.test.ts',
  'test/webhooks/crash.test.ts',
  'test/docs/examples.test.ts',
  'test/docs/reference.test.ts',
  'test/docs/reference-requests.test.ts',
  'test/embedded-postgres/accounts.test.ts',
  'test/api/overload.test.ts',
  'test/backup/restore.test.ts',
  'test/processes/supervised-postgres.test.ts',
  'test/delivery/ownership.test.ts',
  'test/database/failover.test.ts',
  'test/browser/support.test.ts',
  'test/backup/backup.test.ts',
  'test/browser/first-mail.test.ts',
  'test/webhooks/retries.test.ts',
  'test/flows/sandbox-delivery.test.ts',
  'test/secrets/rotate.test.ts',
  'test/embedded-postgres/start.test.ts',
  'test/delivery/breaker.test.ts',
  'test/delivery/evil/tls-garbage.test.ts',
  'test/delivery/fairness.test.ts',
];

/** It kills processes, and tells by milliseconds what they could not have known: last, when the machine is least busy. */
const LAST = 'test/storm/storm.test.ts';

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}

/** A worker ends where the next file is of another project, and a new one imports everything again. */
function rank({ moduleId, project }: TestSpecification): number {
  if (project.name === 'unit') return -1;
  if (moduleId.endsWith(`/${LAST}`)) return LONG.length + 1;
  const place = LONG.findIndex((name) => moduleId.endsWith(`/${name}`));
  return place === -1 ? LONG.length : place;
}
