/** The pixel and the link while PostgreSQL is away. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Database } from '../../src/database/database.ts';
import { newId, uuidv7 } from '../../src/runtime/ids.ts';
import { createLog } from '../../src/runtime/log.ts';
import { createMetrics } from '../../src/runtime/metrics.ts';
import { OpenRecorder } from '../../src/tracking/recorders.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { openTcpGate, type TcpGate } from '../support/tcp-gate.ts';
import { TrackingFixture } from './fixture.ts';

let database: TestDatabase;
let gate: TcpGate;
let db: Database;
let fixture: TrackingFixture;
beforeAll(async () => {
  database = await createTestDatabase();
  const url = new URL(database.url);
  gate = await openTcpGate('127.0.0.1', Number(url.port));
  url.port = String(gate.port);
  db = new Database({ url: url.toString(), log: createLog('test', 'silent'), applicationName: 'gated' });
  fixture = await TrackingFixture.start({ ...database, db });
});
afterAll(async () => {
  await fixture.stop();
  await db.close();
  await gate.shut().catch(() => undefined);
  await database.drop();
});

const newOpen = () => ({
  organizationId: newId('org'),
  emailId: uuidv7(Date.now()),
  position: 0,
  atMs: Date.now(),
  machine: null,
  soonMs: 0,
  userAgent: null,
});

describe('while the database is away', () => {
  it('pixels are answered, and the opens are recorded when it is back', async () => {
    const ids = [await fixture.delivered('delivered'), await fixture.delivered('delivered')];
    await gate.shut();
    for (const id of ids) {
      const response = await fixture.open(id);
      expect([response.status, (await response.arrayBuffer()).byteLength]).toEqual([200, 43]);
    }
    await gate.open();
    for (const id of ids) expect(await fixture.opened(id, 1)).toMatchObject([{ machine: false }]);
  });

  it('links lead on, and the clicks are recorded when it is back', async () => {
    const id = await fixture.delivered('delivered');
    await gate.shut();
    const response = await fixture.click(id, 'https://shop.example/');
    expect([response.status, response.headers.get('location')]).toEqual([302, 'https://shop.example/']);
    await gate.open();
    expect(await fixture.clicked(id, 1)).toMatchObject([{ machine: false, url: 'https://shop.example/' }]);
  });

  it('the link says that nothing was saved, and works when it is back', async () => {
    const id = await fixture.delivered('delivered');
    const link = fixture.unsubscribe('r0@example.org', id);
    await gate.shut();
    const refused = await fetch(link, { method: 'POST' });
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('60');
    expect(await refused.text()).toContain('Nothing was changed');
    expect((await fetch(link)).status).toBe(200);
    await gate.open();
    await expect
      .poll(async () => (await fetch(link, { method: 'POST' })).status, { timeout: 20_000 })
      .toBe(200);
  });

  it('opens beyond what may wait are dropped and counted, and memory does not grow', async () => {
    await gate.shut();
    const metrics = createMetrics('test');
    const opens = new OpenRecorder({ db, log: createLog('test', 'silent'), metrics, maxWaiting: 3 });
    await opens.start();
    const repeated = newOpen();
    for (const open of [repeated, repeated, newOpen(), newOpen(), newOpen(), newOpen(), repeated])
      opens.add(open);
    expect(opens.waiting).toBe(3);
    expect(await metrics.text()).toMatch(/^postrider_opens_dropped_total\{role="test"\} 2$/m);
    await opens.stop();
    expect(await metrics.text()).toMatch(/^postrider_opens_dropped_total\{role="test"\} 5$/m);
    await gate.open();
  });
});
