/** A canary of the route table that is under way. */
import { adHoc } from '../../src/database/sql.ts';
import { reviewCanaries } from '../../src/routing/canary/control.ts';
import { addCanaryCounts } from '../../src/routing/canary/counts.ts';
import { createLog } from '../../src/runtime/log.ts';
import type { BrowserFixture } from './fixture.ts';

/** One provider that takes the new way well, and one that does not. */
export async function moveSome({ api: { db } }: BrowserFixture): Promise<void> {
  const deps = { db, clock: { nowMs: () => Date.now() }, log: createLog('test', 'silent') };
  const look = async () => {
    await db.exec(adHoc(`UPDATE canaries SET looked_at = '-infinity'`));
    await reviewCanaries(deps, new AbortController().signal);
    await db.exec(adHoc(`UPDATE canary_shares SET since = since - interval '1 minute'`));
  };
  const count = (provider: string, way: 'old' | 'new', sent: number, deferred: number) =>
    addCanaryCounts(db, [{ canary: 'off-acme', provider, way, sent, deferred, bounced: 0, complained: 0 }]);
  for (const provider of ['google', 'microsoft-consumer']) await count(provider, 'old', 1_250, 12);
  await look();
  await count('google', 'new', 40, 1);
  await count('microsoft-consumer', 'new', 40, 33);
  await look();
}
