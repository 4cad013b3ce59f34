/** A move whose servers do not let one replicate from the other does nothing, and one that has begun goes on as it was begun. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CellDirectory } from '../../src/cells/directory.ts';
import { openMove } from '../../src/cells/move-store.ts';
import { RoutedDatabase } from '../../src/cells/routed-database.ts';
import { adHoc } from '../../src/database/sql.ts';
import { moveOrganization } from '../../src/operations/move/move-organization.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { createLog } from '../../src/runtime/log.ts';
import type { TestOrganization } from '../support/api.ts';
import { letter } from '../support/emails.ts';
import { stopsAt } from '../support/move-points.ts';
import { createServer, type MovingCells, startMovingCells } from '../support/moving-cells.ts';

const ROLE = 'plain';

let cells: MovingCells;
let org: TestOrganization;
beforeAll(async () => {
  cells = await startMovingCells(createServer);
  org = await cells.api.createOrganization('Mover');
  expect((await cells.api.api('POST', '/emails/send', letter(org), org.key)).status).toBe(201);
  for (const { db } of [cells.main, cells.two]) {
    await db.exec(adHoc(`CREATE ROLE ${ROLE} LOGIN PASSWORD 'secret'`));
    await db.exec(adHoc(`DO $$ BEGIN EXECUTE format('GRANT %I TO ${ROLE}', current_user); END $$`));
  }
}, 180_000);
afterAll(() => cells?.stop());

const dbs = () => [cells.main.db, cells.two.db];

/** What PostgreSQL needs for replication, and what keeps workers off. */
const left = adHoc<{ kind: string; count: number }>(
  `SELECT kind, count FROM (VALUES
     ('publications', (SELECT count(*) FROM pg_publication)),
     ('subscriptions', (SELECT count(*) FROM pg_subscription)),
     ('slots', (SELECT count(*) FROM pg_replication_slots WHERE slot_name NOT LIKE 'taken%')),
     ('standstills', (SELECT count(*) FROM standstills))) AS known (kind, count) WHERE count > 0`,
);

async function expectNothingDone(): Promise<void> {
  for (const db of dbs()) expect(await db.many(left)).toEqual([]);
  expect(await openMove(cells.main.db, org.id)).toBeUndefined();
  expect(await cells.rowsOf(cells.two.db, org)).toEqual({});
  expect((await cells.api.api('GET', '/emails', undefined, org.key)).status).toBe(200);
}

/** An address of the same server. */
function changed(url: string, change: (url: URL) => void): string {
  const other = new URL(url);
  change(other);
  return other.href;
}

function asRole(url: string): string {
  return changed(url, (one) => {
    one.username = ROLE;
    one.password = 'secret';
  });
}

/** With these addresses of the cells. */
async function moveWith(urls: { readonly main?: string; readonly two?: string }): Promise<unknown> {
  const main = { name: 'main', url: urls.main ?? cells.main.url };
  const two = { name: 'two', url: urls.two ?? cells.two.url };
  const directory = new CellDirectory({ db: cells.main.db, log: createLog('test', 'silent') });
  const others = new Map([['two', cells.two.db]]);
  const control = new RoutedDatabase({ main: cells.main.db, others, directory });
  const { signal } = new AbortController();
  return moveOrganization(
    { control, clock: systemClock, cells: [main, two], say: () => undefined, signal },
    { organizationId: org.id, to: 'two', isOffline: false, isAbandoned: false, reach: undefined, by: 'ada' },
  );
}

/** Keeps slots of a server for as long as the work takes. */
async function withSlotsTaken<T>(count: number, work: () => Promise<T>): Promise<T> {
  const take = `SELECT pg_create_logical_replication_slot('taken' || i, 'pgoutput') FROM generate_series(1, ${count}) AS i`;
  await cells.main.db.many(adHoc(take));
  try {
    return await work();
  } finally {
    const free = `SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE slot_name LIKE 'taken%'`;
    await cells.main.db.many(adHoc(free));
  }
}

describe('a move that cannot replicate says why and does nothing', () => {
  it('where the role of the other cell may not subscribe', async () => {
    await expect(moveWith({ two: asRole(cells.two.url) })).rejects.toThrow(
      /permission denied to create subscription\. .*pg_create_subscription.*--offline/,
    );
    await expectNothingDone();
  });

  it('where the role of its cell may not replicate', async () => {
    await expect(moveWith({ main: asRole(cells.main.url) })).rejects.toThrow(
      /the role of main does not have the REPLICATION privilege\. Run the command with --offline/,
    );
    await expectNothingDone();
  });

  it.each<[string, RegExp, () => string]>([
    ['nobody listens', /cannot subscribe .*--reach/, () => 'postgres://nobody@127.0.0.1:1/none'],
    [
      'there is another database',
      /is the address of another database.*--reach/,
      () =>
        changed(cells.main.url, (url) => {
          url.pathname = '/template1';
        }),
    ],
  ])('where %s at --reach', async (_, words, reach) => {
    await expect(cells.move(org, { reach: reach() })).rejects.toThrow(words);
    await expectNothingDone();
  });

  it('where the server that it leaves has too few replication slots', async () => {
    await withSlotsTaken(8, async () => {
      await expect(cells.move(org)).rejects.toThrow(
        /3 replication slots of the server of main are needed, and 2 are free/,
      );
      await expectNothingDone();
    });
  });

  it('where something is in the way only when it begins', async () => {
    let free = () => {};
    const freed = new Promise<void>((resolve) => {
      free = resolve;
    });
    let taking: Promise<void> | undefined;
    const at = (point: string) =>
      new Promise<void>((resolve) => {
        if (point !== 'standing') return resolve();
        taking = withSlotsTaken(10, async () => {
          resolve();
          await freed;
        });
      });
    await expect(cells.move(org, { at })).rejects.toThrow(
      /all replication slots are in use\. Nothing was moved\./,
    );
    free();
    await taking;
    await expectNothingDone();
  });
});

describe('a move that was begun by replication and was cut off', () => {
  beforeAll(async () => {
    const stop = stopsAt('copying');
    const moving = cells.move(org, { at: stop.at });
    await Promise.race([stop.there, moving]);
    await cells.killMovers();
  });

  it('is refused with --offline, which says what to do', async () => {
    await expect(cells.move(org, { isOffline: true })).rejects.toThrow(
      /begun without --offline\. Run the command without --offline to continue\. To move offline, undo the move with --abandon/,
    );
    expect((await openMove(cells.main.db, org.id))?.way).toBe('replicated');
  });

  it('is refused with another --reach, which says what to do', async () => {
    await expect(cells.move(org, { reach: cells.main.url })).rejects.toThrow(/without --reach to continue/);
  });

  it('goes on without them', async () => {
    const rows = await cells.rowsOf(cells.main.db, org);
    await cells.move(org);
    expect(await cells.rowsOf(cells.two.db, org)).toEqual(rows);
    for (const db of dbs()) expect(await db.many(left)).toEqual([]);
  });
});
