/** What happens to content when something ends, or comes in between, while it is on its way. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { addressToErase, eraseAddress } from '../../src/erasure/erase.ts';
import { ErasedAddresses } from '../../src/erasure/erased-address-hash.ts';
import { eraseCopies } from '../../src/processes/erase-copies.ts';
import { parseConfig } from '../../src/runtime/config.ts';
import { HOUR_MS } from '../../src/runtime/durations.ts';
import { loadKeyRing } from '../../src/runtime/key-store.ts';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { contentChores, contentRows, settleAs } from '../support/content-store.ts';
import { sendLetter } from '../support/emails.ts';
import { Role } from '../support/role.ts';
import { type S3Sink, startS3Sink } from '../support/s3-sink.ts';
import { TEST_SECRET_KEY } from '../support/secret-key.ts';

const clock = { ms: 0, nowMs: () => clock.ms };
const ACCEPTED = Date.parse('2026-03-04T12:00:00Z');

let sink: S3Sink;
let server: TestApi;
let chores: ReturnType<typeof contentChores>;
let org: TestOrganization;
let id: string;
beforeAll(async () => {
  clock.ms = ACCEPTED;
  sink = await startS3Sink();
  server = await startApi({ clock, env: sink.env });
  chores = contentChores(server.db, clock, sink);
});
afterAll(async () => {
  await server.stop();
  await sink.stop();
});
beforeEach(async () => {
  sink.fault = () => undefined;
  clock.ms += 24 * HOUR_MS;
  org = await server.createOrganization();
  id = await sendLetter(server, org, { text: 'Do not lose me' });
  await settleAs(server.db, org, id, 'delivered', clock.ms);
  clock.ms += 2 * HOUR_MS;
});

const content = () => server.api('GET', `/emails/${id}/content`, undefined, org.key);
const objects = () => [...sink.objects.keys()].filter((key) => key.includes(id));
const isMoved = async () =>
  (await server.db.many(adHoc('SELECT FROM moved_contents WHERE email_id = $1'), [id])).length === 1;

/** Does something once the object is there and nobody has said so yet. */
function betweenPutAndMark(work: () => Promise<void>): void {
  let done = false;
  sink.fault = async ({ method, key }) => {
    if (method !== 'HEAD' || !key.includes(id) || done) return undefined;
    done = true;
    await work();
    return undefined;
  };
}

async function isReadAfterAll(): Promise<void> {
  sink.fault = () => undefined;
  clock.ms += HOUR_MS;
  await chores.move();
  expect(await isMoved()).toBe(true);
  expect((await content()).body.data.text).toBe('Do not lose me');
  await chores.remove();
  // The one that is in use, and no other.
  expect(objects()).toHaveLength(1);
  expect((await content()).body.data.text).toBe('Do not lose me');
}

describe('content stays in PostgreSQL, and is moved later,', () => {
  it.each([
    ['the store refuses it', 500],
    ['the connection ends before it is stored', 'drop'],
    ['the connection ends after it was stored', 'drop-after'],
    ['the store says that it has it, and has nothing', 'lie'],
  ] as const)('where %s', async (_, fault) => {
    sink.fault = ({ method }) => (method === 'PUT' ? fault : undefined);
    await chores.move();
    expect(await isMoved()).toBe(false);
    expect((await content()).body.data.text).toBe('Do not lose me');
    await isReadAfterAll();
  });

  it('where another worker removes the object that took too long to put', async () => {
    betweenPutAndMark(async () => {
      await server.db.exec(adHoc('UPDATE object_removals SET due_at = $1'), [new Date(clock.ms - 1)]);
      await chores.another().remove();
    });
    await chores.move();
    expect(await isMoved()).toBe(false);
    expect((await content()).body.data.text).toBe('Do not lose me');
    await server.db.exec(adHoc(`UPDATE content_weeks SET due_at = $1, looked_to = NULL`), [
      new Date(clock.ms),
    ]);
    await isReadAfterAll();
  });

  it('where the mail is queued again meanwhile', async () => {
    id = await sendLetter(server, org, { text: 'Do not lose me' });
    await settleAs(server.db, org, id, 'failed', clock.ms);
    await server.db.exec(adHoc(`UPDATE events SET type = 'failed' WHERE email_id = $1`), [id]);
    clock.ms += 2 * HOUR_MS;
    betweenPutAndMark(async () => {
      expect((await server.api('POST', `/emails/${id}/retry`, undefined, org.key)).status).toBe(200);
    });
    await chores.move();
    expect(await isMoved()).toBe(false);
    expect((await content()).body.data.text).toBe('Do not lose me');
    await chores.remove();
    expect(objects()).toEqual([]);
    await settleAs(server.db, org, id, 'delivered', clock.ms);
  });
});

