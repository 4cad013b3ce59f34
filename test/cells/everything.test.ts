/** API, worker and inbound where every organization is in the second cell, and the first has control alone. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../src/database/database.ts';
import { adHoc } from '../../src/database/sql.ts';
import {
  endInCells,
  figuresInCells,
  findInCells,
  listInCells,
  placeInCells,
} from '../../src/interventions/holds/holds-in-cells.ts';
import { endingHolds, type HoldRow, placeHold } from '../../src/interventions/holds/store.ts';
import { INSTALLATION } from '../../src/organizations/installation.ts';
import { Flow, typesOf } from '../flows/flow.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { createCelledDatabase, type TestDatabase } from '../support/database.ts';
import { INBOUND_HOST, referenceOf, startInbound, type TestInbound } from '../support/inbound.ts';
import { startMailWorker } from '../support/mail-worker.ts';
import { complaintReport, ReportSender } from '../support/reports.ts';

let database: TestDatabase;
let api: TestApi;
let inbound: TestInbound;
let flow: Flow;

beforeAll(async () => {
  database = await createCelledDatabase();
  api = await startApi({ database });
  inbound = await startInbound(database);
  flow = await Flow.on(api, {
    POSTRIDER_HOSTNAME: INBOUND_HOST,
    POSTRIDER_INBOUND_PORT: String(inbound.port),
  });
});
afterAll(async () => {
  await flow?.stop();
  await inbound?.stop();
  await database?.drop();
});

const second = () => database.worker?.db as Database;

async function countIn(db: Database, table: string): Promise<number> {
  const rows = await db.many(
    adHoc<{ count: number }>(`SELECT count(*) FROM ${table} WHERE organization_id <> '${INSTALLATION}'`),
  );
  return rows[0]?.count ?? 0;
}

describe('mail of an organization in the second cell', () => {
  it('is accepted, delivered and told of, and none of it is in the first', async () => {
    const id = await flow.send('ada@example.org');
    const email = await flow.final(id);
    expect(typesOf(email)).toEqual(['queued', 'processing', 'delivered']);
    const first = database.db.cells[0]?.db as Database;
    for (const table of ['emails', 'email_contents', 'recipients', 'events', 'attempts', 'outbox'])
      expect(await countIn(first, table), table).toBe(0);
    expect(await countIn(second(), 'emails')).toBeGreaterThan(0);
  });

  it('is found to have bounced when a report comes to its return path', async () => {
    const id = await flow.send('late-bounce+1@simulator.test');
    const email = await flow.when(id, ({ status }) => status === 'bounced');
    expect(typesOf(email)).toEqual(['queued', 'processing', 'delivered', 'bounced']);
  });

  it('is found to be complained of when a complaint comes to an address that anybody knows', async () => {
    const id = await flow.send('complained+2@simulator.test');
    const email = await flow.when(id, (seen) => typesOf(seen).includes('complained'));
    expect(email.events.at(-1)).toMatchObject({ type: 'complained', reason: 'abuse' });
  });
});

describe('mail to an address that anybody knows', () => {
  it('is stored with the organization that it is about, and with the installation where it is about none', async () => {
    const id = await flow.send('ada@example.org');
    await flow.final(id);
    const reader = await startInbound(database, { readsNothing: true });
    const delivery = { organizationId: flow.organization.id, emailId: id, position: 0 };
    const sender = new ReportSender();
    for (const reference of [referenceOf(delivery), null])
      await sender.send(reader.port, `fbl@${INBOUND_HOST}`, complaintReport(reference));
    await sender.stop();
    await reader.stop();
    const stored = await database.db.cells[0]?.db.many(
      adHoc<{ organization_id: string }>('SELECT organization_id FROM inbound_messages'),
    );
    expect(stored?.every(({ organization_id }) => organization_id === INSTALLATION)).toBe(true);
    const email = await flow.when(id, (seen) => typesOf(seen).includes('complained'));
    expect(email.status).toBe('delivered');
  });
});

describe('a hold of everything', () => {
  const cells = () => database.db.cells.map((cell) => cell.db);

  it('is one in all cells, stops mail in each, and ends in each', async () => {
    const placed = await placeInCells(database.db, { scope: 'all', reason: 'Trying it' });
    expect(await placeInCells(database.db, { scope: 'all', reason: 'Again' })).toBeUndefined();
    const { rows, total, open } = await listInCells(cells(), 'operators', { limit: 10, offset: 0 });
    expect([rows.map(({ id }) => id), total, open]).toEqual([[placed?.id], 1, 1]);
    const id = await flow.send('grace@example.org');
    await expect.poll(async () => (await figuresInCells(cells(), placed?.id ?? '')).held).toBe(1);
    expect(typesOf(await flow.email(id))).toEqual(['queued']);
    await endInCells(database.db, placed as HoldRow, { how: 'release', reason: null, by: 'test' });
    await flow.final(id);
    // The first cell has no worker here that could carry it out.
    expect((await findInCells(database.db, placed?.id ?? ''))?.ended_at).toBeNull();
    await startAndStop();
    expect(await findInCells(database.db, placed?.id ?? '')).toMatchObject({
      ending: 'release',
      ended_at: expect.any(Date),
    });
  });

  it('that came to some cells alone is completed by placing it again, under its id', async () => {
    const [first] = cells();
    const placed = await first?.transaction((tx) => placeHold(tx, { scope: 'all', reason: 'Cut off' }));
    const again = await placeInCells(database.db, { scope: 'all', reason: 'Cut off' });
    expect(again?.id).toBe(placed?.id);
    await endInCells(database.db, placed as HoldRow, { how: 'release', reason: null, by: 'test' });
  });
});

/** A worker of the first cell, for as long as it takes to end what is to end. */
async function startAndStop(): Promise<void> {
  const worker = await startMailWorker({
    ...database,
    worker: { url: database.url, db: database.db.cells[0]?.db as Database },
  });
  const ending = () => endingHolds(database.db.cells[0]?.db as Database);
  await expect.poll(async () => (await ending()).length, { timeout: 20_000 }).toBe(0);
  await worker.stop();
}
