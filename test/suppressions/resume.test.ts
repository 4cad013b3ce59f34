/** An import that is interrupted goes on where it stopped, and no line is dealt with twice. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { addressToErase, eraseAddress } from '../../src/erasure/erase.ts';
import { ErasedAddresses } from '../../src/erasure/erased-address-hash.ts';
import { createOrganization } from '../../src/organizations/service.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { newId } from '../../src/runtime/ids.ts';
import { KeyRing } from '../../src/runtime/key-ring.ts';
import { createLog } from '../../src/runtime/log.ts';
import { SecretKey } from '../../src/runtime/secret-key.ts';
import { SuppressionImporter } from '../../src/suppressions/import-service.ts';
import {
  advanceImport,
  claimImport,
  countOpenImports,
  findImport,
  insertImport,
  lockImport,
} from '../../src/suppressions/import-store.ts';
import { countSuppressions } from '../../src/suppressions/store-read.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { Refusals } from '../support/refusals.ts';
import { TEST_SECRET_KEY } from '../support/secret-key.ts';
import { until } from '../support/until.ts';

const LINES = 5_000;

let test: TestDatabase;
let organizationId: string;
let id: string;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.drop());
beforeEach(async () => {
  organizationId = (await createOrganization(test.db, systemClock, { name: 'Acme', dailyLimit: 0 })).id;
  id = newId('imp');
  const payload = Array.from({ length: LINES }, (_, i) => `user${i}@example.org\n`).join('');
  await insertImport(test.db, {
    organizationId,
    id,
    format: 'csv',
    reason: null,
    payload,
    total: LINES,
    createdAt: new Date(),
  });
});

function newImporter(): SuppressionImporter {
  return new SuppressionImporter({ db: test.db, clock: systemClock, log: createLog('test', 'silent') });
}

async function waitingImport(payload: string, total: number): Promise<void> {
  const one = { organizationId, id: newId('imp'), format: 'csv', reason: null } as const;
  await insertImport(test.db, { ...one, payload, total, createdAt: new Date() });
}

/** Returns what is left of it. */
async function erase(text: string) {
  const address = addressToErase(organizationId, text);
  const erased = new ErasedAddresses(test.db, new KeyRing([new SecretKey(Buffer.from(TEST_SECRET_KEY))]));
  await erased.ensure(Date.now());
  const deps = { db: test.db, erased, eraseCopies: async () => {}, nowMs: Date.now };
  expect(await eraseAddress(deps, address, { untilMs: Number.POSITIVE_INFINITY })).toMatchObject({
    complete: true,
  });
  return erased.entryOf(address);
}

/** Looks often: an import must not be over before it was seen to have begun. */
function when(wanted: (row: NonNullable<Awaited<ReturnType<typeof findImport>>>) => boolean) {
  const read = () => findImport(test.db, organizationId, id);
  return until(read, (row) => row && wanted(row), 5);
}

async function expectComplete(): Promise<void> {
  const row = await when(({ finished_at }) => finished_at !== null);
  expect(row).toMatchObject({ state: 'done', processed: LINES, added: LINES, existing: 0, invalid: 0 });
  expect(await countSuppressions(test.db, organizationId, null)).toBe(LINES);
  const { payload } = await test.db.one(
    adHoc<{ payload: string | null }>('SELECT payload FROM suppression_imports WHERE id = $1'),
    [id],
  );
  expect(payload).toBeNull();
}

