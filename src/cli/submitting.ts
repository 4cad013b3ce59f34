/** Submits mail from the command line through the same gates and queue as the API. */

import type { Database } from '../database/database.ts';
import { ErasedAddresses } from '../erasure/erased-address-hash.ts';
import { createSettings } from '../organizations/settings/list.ts';
import { createAccepting } from '../processes/accepting.ts';
import { createAddressValidation } from '../processes/address-validation.ts';
import { dataFolders } from '../processes/data-folders.ts';
import { steadyClock } from '../runtime/clock.ts';
import { DiskWatch } from '../runtime/disk-space.ts';
import { createLog } from '../runtime/log.ts';
import type { SubmissionDeps } from '../submission/submit.ts';
import type { CommandContext } from './command.ts';
import { openKeyRing } from './installation.ts';

export async function withSubmission<T>(
  { config, clock }: CommandContext,
  db: Database,
  work: (submission: SubmissionDeps) => Promise<T>,
): Promise<T> {
  const deps = { config, clock, db, ring: await openKeyRing(db, config) };
  const erased = new ErasedAddresses(db, deps.ring);
  await erased.ensure(clock.nowMs());
  const validation = createAddressValidation(deps);
  const settings = createSettings(db, steadyClock, validation);
  const disk = new DiskWatch({ folders: () => dataFolders(config), log: createLog('cli', 'silent') });
  try {
    return await work(createAccepting({ ...deps, disk, erased, settings }).submission);
  } finally {
    await validation.lookups.stop();
  }
}
