/** A machine that has another secret key than the installation it would join. */
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Database } from '../../src/database/database.ts';
import { adHoc } from '../../src/database/sql.ts';
import { keyTurns, noteFirstKey } from '../../src/operations/secret-keys/store.ts';
import { KeyWatch } from '../../src/operations/secret-keys/watch.ts';
import { refuseOtherKey } from '../../src/processes/refuse-other-key.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { KeyRing } from '../../src/runtime/key-ring.ts';
import { createLog } from '../../src/runtime/log.ts';
import { SecretKey } from '../../src/runtime/secret-key.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { createTestDatabase, holding } from '../support/database.ts';
import { startInbound } from '../support/inbound.ts';
import { startMailWorker } from '../support/mail-worker.ts';
import { TEST_SECRET_KEY } from '../support/secret-key.ts';
import { startSubmission } from '../support/submission.ts';
import { openTcpGate } from '../support/tcp-gate.ts';
import { until } from '../support/until.ts';

const OTHER = { POSTRIDER_SECRET_KEY: 'o'.repeat(43) };
const WORDS =
  /belongs to an installation whose secret key has the fingerprint [0-9a-f]{16}; this process has/;

let server: TestApi;
beforeAll(async () => {
  server = await startApi();
});
afterAll(() => server.stop());

describe('a process with another secret key', () => {
  it.each([
    ['api', () => startApi({ env: OTHER, database: server.database })],
    ['worker', () => startMailWorker(server.database, OTHER)],
    ['inbound', () => startInbound(server.database, { env: OTHER })],
    ['submission', () => startSubmission(server.database, { env: OTHER })],
  ])('does not start as %s, and says what to do', async (_role, start) => {
    await expect(start()).rejects.toThrow(WORDS);
  });

  it('is refused as soon as the database answers, if that was away at its start', async () => {
    const url = new URL(server.database.url);
    const gate = await openTcpGate('127.0.0.1', Number(url.port));
    url.port = String(gate.port);
    const log = createLog('test', 'silent');
    const db = new Database({ url: url.toString(), log, applicationName: 'gated' });
    await gate.shut();
    let say: (problem: string) => void = () => {};
    const refused = new Promise<string>((resolve) => {
      say = resolve;
    });
    const ring = new KeyRing([new SecretKey(Buffer.from('o'.repeat(43)))]);
    const watch = new KeyWatch({ db, ring, log, clock: systemClock, role: 'api', onRefused: say });
    await watch.start();
    await gate.open();
    expect(await refused).toMatch(WORDS);
    await watch.stop();
    await db.close();
    await gate.shut();
  });

  it('does not become the first beside one that has just become it', async () => {
    const empty = await createTestDatabase();
    const { db } = empty;
    const waiting = adHoc(`SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`);
    const second = await holding(db, async (tx) => {
      await noteFirstKey(tx, 'a'.repeat(16));
      const late = db.transaction((other) => noteFirstKey(other, 'b'.repeat(16)));
      await until(
        () => db.many(waiting),
        (rows) => rows.length === 1,
      );
      return { late };
    });
    await second.late;
    expect(await keyTurns(db)).toEqual([{ id: 'a'.repeat(16), fromMs: 0 }]);
    await empty.drop();
  });

  it('is refused by the supervisor, which makes no key where there was none', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'postrider-other-key-'));
    const { db } = server.database;
    await expect(refuseOtherKey(db, { secretKey: undefined, dataDir })).rejects.toThrow(
      /; this process has no secret key\./,
    );
    expect(existsSync(join(dataDir, 'secret-key'))).toBe(false);
    await expect(refuseOtherKey(db, { secretKey: TEST_SECRET_KEY, dataDir })).resolves.toBeUndefined();
  });
});
