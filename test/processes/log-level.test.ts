/** The log level of the roles of a whole installation. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { freePort, Supervised } from './supervised.ts';

const START = fileURLToPath(new URL('../../dist/processes/start.js', import.meta.url));
/** Logged by the API at `info`. */
const LISTENING = /"role":"api".*"msg":"listening"/;

let database: TestDatabase;
let folder: string;
let running: Supervised | undefined;
beforeEach(async () => {
  database = await createTestDatabase();
  folder = mkdtempSync(join(tmpdir(), 'postrider-log-level-'));
});
afterEach(async () => {
  await running?.clear();
  running = undefined;
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

async function startWith(settings: string): Promise<Supervised> {
  const file = join(folder, 'settings.env');
  writeFileSync(file, settings);
  running = await Supervised.start(
    [],
    {
      DATABASE_URL: database.url,
      POSTRIDER_DATA_DIR: folder,
      POSTRIDER_ENV_FILE: file,
      POSTRIDER_INBOUND_PORT: String(await freePort()),
      POSTRIDER_SUBMISSION: 'false',
    },
    START,
  );
  await running.says(/is ready/);
  return running;
}

describe('the log level of the roles', () => {
  it('is the one in the settings file', async () => {
    await (await startWith('POSTRIDER_LOG_LEVEL=info\n')).says(LISTENING);
  });

  it('is warn if none is set', async () => {
    expect((await startWith('')).output).not.toMatch(LISTENING);
  });
});
