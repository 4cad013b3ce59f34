/** A backup while an organization is on its way to another cell: files that could not be restored are no backup. */
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { moveOrganization } from '../../src/operations/move/move-organization.ts';
import { type OpenCells, openCells } from '../../src/processes/cells.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { parseConfig } from '../../src/runtime/config.ts';
import { createLog } from '../../src/runtime/log.ts';
import { type Ran, runCommand } from '../support/command-line.ts';
import { createEmptyDatabase } from '../support/database.ts';
import { stopsAt } from '../support/move-points.ts';
import { type CellDatabase, createServer } from '../support/moving-cells.ts';
import { TEST_SECRET_KEY } from '../support/secret-key.ts';
import { seedMail } from '../support/seed-mail.ts';
import { until } from '../support/until.ts';

const MAILS = 7;
const log = createLog('test', 'silent');

let root: string;
let main: CellDatabase;
let two: CellDatabase;
let env: Record<string, string>;
let opened: OpenCells;
let org: string;
let here: 'main' | 'two' = 'main';
let files = 0;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'postrider-cells-'));
  [main, two] = await Promise.all([createServer(), createServer()]);
  env = {
    DATABASE_URL: main.url,
    POSTRIDER_CELLS: `two=${two.url}`,
    POSTRIDER_SECRET_KEY: TEST_SECRET_KEY,
    POSTRIDER_DATA_DIR: join(root, 'data'),
  };
  for (const argv of [['migrate'], ['org', 'create', 'First']]) expect((await run(argv)).err).toBe('');
  org = JSON.parse((await run(['org', 'create', 'Mover', '--json'])).out).id;
  await seedMail(main.db, { organizationId: org, domain: 'x.test', count: MAILS });
  opened = openCells(parseConfig(env), main.url, { log, applicationName: 'test' });
}, 120_000);
afterAll(async () => {
  await opened?.close();
  await Promise.all([main?.drop(), two?.drop()]);
  await rm(root, { recursive: true, force: true });
});

const run = (argv: string[], more = {}): Promise<Ran> => runCommand(argv, { ...env, ...more });
const elsewhere = () => (here === 'main' ? 'two' : 'main');
const nextFile = () => join(root, `backup-${++files}.tar`);
const filesOf = (file: string) => [file, file.replace(/\.tar$/, '.two.tar')].filter((one) => existsSync(one));

async function move(at?: (point: string) => Promise<void>, isAbandoned = false): Promise<void> {
  const cells = [
    { name: 'main', url: main.url },
    { name: 'two', url: two.url },
  ];
  const signal = new AbortController().signal;
  const deps = { control: opened.db, clock: systemClock, cells, say: () => undefined, signal };
  const asked = { isOffline: false, reach: undefined, by: 'ada', to: elsewhere(), organizationId: org };
  await moveOrganization(at ? { ...deps, at } : deps, { ...asked, isAbandoned });
  if (!isAbandoned) here = elsewhere();
}

async function movedUntil(point: string): Promise<void> {
  const stop = stopsAt(point);
  const moving = move(stop.at);
  moving.catch(() => undefined);
  await Promise.race([stop.there, moving]);
  const kill = adHoc(
    `SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE application_name = 'postrider-move'`,
  );
  await Promise.all([main.db.many(kill), two.db.many(kill)]);
}

describe('a backup while an organization is on its way', () => {
  it.each(['standing', 'quieting', 'marked', 'settling', 'clearing'])(
    'is refused where the move was cut off at `%s`, and leaves no file',
    async (point) => {
      await movedUntil(point);
      for (const more of [[], ['--cell', 'two']]) {
        const file = nextFile();
        const refused = await run(['backup', file, ...more]);
        expect(refused).toMatchObject({ code: 1, out: '' });
        expect(refused.err).toContain(`${org} on the way to another cell. Back up when the move is done.`);
        expect(filesOf(file)).toEqual([]);
      }
      await move();
    },
    60_000,
  );
});

describe('an organization that goes to another cell during a backup', () => {
  /** The backup has written the first file, and waits for a table of the second cell. */
  async function during(work: () => Promise<void>): Promise<{ ran: Ran; file: string }> {
    if (here === 'two') await move();
    const holder = new pg.Client({ connectionString: two.url, application_name: 'pg_dump' });
    await holder.connect();
    await holder.query('BEGIN; LOCK TABLE site_domains IN ACCESS EXCLUSIVE MODE');
    const file = nextFile();
    const backingUp = run(['backup', file]);
    await until(
      () =>
        two.db.one(
          adHoc<{ count: number }>(
            `SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = 'site_domains'::regclass`,
          ),
        ),
      ({ count }) => count === 1,
    );
    await work();
    await holder.query('COMMIT');
    await holder.end();
    return { ran: await backingUp, file };
  }

  it.each([
    ['has arrived', () => move()],
    ['was called back', () => movedUntil('quieting').then(() => move(undefined, true))],
  ] as const)(
    'makes its files worthless where it %s: there is no backup, and it says to run it again',
    async (_, work) => {
      const { ran, file } = await during(work);
      expect(ran.code).toBe(1);
      expect(ran.err).toContain(`${org} moved to another cell during the backup`);
      expect(ran.err).toContain('No backup was kept. Run the command again.');
      expect(filesOf(file)).toEqual([]);
    },
    60_000,
  );

  it('makes them worthless where it is on its way still', async () => {
    const { ran, file } = await during(() => movedUntil('quieting'));
    expect([ran.code, ran.err]).toEqual([
      1,
      expect.stringContaining(`${org} moved to another cell during the backup`),
    ]);
    expect(filesOf(file)).toEqual([]);
    await move();
  }, 60_000);

  it('is in what is taken after it, which is restored with all its mail where it lives', async () => {
    if (here === 'main') await move();
    const file = nextFile();
    const [first, second] = [file, file.replace(/\.tar$/, '.two.tar')];
    expect(await run(['backup', file])).toMatchObject({ code: 0, err: '' });
    const [newMain, newTwo] = await Promise.all([createEmptyDatabase(), createEmptyDatabase()]);
    const newEnv = {
      DATABASE_URL: newMain.url,
      POSTRIDER_CELLS: `two=${newTwo.url}`,
      POSTRIDER_DATA_DIR: await mkdtemp(join(root, 'new-')),
    };
    const restored = [
      await run(['restore', first], newEnv),
      await run(['restore', second, '--cell', 'two'], newEnv),
    ];
    expect(restored.map(({ code, err }) => ({ code, err }))).toEqual([
      { code: 0, err: '' },
      { code: 0, err: '' },
    ]);
    const waiting = adHoc<{ count: number }>('SELECT count(*) FROM outbox WHERE organization_id = $1');
    const counted = [await newMain.db.one(waiting, [org]), await newTwo.db.one(waiting, [org])];
    expect(counted).toEqual([{ count: 0 }, { count: MAILS }]);
    await Promise.all([newMain.drop(), newTwo.drop()]);
  }, 60_000);
});
