/** A worker without disk space for its journal. `npm run storm -- --fault journal-full` tests a whole installation. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { SmallDisk, whyNoMount } from '../storm/small-disk.ts';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { sendLetter } from '../support/emails.ts';
import { startMailWorker, type TestWorker } from '../support/mail-worker.ts';

const whyNot = whyNoMount();

describe.skipIf(whyNot !== null)('a worker on a full disk', () => {
  let server: TestApi;
  let org: TestOrganization;
  let disk: SmallDisk;
  let folder: string;
  let worker: TestWorker | undefined;
  const said: string[] = [];
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'postrider-small-'));
    disk = new SmallDisk(join(folder, 'disk'), 4);
    server = await startApi();
    org = await server.createOrganization();
  });
  afterAll(async () => {
    await worker?.stop();
    await server.stop();
    disk.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  const log = pino({ level: 'warn' }, { write: (line: string) => void said.push(JSON.parse(line).msg) });
  const start = () => startMailWorker(server.database, { POSTRIDER_DATA_DIR: disk.folder }, { log });
  const statusOf = async (id: string) =>
    (await server.api('GET', `/emails/${id}`, undefined, org.key)).body.data.status;
  const tried = async () =>
    (
      await server.db.one(
        adHoc<{ count: number }>(`SELECT count(*) FROM events WHERE type NOT IN ('queued')`),
      )
    ).count;

  it('that finds no room at its start takes no mail, says so, and begins when there is room', async () => {
    disk.fill();
    worker = await start();
    const id = await sendLetter(server, org);
    await expect.poll(() => said.join()).toContain('the outcome journal cannot be written');
    expect(await tried()).toBe(0);
    disk.free();
    await expect.poll(() => statusOf(id)).toBe('delivered');
    expect(said.join()).toContain('the outcome journal can be written again');
  });

  it('goes on where the disk fills up later, because its journal holds room', async () => {
    disk.fill();
    const id = await sendLetter(server, org);
    await expect.poll(() => statusOf(id)).toBe('delivered');
  });
});
