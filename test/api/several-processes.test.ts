/** Three API processes on one database share their limits. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Database } from '../../src/database/database.ts';
import { Reads } from '../../src/database/reads.ts';
import { adHoc } from '../../src/database/sql.ts';
import { createLog } from '../../src/runtime/log.ts';
import { type Answer, startApi, type TestApi } from '../support/api.ts';
import { createTestDatabase, holding, type TestDatabase } from '../support/database.ts';
import { until } from '../support/until.ts';

const LIMIT = 120;

let database: TestDatabase;
let pools: Database[];
let apis: TestApi[];
beforeAll(async () => {
  database = await createTestDatabase();
  const log = createLog('test', 'silent');
  pools = [1, 2, 3].map(() => new Database({ url: database.url, log, applicationName: 'test' }));
  const env = { POSTRIDER_RATE_LIMIT: String(LIMIT) };
  apis = [];
  for (const db of pools) {
    // Before the API is put together, which keeps a busy machine from anything else for seconds.
    await db.many(adHoc('SELECT 1'));
    apis.push(await startApi({ env, database: { ...database, db } }));
  }
  for (const api of apis) await untilItCountsWithOthers(api);
});
afterAll(async () => {
  for (const api of apis ?? []) await api.stop();
  for (const db of pools ?? []) await db.close();
  await database?.drop();
});

const request = (api: TestApi, key: string) => api.api('GET', '/suppressions?limit=1', undefined, key);

async function untilItCountsWithOthers(api: TestApi): Promise<void> {
  const { id, key } = await api.createOrganization();
  const share = adHoc(`SELECT FROM request_shares WHERE caller = 'api keys:${id}'`);
  await until(
    async () => {
      await request(api, key);
      return database.db.many(share);
    },
    (rows) => rows.length === 1,
  );
}

/** Repeats `work` if the database's minute has ended meanwhile. */
async function withinOneMinute<T>(work: () => Promise<T>): Promise<T> {
  const minute = adHoc<{ minute: string }>(`SELECT date_trunc('minute', now())::text AS minute`);
  for (;;) {
    const before = await database.db.one(minute);
    const result = await work();
    if ((await database.db.one(minute)).minute === before.minute) return result;
  }
}

describe('three API processes', () => {
  it(`let an organization make ${LIMIT} requests a minute, not three times as many`, async () => {
    const answers = await withinOneMinute(async () => {
      const { key } = await (apis[0] as TestApi).createOrganization();
      const all: Answer[] = [];
      for (let i = 0; i < LIMIT; i += 1)
        all.push(...(await Promise.all(apis.map((api) => request(api, key)))));
      return all;
    });
    const refused = answers.filter(({ status }) => status === 429);
    const passed = answers.filter(({ status }) => status === 200);
    expect(passed.length + refused.length).toBe(3 * LIMIT);
    expect(passed.length).toBeGreaterThanOrEqual(LIMIT);
    expect(passed.length).toBeLessThanOrEqual(LIMIT + 2);
    const headers = (answer: Answer | undefined) => Object.fromEntries(answer?.headers ?? []);
    expect(headers(refused[0])).toMatchObject({
      'x-ratelimit-limit': String(LIMIT),
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': expect.stringMatching(/^([1-9]|[1-5]\d|60)$/),
      'retry-after': expect.stringMatching(/^\d+$/),
    });
    const left = passed.map((answer) => Number(answer.headers.get('x-ratelimit-remaining')));
    expect(Math.max(...left)).toBe(LIMIT - 1);
    expect(Math.min(...left)).toBe(0);
  });

  it('let an organization make all of its requests to one of them', async () => {
    const passed = await withinOneMinute(async () => {
      const { key } = await (apis[0] as TestApi).createOrganization();
      let count = 0;
      while ((await request(apis[0] as TestApi, key)).status === 200) count += 1;
      return count;
    });
    expect(passed).toBe(LIMIT);
  });

  it('refuse a password that was guessed too often at another', async () => {
    const guess = (i: number) =>
      (apis[i % 3] as TestApi).api('POST', '/auth/sign-in', {
        email: 'eve@example.org',
        password: `wrong ${i}`,
      });
    const statuses: number[] = [];
    for (let i = 0; i < 12; i += 1) statuses.push((await guess(i)).status);
    expect(statuses).toEqual([...Array<number>(10).fill(401), 429, 429]);
  });
});

describe('reads of several processes', () => {
  it('of one organization share its slots, and leave those of others alone', async () => {
    const [one, two] = [pools[0] as Database, pools[1] as Database].map((db) => {
      const reads = new Reads(db, { limits: { ofOne: 3, inAll: 6, waitingOfOne: 50, waitMs: 50 } });
      reads.setOthers(1);
      return reads;
    }) as [Reads, Reads];
    await database.db.exec(adHoc('CREATE TABLE scratch ()'));
    const slow = adHoc('SELECT FROM scratch');
    const running = await holding(database.db, async (tx) => {
      await tx.exec(adHoc('LOCK TABLE scratch'));
      const three = [1, 2, 3].map(() => one.of('org_a').many(slow));
      const waiting = adHoc<{ count: number }>(
        `SELECT count(*)::int AS count FROM pg_locks WHERE NOT granted AND relation = 'scratch'::regclass`,
      );
      await until(
        () => database.db.one(waiting),
        ({ count }) => count === 3,
      );
      await expect(two.of('org_a').many(adHoc('SELECT 1'))).rejects.toMatchObject({ code: 'RATE_LIMITED' });
      expect(await two.of('org_b').many(adHoc('SELECT 1'))).toHaveLength(1);
      return three;
    });
    await Promise.all(running);
    expect(await two.of('org_a').many(adHoc('SELECT 1'))).toHaveLength(1);
  });
});
