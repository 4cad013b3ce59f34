import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApiKey } from '../../src/accounts/api-keys/service.ts';
import { listKeys } from '../../src/accounts/api-keys/store.ts';
import { KeyUsage } from '../../src/accounts/api-keys/usage.ts';
import { createOrganization } from '../../src/organizations/service.ts';
import { createLog } from '../../src/runtime/log.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const START = Date.parse('2030-01-01T00:00:00Z');
const log = createLog('test', 'silent');

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.drop());

async function setUp() {
  const clock = { ms: START, nowMs: () => clock.ms };
  const { id } = await createOrganization(test.db, clock, { name: 'Acme', dailyLimit: 0 });
  const wanted = { name: 'k', scope: 'full', domain: null, expiresAt: null } as const;
  const { row: key } = await createApiKey(test.db, clock, id, wanted);
  const lastUsed = async () => (await listKeys(test.db, id))[0]?.last_used_at?.getTime() ?? null;
  return { clock, key, lastUsed };
}

describe('when a key was last used', () => {
  it('is written once a minute, and the latest use is not lost', async () => {
    const { clock, key, lastUsed } = await setUp();
    const usage = new KeyUsage(test.db, clock, log);
    usage.note(key);
    await usage.flush();
    expect(await lastUsed()).toBe(START);

    clock.ms = START + 30_000;
    usage.note(key);
    await usage.flush();
    expect(await lastUsed()).toBe(START);

    clock.ms = START + 61_000;
    usage.note(key);
    await usage.flush();
    expect(await lastUsed()).toBe(START + 61_000);
  });

  it('is not written twice in a minute by two processes', async () => {
    const { clock, key, lastUsed } = await setUp();
    const [one, two] = [new KeyUsage(test.db, clock, log), new KeyUsage(test.db, clock, log)];
    one.note(key);
    await one.flush();
    clock.ms = START + 10_000;
    two.note(key);
    await two.flush();
    expect(await lastUsed()).toBe(START);
  });

  it('is written when the process stops', async () => {
    const { clock, key, lastUsed } = await setUp();
    const usage = new KeyUsage(test.db, clock, log);
    await usage.start();
    usage.note(key);
    await usage.stop();
    expect(await lastUsed()).toBe(START);
  });

  it('is kept for later while the database is away', async () => {
    const { clock, key, lastUsed } = await setUp();
    let away = true;
    const db: Pick<typeof test.db, 'exec'> = {
      exec: (statement, params) =>
        away ? Promise.reject(new Error('away')) : test.db.exec(statement, params),
    };
    const usage = new KeyUsage(db as typeof test.db, clock, log);
    usage.note(key);
    await usage.flush();
    away = false;
    await usage.flush();
    expect(await lastUsed()).toBe(START);
  });
});
