import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Lane } from '../../src/outbox/lanes.ts';
import { createWaker, lanesIn, WAKE_CHANNEL, Waker, wakeWorkers } from '../../src/outbox/wake.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let test: TestDatabase;
let listening: pg.Client;
beforeAll(async () => {
  test = await createTestDatabase();
  listening = new pg.Client({ connectionString: test.url });
  await listening.connect();
  await listening.query(`LISTEN ${WAKE_CHANNEL}`);
});
afterAll(async () => {
  await listening.end();
  await test.drop();
});

const lane = (domain: string, priority = 1): Lane => ({ domain, organizationId: 'org_a', priority });

/** What the next wake-ups say. */
function nextHints(count: number): Promise<string[]> {
  const hints: string[] = [];
  return new Promise((resolve) => {
    const note = ({ payload = '' }: pg.Notification) => {
      if (hints.push(payload) < count) return;
      listening.off('notification', note);
      resolve(hints);
    };
    listening.on('notification', note);
  });
}

const lanesOfNext = async (count: number) => (await nextHints(count)).map(lanesIn);

describe('a wake-up', () => {
  it('tells in which lanes there is new mail', async () => {
    const lanes = lanesOfNext(1);
    createWaker(test.db)([lane('a.test'), lane('b.test', 0), lane('a.test')]);
    expect(await lanes).toEqual([[lane('a.test'), lane('b.test', 0)]]);
  });

  it('leaves at once, and what comes in quick succession goes together with the next', async () => {
    const lanes = lanesOfNext(2);
    const wake = createWaker(test.db);
    for (const domain of ['a.test', 'b.test', 'c.test']) wake([lane(domain)]);
    // The two leave over connections of their own, and either may arrive first.
    const inOrder = (await lanes).toSorted((one, other) => (one?.length ?? 0) - (other?.length ?? 0));
    expect(inOrder).toEqual([[lane('a.test')], [lane('b.test'), lane('c.test')]]);
  });

  it('tells of no lane where somebody did not say which, so that workers look', async () => {
    const lanes = lanesOfNext(2);
    const wake = createWaker(test.db);
    wake();
    wake([lane('a.test')]);
    wake();
    expect(await lanes).toEqual([undefined, undefined]);
    const again = lanesOfNext(1);
    await wakeWorkers(test.db);
    expect(await again).toEqual([undefined]);
  });

  it('tells of no lane where there are more than fit', async () => {
    const hints = nextHints(1);
    createWaker(test.db)(Array.from({ length: 300 }, (_, i) => lane(`domain-${i}.test`)));
    expect(await hints).toEqual(['']);
  });
});

describe('a wake-up with a commit', () => {
  it('names the lanes', () => {
    const hint = new Waker(test.db).withCommit([lane('a.test'), lane('b.test', 0), lane('a.test')]);
    expect(lanesIn(hint ?? '')).toEqual([lane('a.test'), lane('b.test', 0)]);
  });

  it('is refused shortly after another one, which then takes what comes along by itself', async () => {
    const waker = new Waker(test.db);
    waker.withCommit([lane('a.test')]);
    expect(waker.withCommit([lane('b.test')])).toBeNull();
    const lanes = lanesOfNext(1);
    waker.wake([lane('b.test')]);
    expect(waker.withCommit([lane('c.test')])).toBeNull();
    expect(await lanes).toEqual([[lane('b.test')]]);
  });
});

describe('a hint that cannot be read', () => {
  it.each(['nonsense', 'a.test\torg_a', 'a.test\torg_a\t7', 'a.test\torg_a\t1\tmore', 'a.test\torg_a\t1\n'])(
    'tells of no lane: %j',
    (hint) => expect(lanesIn(hint)).toBeUndefined(),
  );
});