describe('an import', () => {
  it('is given back by a process that stops, and taken up by the next', async () => {
    const first = newImporter();
    await first.start();
    await when(({ processed }) => processed > 0);
    await first.stop();
    const between = await findImport(test.db, organizationId, id);
    expect(between).toMatchObject({ state: 'waiting', finished_at: null });
    expect(between?.processed).toBeLessThan(LINES);
    const second = newImporter();
    await second.start();
    await expectComplete();
    await second.stop();
  });

  it('of a process that died before the clock was set back is not left alone for all that time', async () => {
    expect((await claimImport(test.db))?.id).toBe(id);
    await test.db.exec(adHoc(`UPDATE suppression_imports SET lease_until = now() + interval '1 hour'`));
    expect((await claimImport(test.db))?.id).toBe(id);
  });

  it('of a process that died is left alone until its lease has run out', async () => {
    expect((await claimImport(test.db))?.id).toBe(id);
    expect(await claimImport(test.db)).toBeUndefined();
    await test.db.exec(adHoc(`UPDATE suppression_imports SET lease_until = now() - interval '1 second'`));
    const next = newImporter();
    await next.start();
    await expectComplete();
    await next.stop();
  });

  it('goes on where it stood after whatever PostgreSQL could not do for a moment', async () => {
    const refusals = await Refusals.of(test.db);
    const importer = newImporter();
    await importer.start();
    for (const state of ['25006', '53100', '57P01', 'XX000']) {
      await refusals.refuse(state, 1, {
        what: 'UPDATE',
        table: 'suppression_imports',
        when: 'NEW.total = 1 AND NEW.processed > 0',
      });
      const own = { organizationId, id: newId('imp'), format: 'csv', reason: null } as const;
      const list = { payload: `${state}@example.net\n`, total: 1, createdAt: new Date() };
      await insertImport(test.db, { ...own, ...list });
      await expect.poll(() => refusals.asked(), { interval: 10 }).toBe(1);
      expect(await findImport(test.db, organizationId, own.id)).toMatchObject({
        state: 'running',
        processed: 0,
      });
      const expire = `UPDATE suppression_imports SET lease_until = now() - interval '1 second' WHERE id = $1`;
      await test.db.exec(adHoc(expire), [own.id]);
      const after = () => findImport(test.db, organizationId, own.id);
      await expect.poll(after, { interval: 20 }).toMatchObject({ state: 'done', added: 1, existing: 0 });
    }
    await importer.stop();
  });

  it('moves only from where it stands: a process thought dead cannot add its chunk again', async () => {
    const claimed = await claimImport(test.db);
    if (!claimed) throw new Error('nothing to claim');
    const chunk = { from: 0, added: 10, existing: 0, invalid: 0, errors: [] };
    expect(await advanceImport(test.db, claimed, chunk)).toEqual(expect.any(String));
    expect(await advanceImport(test.db, claimed, chunk)).toBeNull();
    await test.db.exec(adHoc('DELETE FROM suppression_imports WHERE id = $1'), [id]);
  });

  it('adds an address that was erased meanwhile as its hash alone, in whatever spelling it is listed', async () => {
    const spellings = ['Eve@Bücher.example', 'eve@xn--bcher-kva.example', '"eve"@bücher.example'];
    await test.db.exec(
      adHoc(
        `UPDATE suppression_imports SET payload = payload || 'eve@xn--bcher-kva.example\n', total = total + 1 WHERE id = $1`,
      ),
      [id],
    );
    // Read by a process before the address is erased, and added by it after that.
    const early = await claimImport(test.db);
    if (!early) throw new Error('nothing to claim');
    const entry = await erase('eve@bücher.example');
    const isHeld = await test.db.transaction((tx) => lockImport(tx, early, 0, early.lease));
    expect(isHeld).toBe(false);

    const lists = spellings.map(
      (email) => `email;note\n"o'brien@example.org";"a\nb"\n"${email.replaceAll('"', '""')}";x\n`,
    );
    for (const payload of lists) await waitingImport(payload, 2);
    await erase('eve@bücher.example');
    const importer = newImporter();
    await importer.start();
    await expect.poll(() => countOpenImports(test.db, organizationId), { timeout: 20_000 }).toBe(0);
    await importer.stop();
    const eves = await test.db.many(
      adHoc<{ key: string; email: string }>(
        `SELECT key, email FROM suppressions WHERE organization_id = $1 AND email NOT LIKE '%@example.org'`,
      ),
      [organizationId],
    );
    expect(eves).toEqual([entry]);
  });

  it('is worked off by two processes at once as by one', async () => {
    const both = [newImporter(), newImporter()];
    await Promise.all(both.map((one) => one.start()));
    await expectComplete();
    await Promise.all(both.map((one) => one.stop()));
  });

  it('that goes wrong on our side says so', async () => {
    await test.db.exec(adHoc('ALTER TABLE suppressions RENAME TO away'));
    const importer = newImporter();
    await importer.start();
    const row = await when(({ finished_at }) => finished_at !== null);
    await importer.stop();
    await test.db.exec(adHoc('ALTER TABLE away RENAME TO suppressions'));
    expect(row).toMatchObject({ state: 'failed', processed: 0 });
  });
});
