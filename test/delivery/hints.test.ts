/** The scheduler's use of announced lanes. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Sql, Statement } from '../../src/database/sql.ts';
import { type Dispatched, Scheduler } from '../../src/delivery/scheduler/scheduler.ts';
import { siteOfHosts } from '../../src/delivery/scheduler/site.ts';
import { NO_ROUTES } from '../../src/delivery/transports/planner.ts';
import type { Lane } from '../../src/outbox/lanes.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { createLog } from '../../src/runtime/log.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { emptyOutbox, enqueueEach, newWorker, times } from '../support/outbox.ts';

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.drop());
afterEach(() => emptyOutbox(test.db));

const LANE: Lane = { domain: 'example.org', organizationId: 'org_a', priority: 1 };

/** A scheduler after its first read of the queue, and the names of the statements that it runs afterwards. */
async function awakened() {
  const asked: string[] = [];
  const scheduler = new Scheduler({
    db: noting(test.db, asked),
    clock: systemClock,
    log: createLog('test', 'silent'),
    epoch: await newWorker(test.db),
    mode: 'live',
    router: { site: async (domain) => siteOfHosts([`mx.${domain}`], []) },
    routes: NO_ROUTES,
    mayClaim: () => true,
    random: Math.random,
    speed: 1,
  });
  // The scheduler must know the site of a domain before it claims its mail.
  await enqueueEach(test.db, [{}]);
  await untilDispatched(scheduler);
  asked.length = 0;
  return { scheduler, asked };
}

/** Calls `next` like the delivery loop: again whenever the scheduler announces work. */
async function untilDispatched(scheduler: Scheduler): Promise<readonly Dispatched[]> {
  for (;;) {
    const worth = new Promise<void>((resolve) => scheduler.onWork(resolve));
    const dispatched = await scheduler.next(10);
    if (dispatched.length > 0) return dispatched;
    await worth;
  }
}

function noting<On extends Sql>(on: On, asked: string[]): On {
  const many = async <Row>(statement: Statement<Row>, params?: readonly unknown[]) => {
    asked.push(statement.name);
    return on.many(statement, params);
  };
  const transaction = (work: (tx: Sql) => Promise<unknown>) =>
    test.db.transaction((tx) => work(noting(tx, asked)));
  return new Proxy(on, {
    get: (target, name) => {
      if (name === 'many') return many;
      if (name === 'transaction') return transaction;
      const value = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

describe('a scheduler with announced lanes', () => {
  it('claims their mail at once, without searching for it', async () => {
    const { scheduler, asked } = await awakened();
    const [key] = await enqueueEach(test.db, [{}]);
    scheduler.wake([LANE]);
    const [dispatched] = await scheduler.next(10);
    expect(dispatched?.delivery.emailId).toBe(key?.emailId);
    expect(asked).toEqual(['outbox.claim']);
  });

  it('claims nothing from an empty lane, and then finds the mail of other lanes', async () => {
    const { scheduler } = await awakened();
    const [key] = await enqueueEach(test.db, [{}]);
    scheduler.wake([{ ...LANE, organizationId: 'org_nobody' }, { ...LANE, domain: 'unknown.test' }, LANE]);
    const dispatched = await untilDispatched(scheduler);
    expect(dispatched.map(({ delivery }) => delivery.emailId)).toEqual([key?.emailId]);
  });

  it('shares the mail with a scheduler that has the same lanes: each delivery is dispatched once', async () => {
    const [one, other] = [await awakened(), await awakened()];
    const keys = await enqueueEach(test.db, times(4));
    one.scheduler.wake([LANE]);
    other.scheduler.wake([LANE]);
    const dispatched = (
      await Promise.all(
        [one, other].map(async ({ scheduler }) => [
          ...(await scheduler.next(10)),
          ...(await scheduler.next(10)),
        ]),
      )
    ).flat();
    expect(dispatched.map(({ delivery }) => delivery.emailId).sort()).toEqual(
      keys.map((key) => key.emailId).sort(),
    );
  });

  it('still does its periodic work while lanes are announced continuously', async () => {
    const { scheduler, asked } = await awakened();
    const names = new Set<string>();
    for (let round = 0; round < 1_000 && !names.has('outbox.claim_expired'); round += 1) {
      await enqueueEach(test.db, [{}]);
      scheduler.wake([LANE]);
      for (const { delivery, slot } of await scheduler.next(10)) {
        slot.release();
        scheduler.release(delivery);
      }
      for (const name of asked.splice(0)) names.add(name);
    }
    expect(names).toContain('outbox.claim_expired');
  });

  it('reads the queue if too many lanes are announced', async () => {
    const { scheduler, asked } = await awakened();
    scheduler.wake(Array.from({ length: 2_000 }, (_, i) => ({ ...LANE, domain: `d${i}.test` })));
    await scheduler.next(10);
    expect(asked).toContain('outbox.arrivals');
  });
});