describe('an address that is erased', () => {
  const erase = () => {
    const ring = loadKeyRing(parseConfig({ POSTRIDER_SECRET_KEY: TEST_SECRET_KEY }));
    const deps = {
      db: server.db,
      erased: new ErasedAddresses(server.db, ring),
      eraseCopies,
      nowMs: clock.nowMs,
    };
    const address = addressToErase(org.id, 'ada@example.org');
    return eraseAddress(deps, address, { untilMs: Number.POSITIVE_INFINITY });
  };

  it('leaves nothing in the bucket while content of it is being put', async () => {
    betweenPutAndMark(async () => void (await erase()));
    await chores.move();
    expect(await isMoved()).toBe(false);
    expect((await content()).status).toBe(404);
    await chores.remove();
    expect(objects()).toEqual([]);
  });

  it('leaves nothing in the bucket that was moved before, also if that is away for a while', async () => {
    await chores.move();
    expect(objects()).toHaveLength(1);
    await erase();
    expect((await content()).status).toBe(404);
    sink.fault = () => 503;
    await chores.remove();
    expect(objects()).toHaveLength(1);
    sink.fault = () => undefined;
    clock.ms += HOUR_MS;
    await chores.another().remove();
    expect(objects()).toEqual([]);
    expect((await contentRows(server.db)).object_removals).toBe(0);
  });
});

it('gives way to retention, which drops weeks meanwhile', async () => {
  clock.ms += 60 * 24 * HOUR_MS;
  await chores.move();
  expect(await isMoved()).toBe(true);
  // A week that is noted again, as by a worker that read its tables a moment before.
  await server.db.exec(adHoc('DELETE FROM moved_contents'));
  const drop = adHoc<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relname ~ '_p202603'`,
  );
  for (const { name } of await server.db.many(drop)) await server.db.exec(adHoc(`DROP TABLE ${name}`));
  await server.db.exec(adHoc('UPDATE content_weeks SET due_at = $1'), [new Date(clock.ms)]);
  await chores.move();
  expect(await server.db.many(adHoc(`SELECT FROM content_weeks WHERE week < '2026-04-01'`))).toEqual([]);
});

describe('a worker that is killed', () => {
  const worker = () =>
    new Role('worker', {
      ...sink.env,
      POSTRIDER_CONTENT_S3_AFTER: '1h',
      POSTRIDER_SECRET_KEY: TEST_SECRET_KEY,
      POSTRIDER_DATA_DIR: dataDir,
      POSTRIDER_DNS_SERVERS: '127.0.0.1:1',
      DATABASE_URL: server.database.url,
    });
  let dataDir = '';
  beforeAll(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'postrider-content-'));
  });
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }));
  const due = (table: string) =>
    server.db.exec(adHoc(`UPDATE ${table} SET due_at = now() - interval '1 hour' WHERE due_at IS NOT NULL`));

  it('after it put content and before it said so has lost nothing, and leaves nothing behind', async () => {
    // Its clock is the real one, and so is its retention.
    clock.ms = Date.now() - 3 * HOUR_MS;
    id = await sendLetter(server, org, { text: 'Do not lose me' });
    await settleAs(server.db, org, id, 'delivered', clock.ms);
    await server.db.exec(adHoc('DELETE FROM content_weeks'));
    const killed = worker();
    const dead = new Promise<void>((resolve) => {
      betweenPutAndMark(async () => {
        await killed.end('SIGKILL');
        resolve();
      });
    });
    killed.start();
    await dead;
    expect(objects()).toHaveLength(1);
    expect(await isMoved()).toBe(false);
    expect((await content()).body.data.text).toBe('Do not lose me');
    // What it had claimed is anybody's when its time is over.
    await due('content_weeks');
    await due('object_removals');
    const [left] = objects();
    const next = worker();
    next.start();
    try {
      await expect.poll(isMoved, { timeout: 20_000 }).toBe(true);
      await expect.poll(() => objects().includes(left as string), { timeout: 20_000 }).toBe(false);
      expect((await content()).body.data.text).toBe('Do not lose me');
    } finally {
      await next.end('SIGKILL');
    }
  });
});
