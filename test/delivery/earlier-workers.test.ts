/** While a worker of an earlier release runs, outcomes are stored so that the processes of that release can read them. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import type { Finished } from '../../src/delivery/attempt/delivery-record.ts';
import { EarlierWorkers } from '../../src/delivery/attempt/earlier-workers.ts';
import { settle } from '../../src/delivery/attempt/record.ts';
import { attemptsOfEmail } from '../../src/events/attempts.ts';
import { eventsOfEmail } from '../../src/events/read.ts';
import { newId } from '../../src/runtime/ids.ts';
import { address } from '../support/addresses.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { claimDue, newWorker } from '../support/outbox.ts';
import { seedMail } from '../support/seed-mail.ts';

const VERDICT: Finished['verdict'] = {
  ...{ kind: 'delivered', reason: null, smtpCode: 250, enhancedCode: '2.0.0' },
  ...{ smtpMessage: '2.0.0 OK', mxHost: 'mx.example.org', tls: null },
};

let test: TestDatabase;
let epoch: number;
beforeAll(async () => {
  test = await createTestDatabase();
  epoch = await newWorker(test.db);
});
afterAll(() => test.drop());

/** Delivers one mail. Returns the number of rows that this wrote, and what readers get. */
async function deliver() {
  const organizationId = newId('org');
  await seedMail(test.db, { organizationId, domain: 'example.org', count: 1 });
  const [delivery] = await claimDue(test.db, epoch, 1);
  if (delivery === undefined) throw new Error('nothing was claimed');
  const common = { delivery, recipient: address('r1@example.org').email };
  const isForEarlier = await new EarlierWorkers(test.db).found();
  await settle(
    test.db,
    epoch,
    [
      { kind: 'started', ...common, atMs: Date.now() },
      { kind: 'finished', ...common, atMs: Date.now(), verdict: VERDICT },
    ],
    true,
    { isForEarlier },
  );
  const rows = await test.db.one(
    adHoc<{ events: number; attempts: number }>(
      `SELECT (SELECT count(*) FROM events WHERE organization_id = $1) AS events,
              (SELECT count(*) FROM attempts WHERE organization_id = $1) AS attempts`,
    ),
    [organizationId],
  );
  const events = await eventsOfEmail(test.db, organizationId, delivery.emailId);
  const attempts = await attemptsOfEmail(test.db, organizationId, delivery.emailId);
  return { rows, types: events.map(({ type }) => type), outcomes: attempts.map(({ outcome }) => outcome) };
}

it('an attempt is three rows while a worker of an earlier release runs, and one row after that', async () => {
  const read = { types: ['processing', 'delivered'], outcomes: ['delivered'] };
  const early = await newWorker(test.db);
  await test.db.exec(adHoc('UPDATE workers SET schema = NULL WHERE epoch = $1'), [early]);
  expect(await deliver()).toEqual({ rows: { events: 2, attempts: 1 }, ...read });
  await test.db.exec(adHoc('DELETE FROM workers WHERE epoch = $1'), [early]);
  expect(await deliver()).toEqual({ rows: { events: 1, attempts: 0 }, ...read });
});
