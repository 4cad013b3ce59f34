/** A machine that has another secret key than the installation it would join. */
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { refuseOtherKey } from '../../src/processes/refuse-other-key.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { startInbound } from '../support/inbound.ts';
import { startMailWorker } from '../support/mail-worker.ts';
import { TEST_SECRET_KEY } from '../support/secret-key.ts';
import { startSubmission } from '../support/submission.ts';

const OTHER = { POSTRIDER_SECRET_KEY: 'o'.repeat(43) };
const WORDS = /belongs to an installation whose secret key has the fingerprint [0-9a-f]{16}; here it is/;

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

  it('is refused by the supervisor, which makes no key where there was none', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'postrider-other-key-'));
    const { db } = server.database;
    await expect(refuseOtherKey(db, { secretKey: undefined, dataDir })).rejects.toThrow(
      /; there is none here\./,
    );
    expect(existsSync(join(dataDir, 'secret-key'))).toBe(false);
    await expect(refuseOtherKey(db, { secretKey: TEST_SECRET_KEY, dataDir })).resolves.toBeUndefined();
  });
});
