/** Ending a hold, cut off anywhere: nothing is lost, and nothing happens twice. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../src/database/database.ts';
import { adHoc } from '../../src/database/sql.ts';
import { executeEndingHold } from '../../src/interventions/holds/end-holds.ts';
import type { HoldEnding } from '../../src/interventions/holds/hold.ts';
import { endHold, findHold, placeHold } from '../../src/interventions/holds/store.ts';
import { createOrganization } from '../../src/organizations/service.ts';
import { claim } from '../../src/outbox/claim.ts';
import { priorityRank } from '../../src/outbox/states.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { newWorker } from '../support/outbox.ts';
import { seedMail } from '../support/seed-mail.ts';

const COUNT = 1_200;

let test: TestDatabase;
let organizationId: string;
beforeAll(async () => {
  test = await createTestDatabase();
  organizationId = (await createOrganization(test.db, systemClock, { name: 'One', dailyLimit: 0 })).id;
});
afterAll(() => test.drop());
afterEach(() => test.db.exec(adHoc('TRUNCATE holds, outbox, events')));

async function heldMail(scope: 'all' | 'organization', how: HoldEnding): Promise<string> {
  const of = scope === 'all' ? {} : { organizationId };
  const hold = await placeHold(test.db, { scope, ...of, reason: 'a test' });
  await seedMail(test.db, { organizationId, domain: 'there.test', count: COUNT });
  if (hold === undefined) throw new Error('There is such a hold already.');
  const { id } = hold;
  await endHold(test.db, hold, { how, reason: null, by: 'a test' });
  // Mail of the same millisecond may count as accepted afterwards.
  await test.db.exec(adHoc(`UPDATE holds SET ending_at = ending_at + interval '1 second' WHERE id = $1`), [
    id,
  ]);
  return id;
}

/** Dies after so many transactions. */
function mortal(db: Database, transactions: number) {
  const cut = new AbortController();
  let left = transactions;
  const transaction: Database['transaction'] = async (work) => {
    const done = await db.transaction(work);
    left -= 1;
    if (left <= 0) cut.abort();
    return done;
  };
  const dying = { transaction, exec: db.exec.bind(db) } as unknown as Database;
  return { db: dying, signal: cut.signal };
}

const carryOut = (id: string) =>
  executeEndingHold({ db: test.db, nowMs: Date.now }, id, AbortSignal.timeout(20_000));

/** Again and again by those who die after a few steps, then by two who live. */
async function carryOutWithDeaths(id: string): Promise<void> {
  for (const transactions of [2, 3, 4]) {
    const { db, signal } = mortal(test.db, transactions);
    await executeEndingHold({ db, nowMs: Date.now }, id, signal);
  }
  await Promise.all([carryOut(id), carryOut(id)]);
}

describe.each(['all', 'organization'] as const)('a hold of scope %s', (scope) => {
  it('that is released lets every delivery go once', async () => {
    const id = await heldMail(scope, 'release');
    await carryOutWithDeaths(id);
    const [row] = await test.db.many(
      adHoc(`SELECT count(*), count(*) FILTER (WHERE due_at <= now() AND hold_id IS NULL AND time_left IS NULL) AS due,
               count(*) FILTER (WHERE expires_at > now() + interval '23 hours') AS alive FROM outbox`),
    );
    expect(row).toEqual({ count: COUNT, due: COUNT, alive: COUNT });
    const released = scope === 'all' ? COUNT : 0;
    expect(await findHold(test.db, id)).toMatchObject({ released, discarded: 0, ended_at: expect.any(Date) });
  });

  it('that is discarded ends every delivery once', async () => {
    const id = await heldMail(scope, 'discard');
    await carryOutWithDeaths(id);
    expect(await test.db.many(adHoc('SELECT FROM outbox'))).toEqual([]);
    expect(await test.db.many(adHoc('SELECT reason, count(*) FROM events GROUP BY reason'))).toEqual([
      { reason: 'hold_discarded', count: COUNT },
    ]);
    expect(await findHold(test.db, id)).toMatchObject({ discarded: COUNT, ended_at: expect.any(Date) });
  });
});

it('waits for what a worker has in hand before a discard is over', async () => {
  const id = await heldMail('organization', 'discard');
  const lane = { domain: 'there.test', organizationId, priority: priorityRank('normal'), room: 1 };
  const epoch = await newWorker(test.db);
  await claim(test.db, { epoch, mode: 'live' }, [lane]);
  await carryOut(id);
  expect(await findHold(test.db, id)).toMatchObject({
    ...{ discarded: COUNT - 1, lifted_at: null, ended_at: null },
  });
  await test.db.exec(adHoc('UPDATE outbox SET worker = NULL'));
  await carryOut(id);
  expect(await findHold(test.db, id)).toMatchObject({ discarded: COUNT, ended_at: expect.any(Date) });
});
