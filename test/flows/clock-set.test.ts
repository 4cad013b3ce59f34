/** A worker whose clock is set while it runs. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { HOUR_MS } from '../../src/runtime/durations.ts';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { sendLetter } from '../support/emails.ts';
import { startMailWorker, type TestWorker } from '../support/mail-worker.ts';

let server: TestApi;
let org: TestOrganization;
let worker: TestWorker;
let aheadMs = 0;
beforeAll(async () => {
  server = await startApi();
  org = await server.createOrganization();
  worker = await startMailWorker(server.database, {}, { clock: { nowMs: () => Date.now() + aheadMs } });
});
afterAll(async () => {
  await worker.stop();
  await server.stop();
});

const statusOf = async (id: string) =>
  (await server.api('GET', `/emails/${id}`, undefined, org.key)).body.data.status;

it('still finds what becomes due after its clock was set back by an hour', async () => {
  const later = await sendLetter(server, org, { scheduled_at: new Date(Date.now() + HOUR_MS).toISOString() });
  const first = await sendLetter(server, org);
  await expect.poll(() => statusOf(first)).toBe('delivered');
  aheadMs = -HOUR_MS;
  // Nobody tells the worker of it: it has to look by itself.
  await server.db.exec(adHoc('UPDATE outbox SET due_at = now()'));
  await expect.poll(() => statusOf(later)).toBe('delivered');
});
