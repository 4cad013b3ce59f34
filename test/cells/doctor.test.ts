/** The doctor on an installation of two cells. */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startEmbeddedPostgres } from '../../src/database/embedded-postgres.ts';
import { adHoc } from '../../src/database/sql.ts';
import { cellsCheck } from '../../src/doctor/machine/cells.ts';
import { queueCheck } from '../../src/doctor/machine/queue.ts';
import { replicationCheck } from '../../src/doctor/machine/replication.ts';
import { register } from '../../src/outbox/lease.ts';
import { openCells } from '../../src/processes/cells.ts';
import { parseConfig } from '../../src/runtime/config.ts';
import { createLog } from '../../src/runtime/log.ts';
import { type DoctorRoom, openDoctorRoom } from '../doctor/doctor-context.ts';
import { createTwoCells, type TwoCells } from '../support/two-cells.ts';

let room: DoctorRoom;
let cells: TwoCells;
beforeAll(async () => {
  room = await openDoctorRoom();
  cells = await createTwoCells('/nonexistent');
  await cells.json(['org', 'create', 'There', '--cell', 'two']);
});
afterAll(async () => {
  await room.stop();
  await cells.drop();
});

/** What it says of an installation whose cells are these. */
async function examineCells(named: string, check = cellsCheck) {
  const config = parseConfig({ ...cells.env, POSTRIDER_CELLS: named });
  const log = createLog('test', 'silent');
  const opened = openCells(config, cells.main.url, { log, applicationName: 'test' });
  try {
    return await room.find(check, { context: { db: opened.db, config } });
  } finally {
    await opened.close();
  }
}

/** Servers of tests do not wait for the disk. */
const besidesDisk = (found: Awaited<ReturnType<typeof examineCells>>) =>
  found.filter(({ seen }) => !seen.includes(' = off'));

it('says that nobody works for a cell, and is content when somebody does', async () => {
  const before = await examineCells(`two=${cells.two.url}`);
  expect(before.some(({ seen }) => seen === 'The cell two: PostgreSQL runs with fsync = off.')).toBe(true);
  expect(besidesDisk(before)).toMatchObject([{ level: 'bad', seen: 'The cell two: no worker serves it.' }]);
  await register(cells.two.db, { host: 'here', machine: 'here', pid: 1 });
  expect(besidesDisk(await examineCells(`two=${cells.two.url}`))).toEqual([]);
});

it('says which cell does not answer, and examines the queues of the others', async () => {
  const away = 'two=postgres://nobody@127.0.0.1:1/nothing';
  expect(await examineCells(away)).toMatchObject([
    { level: 'bad', seen: expect.stringContaining('The cell two does not answer') },
  ]);
  expect((await examineCells(away, queueCheck))[0]?.seen).toMatch(/^0 workers running; 0 deliveries due/);
  expect((await examineCells(`two=${cells.two.url}`, queueCheck))[0]?.seen).toMatch(/^1 worker running/);
});

it('says which organizations are in a cell that is not named', async () => {
  expect(await examineCells('')).toMatchObject([
    { level: 'bad', seen: '1 organization in the cell two, which POSTRIDER_CELLS does not name.' },
  ]);
});

it('says of a cell, too, which of the hosts that its address names cannot be reached', async () => {
  const several = cells.two.url.replace(/@([^/]+)\//, '@$1,127.0.0.1:1/');
  expect(await examineCells(`two=${several}`, replicationCheck)).toEqual([
    {
      check: 'replication',
      level: 'warn',
      seen: 'The cell two: 127.0.0.1:1, which POSTRIDER_CELLS names, cannot be reached: connect ECONNREFUSED 127.0.0.1:1.',
      why: 'One host less can take over.',
      fix: 'Start it, or take it out of POSTRIDER_CELLS.',
    },
    {
      check: 'replication',
      level: 'warn',
      seen: 'The cell two: Commits do not wait for a standby (synchronous_standby_names is empty).',
      why: 'A standby that takes over lacks mail that was answered 201 moments before.',
      fix: expect.stringContaining('ALTER SYSTEM SET synchronous_standby_names'),
    },
  ]);
});

it('says that commits of a cell do not wait for its standby', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'postrider-cell-'));
  await chmod(dataDir, 0o755);
  const settings = { fsync: 'off', synchronous_standby_names: 'one', synchronous_commit: 'local' };
  const server = await startEmbeddedPostgres({ dataDir, settings, log: () => undefined });
  try {
    const named = `two=${cells.two.url} three=${server.url} four=postgres://nobody@127.0.0.1:1/nothing`;
    expect(await examineCells(named, replicationCheck)).toMatchObject([
      {
        level: 'warn',
        seen: 'The cell three: Commits do not wait for a standby (synchronous_commit = local).',
      },
    ]);
  } finally {
    await server.stop(0);
    await rm(dataDir, { recursive: true, force: true });
  }
});

it('says once of a server with several cells that it has no standby', async () => {
  expect(await examineCells(`two=${cells.two.url}`, replicationCheck)).toMatchObject([
    { level: 'ok', seen: 'This PostgreSQL has no standby.' },
  ]);
});

it('adds up what processes may want of a server that has several cells', async () => {
  const before = await examineCells(`two=${cells.two.url}`);
  expect(before.filter(({ seen }) => seen.includes('connections'))).toEqual([]);
  const hold = `INSERT INTO secret_key_holders (process, name, key_ids, seen_at)
                SELECT 'p' || i, 'api ' || i, '{}', now() FROM generate_series(1, 30) AS i`;
  await cells.main.db.exec(adHoc(hold));
  await cells.main.db.exec(
    adHoc(
      `INSERT INTO secret_key_holders (process, name, key_ids, seen_at) VALUES ('w', 'worker of two 1', '{}', now())`,
    ),
  );
  const [found, ...more] = (await examineCells(`two=${cells.two.url}`)).filter(({ seen }) =>
    seen.includes('connections'),
  );
  expect(more).toEqual([]);
  // Ten of each of the 31 to each of the two, and one of those that serve all to the first.
  expect(found).toMatchObject({
    level: 'warn',
    seen: expect.stringMatching(
      /^The server of the cells main, two allows \d+ connections, .* may open 650\.$/,
    ),
  });
});
