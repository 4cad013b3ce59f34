/** Who receives mail while two cells know a name, because its organization moves: what the one says that it lives in holds. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { MovedAwayError } from '../../src/cells/directory.ts';
import { RoutedDatabase } from '../../src/cells/routed-database.ts';
import type { Database } from '../../src/database/database.ts';
import { adHoc } from '../../src/database/sql.ts';
import { insertDomain } from '../../src/domains/store.ts';
import { createServedMailboxes } from '../../src/inbound/smtp/served-domains.ts';
import { createOrganization } from '../../src/organizations/service.ts';
import { copyOrganization, findOrganization } from '../../src/organizations/store.ts';
import { findReceiver } from '../../src/received/receivers.ts';
import { addReceivingName } from '../../src/received/receiving-names.ts';
import { insertInboundRoute } from '../../src/received/route-store.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { DAY_MS } from '../../src/runtime/durations.ts';
import { newId } from '../../src/runtime/ids.ts';
import { SecretKey } from '../../src/runtime/secret-key.ts';
import { domainName } from '../support/addresses.ts';
import { createTestDatabase, holding, type TestDatabase } from '../support/database.ts';
import { TEST_SECRET_KEY } from '../support/secret-key.ts';
import { until } from '../support/until.ts';

const key = new SecretKey(Buffer.from(TEST_SECRET_KEY)).derive('reply-addresses');
const keys = { at: () => key, all: () => [key] };
const waiting = adHoc<{ count: number }>(
  `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
);

let main: TestDatabase;
let two: TestDatabase;
let db: RoutedDatabase;
let org: string;
let name: string;
/** Null while it is on its way. */
let home: string | null;
beforeAll(async () => {
  [main, two] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  const cellOf = () => {
    if (home === null)
      throw new MovedAwayError('The organization is being moved to another cell. Try again shortly.');
    return home;
  };
  db = new RoutedDatabase({ main: main.db, others: new Map([['two', two.db]]), directory: { cellOf } });
});
afterAll(() => Promise.all([main.drop(), two.drop()]));
beforeEach(async () => {
  org = (await createOrganization(main.db, systemClock, { name: 'Mover', dailyLimit: 0 })).id;
  const row = await findOrganization(main.db, org);
  if (row !== undefined) await copyOrganization(two.db, row);
  name = `${org.replace('_', '-')}.test`;
});

async function addName(cell: Database): Promise<void> {
  const now = new Date();
  const domainId = newId('dom');
  await insertDomain(cell, {
    id: domainId,
    organization_id: org,
    domain: domainName(name),
    spf_verified: true,
    dkim_verified: true,
    verified_at: now,
    next_check_at: new Date(now.getTime() + DAY_MS),
    created_at: now,
  });
  await cell.transaction((tx) => addReceivingName(tx, org, { name, domainId, createdAt: now }));
}

const addRoute = (cell: Database) =>
  insertInboundRoute(cell, {
    organization_id: org,
    id: newId('rte'),
    name,
    local: 'support',
    description: null,
    enabled: true,
    created_at: new Date(),
  });

const found = () => findReceiver({ db, keys, host: 'bounces.postrider.test' }, `support@${name}`);
const reached = () =>
  createServedMailboxes(() => ({ kind: 'elsewhere' }), db, Date.now, found)(`support@${name}`);

/** Begins while this one cannot answer, so that the other one is quicker. */
async function whileSlow<T>(cell: Database, begin: () => Promise<T>): Promise<T> {
  let begun: Promise<T> | undefined;
  await holding(cell, async (tx) => {
    await tx.exec(adHoc('LOCK TABLE receiving_names IN ACCESS EXCLUSIVE MODE'));
    begun = begin();
    await until(
      () => cell.one(waiting),
      ({ count }) => count > 0,
    );
  });
  return begun as Promise<T>;
}

describe('mail to a name that two cells know', () => {
  it('goes to a route that was added after the move, however quick the cell before is', async () => {
    for (const cell of [main.db, two.db]) await addName(cell);
    await addRoute(two.db);
    home = 'two';
    expect(await whileSlow(two.db, found)).toMatchObject({
      kind: 'received',
      receiver: { organizationId: org },
    });
  });

  it('goes to nobody by a route that was removed after the move', async () => {
    for (const cell of [main.db, two.db]) await addName(cell);
    await addRoute(main.db);
    home = 'two';
    expect(await whileSlow(two.db, found)).toMatchObject({ kind: 'unknown' });
  });

  it('is refused for now alone while its organization is on its way', async () => {
    for (const cell of [main.db, two.db]) await addName(cell);
    home = null;
    expect(await reached()).toEqual({ kind: 'unsure' });
  });

  it('is refused for now alone where the one that it moved to was asked too early', async () => {
    await addName(main.db);
    await addRoute(main.db);
    home = 'two';
    expect(await reached()).toEqual({ kind: 'unsure' });
  });
});
