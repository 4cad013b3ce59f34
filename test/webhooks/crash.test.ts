/** The dispatcher is killed in the middle: everything arrives, and twice only what was under way. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { uuidv7 } from '../../src/runtime/ids.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { Role } from '../support/role.ts';
import { TEST_SECRET_KEY } from '../support/secret-key.ts';
import { until } from '../support/until.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';

const DELIVERIES = 10_000;

describe('when the worker is killed in the middle of 10,000 webhook deliveries, twice', () => {
  let server: TestApi;
  let receiver: WebhookReceiver;
  let worker: Role;
  const dataDir = mkdtempSync(join(tmpdir(), 'postrider-hooks-'));
  /** What was under way at a kill. */
  const inFlight = new Set<string>();

  beforeAll(async () => {
    server = await startApi();
    receiver = await startWebhookReceiver();
    const { id, key } = await server.createOrganization();
    const hook = (await server.api('POST', '/webhooks', { url: receiver.url }, key)).body.data;
    await seed(hook.id, id);
    worker = new Role('worker', {
      DATABASE_URL: server.database.url,
      POSTRIDER_DATA_DIR: dataDir,
      POSTRIDER_SECRET_KEY: TEST_SECRET_KEY,
      POSTRIDER_LOG_LEVEL: 'warn',
    });
    worker.start();
    for (const count of [2_000, 6_000]) {
      await receiver.waitFor(count);
      await worker.end('SIGKILL');
      for (const eventId of await claimed()) inFlight.add(eventId);
      worker.start();
    }
    await until(async () => (await openDeliveries()) === 0);
  }, 400_000);
  afterAll(async () => {
    await worker.end('SIGTERM');
    await receiver.close();
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  async function seed(endpointId: string, organizationId: string): Promise<void> {
    await server.db.exec(
      adHoc(`INSERT INTO webhook_deliveries (endpoint_id, event_id, organization_id, event_type, due_at, created_at)
             SELECT $1, id, $2, 'webhook.test', now(), now() FROM unnest($3::uuid[]) AS id`),
      [endpointId, organizationId, Array.from({ length: DELIVERIES }, () => uuidv7(Date.now()))],
    );
  }

  async function claimed(): Promise<string[]> {
    const rows = await server.db.many(
      adHoc<{ id: string }>(
        `SELECT 'evt_' || replace(event_id::text, '-', '') AS id FROM webhook_deliveries WHERE worker IS NOT NULL`,
      ),
    );
    return rows.map(({ id }) => id);
  }

  async function openDeliveries(): Promise<number> {
    const open = adHoc<{ count: number }>(
      `SELECT count(*) AS count FROM webhook_deliveries WHERE state <> 'delivered'`,
    );
    return (await server.db.one(open)).count;
  }

  const ids = () => receiver.received.map((one) => one.headers['webhook-id'] ?? '');

  it('each arrives', () => {
    expect(inFlight.size).toBeGreaterThan(0);
    expect(new Set(ids()).size).toBe(DELIVERIES);
  });

  it('only those that were under way arrive twice', () => {
    const seen = new Set<string>();
    const twice = ids().filter((id) => seen.has(id) || !seen.add(id));
    expect(twice.filter((id) => !inFlight.has(id))).toEqual([]);
  });
});
