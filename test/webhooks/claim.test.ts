/** Which of the events that wait for an endpoint are taken first. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { uuidv7 } from '../../src/runtime/ids.ts';
import { claimWebhooks } from '../../src/webhooks/queue.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { newWorker } from '../support/outbox.ts';

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.drop());

it('takes the earlier of events that were written together, however many it may take', async () => {
  const ids = Array.from({ length: 40 }, (_, index) => uuidv7(Date.now() + index));
  await test.db.exec(
    adHoc(`INSERT INTO webhook_deliveries (endpoint_id, event_id, organization_id, email_id, event_type, due_at, created_at)
           SELECT 'wh_one', id, 'org_a', $2::uuid, 'email.delivered', now(), now() FROM unnest($1::uuid[]) AS id`),
    [ids.toReversed(), uuidv7(Date.now())],
  );
  const epoch = await newWorker(test.db);
  const taken = [];
  while (taken.length < ids.length) {
    const claims = await claimWebhooks(test.db, epoch, [], { usual: 7, limit: 100 });
    taken.push(...claims.map(({ eventId }) => eventId));
  }
  expect(taken).toEqual(ids);
});
