import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adHoc, type Sql } from '../../src/database/sql.ts';
import { lockUnclaimed } from '../../src/outbox/withdraw.ts';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { holding } from '../support/database.ts';
import { sendLetter } from '../support/emails.ts';
import { claimDue, newWorker } from '../support/outbox.ts';

let server: TestApi;
let org: TestOrganization;
beforeAll(async () => {
  server = await startApi();
  org = await server.createOrganization();
});
afterAll(() => server.stop());

const read = async (id: string) => (await server.api('GET', `/emails/${id}`, undefined, org.key)).body.data;
const cancel = (id: string) => server.api('POST', `/emails/${id}/cancel`, undefined, org.key);
const holdersOf = async (id: string) =>
  (
    await server.db.many(adHoc<{ worker: number | null }>('SELECT worker FROM outbox WHERE email_id = $1'), [
      id,
    ])
  ).map((row) => row.worker);

describe('when a worker and a cancellation meet', () => {
  const dueNow = async () => {
    const id = await sendLetter(server, org, {
      scheduled_at: '2031-01-01T00:00:00Z',
      to: [{ email: 'a@example.org' }, { email: 'b@example.org' }],
    });
    await server.db.exec(adHoc('UPDATE outbox SET due_at = now() WHERE email_id = $1'), [id]);
    return { id, epoch: await newWorker(server.db) };
  };
  const claimOf = async (db: Sql, id: string, epoch: number) =>
    (await claimDue(db, epoch, 1_000)).filter((one) => one.emailId === id).length;

  it('the worker passes over what is being cancelled', async () => {
    const { id, epoch } = await dueNow();
    await server.db.transaction(async (tx) => {
      expect(await lockUnclaimed(tx, org.id, id, 2)).toBe(true);
      expect(await claimOf(server.db, id, epoch)).toBe(0);
    });
  });

  it('the cancellation waits for the claim, and is refused', async () => {
    const { id, epoch } = await dueNow();
    let pending: ReturnType<typeof cancel> | undefined;
    await holding(server.db, async (tx) => {
      expect(await claimOf(tx, id, epoch)).toBe(2);
      pending = cancel(id);
      const waiting = adHoc(`SELECT 1 FROM pg_stat_activity
                             WHERE datname = current_database() AND wait_event_type = 'Lock'`);
      await expect.poll(() => server.db.many(waiting)).toHaveLength(1);
    });
    expect((await pending)?.status).toBe(409);
    expect(await holdersOf(id)).toEqual([epoch, epoch]);
  });

  it('exactly one of them gets it', async () => {
    for (let round = 0; round < 20; round += 1) {
      const { id, epoch } = await dueNow();
      const [answer, taken] = await Promise.all([cancel(id), claimOf(server.db, id, epoch)]);
      const { status, events } = await read(id);
      if (answer.status === 200) {
        expect({ taken, status, events: events.length }).toEqual({ taken: 0, status: 'failed', events: 4 });
        expect(await holdersOf(id)).toEqual([]);
      } else {
        expect(taken).toBeGreaterThan(0);
        expect({ status, events: events.length }).toEqual({ status: 'queued', events: 2 });
        // What the cancellation was holding when it lost is there for the next claim.
        expect(taken + (await claimOf(server.db, id, epoch))).toBe(2);
      }
    }
  });
});
