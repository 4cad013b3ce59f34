/** A worker was frozen, and then records the start of a delivery that another worker has made meanwhile. */

import { afterAll, beforeAll, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { settle } from '../../src/delivery/attempt/record.ts';
import { claim } from '../../src/outbox/claim.ts';
import type { ClaimedDelivery } from '../../src/outbox/states.ts';
import { newId } from '../../src/runtime/ids.ts';
import { address } from '../support/addresses.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { newWorker } from '../support/outbox.ts';
import { seedMail } from '../support/seed-mail.ts';

const ORG = newId('org');
const countEvents = adHoc<{ types: string[] }>(
  `SELECT coalesce(array_agg(type::text), '{}') AS types FROM events WHERE organization_id = $1`,
);
const giveToAnother = adHoc('UPDATE outbox SET worker = $1 WHERE organization_id = $2');

let test: TestDatabase;
let delivery: ClaimedDelivery;
let epoch: number;
beforeAll(async () => {
  test = await createTestDatabase();
  await seedMail(test.db, { organizationId: ORG, domain: 'example.org', count: 1 });
  epoch = await newWorker(test.db);
  const lane = { domain: 'example.org', organizationId: ORG, priority: 1, room: 1 };
  const [claimed] = await claim(test.db, { epoch, mode: 'live' }, [lane]);
  if (claimed === undefined) throw new Error('nothing was claimed');
  delivery = claimed;
});
afterAll(() => test.drop());

const begins = (isHeld: boolean) =>
  settle(
    test.db,
    epoch,
    [{ kind: 'started', delivery, recipient: address('a@example.org').email, atMs: Date.now() }],
    isHeld,
  );
const types = async () => (await test.db.one(countEvents, [ORG])).types;

it('ignores the start, and accepts a start for a delivery of its own', async () => {
  const other = await newWorker(test.db);
  await test.db.exec(giveToAnother, [other, ORG]);
  await begins(false);
  expect(await types()).toEqual([]);
  await test.db.exec(giveToAnother, [epoch, ORG]);
  await begins(false);
  expect(await types()).toEqual(['processing']);
});
