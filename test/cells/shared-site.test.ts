/** A provider's limit holds for all cells together: counted where the mail arrives. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { RoutedDatabase } from '../../src/cells/routed-database.ts';
import { adHoc } from '../../src/database/sql.ts';
import { wakeWorkers } from '../../src/outbox/wake.ts';
import type { MailWorker } from '../../src/processes/mail-worker.ts';
import { newId } from '../../src/runtime/ids.ts';
import { Live } from '../delivery/live.ts';
import { dropControl } from '../support/celled-database.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { createMailWorker, liveEnv } from '../support/mail-worker.ts';
import { seedMail } from '../support/seed-mail.ts';
import { until } from '../support/until.ts';

const HERE = newId('org');
const THERE = newId('org');
const MAILS = 60;

let live: Live;
let two: TestDatabase;
let dataDir: string;
let most = 0;
const workers: MailWorker[] = [];

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'postrider-cells-'));
  const mail = () => {
    const open = live.sink('host').connections.filter((one) => one.ended === 'open' && !one.saidQuit);
    most = Math.max(most, open.length);
    return { act: 'agree' as const };
  };
  live = await Live.start({
    sites: { host: { mail } },
    zone: (sinks) => ({
      'one.test': { MX: [[1, 'smtp-in.orange.fr']] },
      'smtp-in.orange.fr': { A: [sinks.host?.address ?? ''] },
    }),
  });
  two = await createTestDatabase();
  await dropControl(two.db);
  const cellOf = (id: string) => (id === THERE ? 'two' : 'main');
  const routed = new RoutedDatabase({
    main: live.db,
    others: new Map([['two', two.db]]),
    directory: { cellOf },
  });
  const cells = { ...liveEnv(live.dns, live.sink('host').port), POSTRIDER_CELLS: `two=${two.url}` };
  for (const { name, db } of routed.cells) {
    const url = name === 'two' ? two.url : live.database.url;
    const env = { ...cells, POSTRIDER_CELL: name, POSTRIDER_DATA_DIR: dataDir };
    workers.push(createMailWorker({ db, url, drop: async () => {} }, env));
  }
  await Promise.all(workers.map((worker) => worker.start()));
});

afterAll(async () => {
  await Promise.all(workers.map((worker) => worker.stop()));
  await live?.stop();
  await two?.drop();
  rmSync(dataDir, { recursive: true, force: true });
});

async function queued(): Promise<number> {
  const counts = [live.db, two.db].map((db) =>
    db.one(adHoc<{ count: number }>('SELECT count(*) FROM outbox')),
  );
  return (await Promise.all(counts)).reduce((sum, { count }) => sum + count, 0);
}

/** Each has looked again after both were there. */
async function untilTheyKnowEachOther(): Promise<void> {
  const beats = adHoc<{ count: number; at: Date }>(
    'SELECT count(*), now() AS at FROM sending_workers WHERE $1::timestamptz IS NULL OR seen_at > $1',
  );
  let since: Date | null = null;
  for (let turn = 0; turn < 2; turn += 1) {
    const seen = await until(
      () => live.db.one(beats, [since]),
      ({ count }) => count === 2,
    );
    since = seen.at;
  }
}

it('a provider that likes two connections gets two from the workers of two cells', async () => {
  await untilTheyKnowEachOther();
  for (const [db, organizationId] of [
    [live.db, HERE],
    [two.db, THERE],
  ] as const) {
    await seedMail(db, { domain: 'one.test', organizationId, count: MAILS, from: 'hello@sender.test' });
    await wakeWorkers(db);
  }
  await until(queued, (count) => count === 0);
  expect(live.sink('host').messageCount).toBe(2 * MAILS);
  expect(most).toBe(2);
});
