/** A move whose `--reach` leads to a standby of the server that the organization leaves, and one whose log is not read. */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openMove } from '../../src/cells/move-store.ts';
import { Database } from '../../src/database/database.ts';
import { embeddedCluster } from '../../src/database/embedded/cluster-home.ts';
import { startEmbeddedPostgres } from '../../src/database/embedded-postgres.ts';
import { migrate } from '../../src/database/migrate.ts';
import { adHoc } from '../../src/database/sql.ts';
import { withCellEnd } from '../../src/operations/move/cell-end.ts';
import { firstCopied } from '../../src/operations/move/replication.ts';
import { createLog } from '../../src/runtime/log.ts';
import type { TestOrganization } from '../support/api.ts';
import { letter } from '../support/emails.ts';
import { stopsAt } from '../support/move-points.ts';
import { createServer, type MovingCells, startMovingCells } from '../support/moving-cells.ts';
import { follow, type Standby } from '../support/standby.ts';

let cells: MovingCells;
let org: TestOrganization;
let standby: Standby;
let dataDir: string;

/** Its files are known, so that a standby can be made of them. */
async function createFollowedServer() {
  dataDir = await mkdtemp(join(tmpdir(), 'postrider-reach-'));
  await chmod(dataDir, 0o755);
  const settings = { fsync: 'off', wal_level: 'logical' };
  const server = await startEmbeddedPostgres({ dataDir, settings, log: () => undefined });
  await migrate(server.url);
  const db = new Database({ url: server.url, log: createLog('test', 'silent'), applicationName: 'test' });
  const drop = async () => {
    await db.close();
    await server.stop(0);
  };
  return { url: server.url, db, drop };
}

beforeAll(async () => {
  const servers = [createFollowedServer, createServer];
  cells = await startMovingCells(() => (servers.shift() ?? createServer)());
  standby = await follow(cells.main.url, (await embeddedCluster(dataDir))?.clusterDir ?? '');
  org = await cells.api.createOrganization('Mover');
  expect((await cells.api.api('POST', '/emails/send', letter(org), org.key)).status).toBe(201);
}, 180_000);
afterAll(async () => {
  await standby?.stop();
  await cells?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

async function expectNothingDone(): Promise<void> {
  expect(await openMove(cells.main.db, org.id)).toBeUndefined();
  expect(await cells.rowsOf(cells.two.db, org)).toEqual({});
  const left = adHoc(
    `SELECT pubname::text AS name FROM pg_publication UNION ALL SELECT subname::text FROM pg_subscription
     UNION ALL SELECT slot_name::text FROM pg_replication_slots WHERE slot_type = 'logical'`,
  );
  for (const { db } of [cells.main, cells.two]) expect(await db.many(left)).toEqual([]);
}

it('is refused before anything is done', async () => {
  await expect(cells.move(org, { reach: standby.url })).rejects.toThrow(
    'The address that two uses for the server of main is the address of a standby. ' +
      'Pass the address of the primary with --reach, or move with --offline.',
  );
  await expectNothingDone();
});

it('is made from the primary where the address names the standby, too', async () => {
  const [main, other] = [new URL(cells.main.url), new URL(standby.url)];
  const reach = cells.main.url.replace(main.host, `${other.host},${main.host}`);
  const rows = await cells.rowsOf(cells.main.db, org);
  await cells.move(org, { reach });
  expect(await cells.rowsOf(cells.two.db, org)).toEqual(rows);
  await cells.move(org, { to: 'main' });
});

it('ends with a sentence where the other server does not read the log, and is undone without a trace', async () => {
  const stop = stopsAt('copying');
  const moving = cells.move(org, { at: stop.at });
  await Promise.race([stop.there, moving]);
  await cells.killMovers();
  const name = `postrider_${org.id}`;
  await cells.two.db.exec(adHoc(`ALTER SUBSCRIPTION ${name} CONNECTION 'host=127.0.0.1 port=1'`));
  await cells.main.db.many(
    adHoc(`SELECT pg_terminate_backend(active_pid) FROM pg_replication_slots WHERE slot_name = '${name}'`),
  );
  await cells.two.db.exec(adHoc(`UPDATE pg_subscription_rel SET srsubstate = 'i', srsublsn = NULL`));
  const { signal } = new AbortController();
  await withCellEnd({ name: 'main', url: cells.main.url }, (source) =>
    withCellEnd({ name: 'two', url: cells.two.url }, (target) =>
      expect(
        firstCopied({ source, target, organizationId: org.id }, { withinMs: 500, signal }, () => undefined),
      ).rejects.toThrow(
        "The server of two has not read the log of main for 0.5 s; the log of two's server says why. " +
          'Run the command again to wait longer, or with --abandon to undo the move.',
      ),
    ),
  );
  await cells.move(org, { isAbandoned: true });
  await expectNothingDone();
});
