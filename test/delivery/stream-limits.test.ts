/** Rate limits of a stream: all workers together stay within them, without delaying other mail. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { newId } from '../../src/runtime/ids.ts';
import { putStream } from '../../src/streams/store.ts';
import type { StreamPace } from '../../src/streams/stream.ts';
import { until } from '../support/until.ts';
import { Live } from './live.ts';

const ORG = newId('org');
const MINUTE_MS = 60_000;

let live: Live;
beforeEach(async () => {
  // If the minute ended during the test, its limit would apply anew.
  await until(() => Date.now() % MINUTE_MS < 45_000);
  live = await Live.start({ sites: { shop: {} } });
  await live.db.exec(adHoc("INSERT INTO organizations (id, name, created_at) VALUES ($1, 'Shop', now())"), [
    ORG,
  ]);
});
afterEach(() => live.stop());

async function limit(limits: Partial<StreamPace>): Promise<void> {
  const unlimited = { messagesPerMinute: null, messagesPerHour: null };
  const about = { name: 'news', description: null, priority: 'normal', ...unlimited } as const;
  await putStream(live.db, ORG, { ...about, ...limits }, new Date());
}

/** The waiting mail of the stream. */
async function waiting(): Promise<{ all: number; put_off: number; times: number }> {
  return live.db.one(
    adHoc<{ all: number; put_off: number; times: number }>(
      `SELECT count(*) AS all, count(*) FILTER (WHERE o.worker IS NULL AND o.due_at > now()) AS put_off,
              count(DISTINCT o.due_at) AS times
       FROM outbox o JOIN emails e ON e.organization_id = o.organization_id AND e.id = o.email_id
       WHERE e.stream = 'news'`,
    ),
  );
}

const whenPutOff = () => until(waiting, ({ all, put_off }) => put_off === all);
const makeDue = () => live.db.exec(adHoc('UPDATE outbox SET due_at = now()'));
const minutes = (sinceMs: number) => Math.floor(Date.now() / MINUTE_MS) - Math.floor(sinceMs / MINUTE_MS) + 1;

describe('a stream with a limit', () => {
  it('sends no more in a minute from two workers together, while other mail goes on', async () => {
    await limit({ messagesPerMinute: 40 });
    const startedMs = Date.now();
    await live.seed('shop', ORG, 300, { stream: 'news' });
    await live.seed('shop', ORG, 100);
    await Promise.all([live.startWorker(), live.startWorker()]);
    const { all, times } = await whenPutOff();
    const sent = 300 - all;
    expect(sent).toBeGreaterThanOrEqual(40);
    expect(sent).toBeLessThanOrEqual(40 * minutes(startedMs));
    // Each mail returns at a different time.
    expect(times).toBe(all);
    await until(async () => live.sink('shop').messages.length >= sent + 100);
    expect(live.sink('shop').messages.length).toBeLessThanOrEqual(100 + 40 * minutes(startedMs));
  });

  it('sends as many more in the next minute, and no more in an hour than that allows', async () => {
    await limit({ messagesPerMinute: 10, messagesPerHour: 25 });
    await live.seed('shop', ORG, 60, { stream: 'news' });
    const sent: number[] = [];
    for (let minute = 0; minute < 4; minute += 1) {
      const worker = await live.startWorker();
      sent.push(60 - (await whenPutOff()).all);
      await live.stopWorker(worker);
      await live.db.exec(adHoc('UPDATE stream_paces SET minute = minute - 60'));
      await makeDue();
    }
    expect(sent).toEqual([10, 20, 25, 25]);
  });

  it('sends what waits when the limit is lifted', async () => {
    await limit({ messagesPerHour: 5 });
    await live.seed('shop', ORG, 20, { stream: 'news' });
    await live.startWorker();
    expect((await whenPutOff()).all).toBe(15);
    await limit({});
    await until(
      async () => {
        await makeDue();
        return (await live.queued()) === 0;
      },
      Boolean,
      200,
    );
    expect(live.sink('shop').messages).toHaveLength(20);
  });

  it('counts no attempt for mail that is put off', async () => {
    await limit({ messagesPerHour: 1 });
    await live.seed('shop', ORG, 2, { stream: 'news' });
    await live.startWorker();
    await whenPutOff();
    const [row] = await live.db.many(adHoc<{ attempt: number }>('SELECT attempt FROM outbox'));
    expect(row?.attempt).toBe(0);
  });
});

describe('the times of a site', () => {
  it('leave out mail that had to wait for anything but the site', async () => {
    await live.seed('shop', ORG, 1, { stream: 'news' });
    await live.db.exec(adHoc("UPDATE emails SET created_at = created_at - interval '1 hour'"));
    await live.seed('shop', ORG, 1);
    await live.startWorker();
    const times = () => live.db.many(adHoc<{ took: number[] }>('SELECT took FROM site_times'));
    const rows = await until(times, (found) => found.length > 0);
    await until(async () => (await live.queued()) === 0);
    expect(rows.map(({ took }) => took.length)).toEqual([1]);
    expect(rows[0]?.took[0]).toBeLessThan(60_000);
  });
});
