/** A worker freezes at the worst moment: in the transaction that settles deliveries, with the counters locked. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { sendLetter } from '../support/emails.ts';
import { Rival } from '../support/rival.ts';
import { Role } from '../support/role.ts';
import { TEST_SECRET_KEY } from '../support/secret-key.ts';
import { until } from '../support/until.ts';

/** Two seconds are expected, and a busy machine may add more. Before the fix, acceptance stopped for ten seconds. */
const SOON_MS = 8_000;

let server: TestApi;
let org: TestOrganization;
let worker: Role;
const dataDir = mkdtempSync(join(tmpdir(), 'postrider-frozen-'));
beforeAll(async () => {
  server = await startApi();
  org = await server.createOrganization();
  worker = new Role('worker', {
    DATABASE_URL: server.database.url,
    POSTRIDER_DATA_DIR: dataDir,
    POSTRIDER_SECRET_KEY: TEST_SECRET_KEY,
    POSTRIDER_LOG_LEVEL: 'warn',
  });
  worker.start();
  await whenDelivered(await sendLetter(server, org));
});
afterAll(async () => {
  process.kill(worker.pid, 'SIGCONT');
  await worker.end('SIGTERM');
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

async function eventsOf(id: string): Promise<string[]> {
  const { body } = await server.api('GET', `/emails/${id}`, undefined, org.key);
  return body.data.events.map(({ type }: { type: string }) => type);
}

function whenDelivered(id: string): Promise<string[]> {
  return until(
    () => eventsOf(id),
    (types) => types.includes('delivered'),
  );
}

it('keeps nobody from being accepted for longer than two seconds, and delivers once when it goes on', async () => {
  // The last write before COMMIT, so that all other locks are already held.
  const rival = await Rival.holding(server.database.url, 'LOCK TABLE delivery_counts IN EXCLUSIVE MODE');
  const settled = await sendLetter(server, org);
  await rival.isWaitedFor();
  process.kill(worker.pid, 'SIGSTOP');
  await rival.letGo();

  const frozenMs = performance.now();
  const accepted = await sendLetter(server, org);
  expect(performance.now() - frozenMs).toBeLessThan(SOON_MS);

  process.kill(worker.pid, 'SIGCONT');
  expect(await whenDelivered(settled)).toEqual(['queued', 'processing', 'delivered']);
  expect(await whenDelivered(accepted)).toEqual(['queued', 'processing', 'delivered']);
});
