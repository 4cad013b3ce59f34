/** `npx postrider restore`: what was destroyed comes back as it was, and nothing of it is sent by itself. */
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { checkSchema, knownSchema, migrate, readMigrations } from '../../src/database/migrate.ts';
import { adHoc } from '../../src/database/sql.ts';
import type { Finished } from '../../src/delivery/attempt/delivery-record.ts';
import { BackupReader } from '../../src/operations/backup/backup-reader.ts';
import { beginRestore } from '../../src/operations/backup/load-backup.ts';
import { writeBackup } from '../../src/operations/backup/write-backup.ts';
import { Journal } from '../../src/outbox/journal.ts';
import { address } from '../support/addresses.ts';
import { type Ran, runCommand } from '../support/command-line.ts';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../support/database.ts';
import { claimDue, newWorker } from '../support/outbox.ts';
import { TEST_SECRET_KEY } from '../support/secret-key.ts';
import { seedMail } from '../support/seed-mail.ts';

let root: string;
let file: string;
let accepted: string;
let place: TestDatabase;
let dataDir: string;

const folder = (name: string) => mkdtempSync(join(root, `${name}-`));
const count = async ({ db }: TestDatabase, from: string) =>
  (await db.one(adHoc<{ n: number }>(`SELECT count(*) AS n FROM ${from}`))).n;

/** An installation with mail: 20 that wait, 3 that a worker has in hand, of which a server has taken one. Then it is destroyed. */
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'postrider-restore-'));
  const lost = await createTestDatabase();
  const lostDir = folder('lost');
  await lost.db.exec(adHoc(`INSERT INTO organizations (id, name) VALUES ('org_a', 'Lost')`));
  await seedMail(lost.db, { organizationId: 'org_a', domain: 'there.test', count: 23 });
  const epoch = await newWorker(lost.db);
  const [sent] = await claimDue(lost.db, epoch, 3);
  if (sent === undefined) throw new Error('nothing was claimed');
  accepted = sent.emailId;
  const said = {
    smtpCode: 250,
    enhancedCode: null,
    smtpMessage: 'ok',
    reason: null,
    mxHost: null,
    tls: null,
  };
  new Journal<Finished>(lostDir, epoch).append({
    kind: 'finished',
    delivery: sent,
    recipient: address('r1@there.test').email,
    atMs: Date.now(),
    verdict: { kind: 'delivered', ...said },
  });
  file = join(root, 'all.tar');
  const ran = await runCommand(['backup', file], {
    DATABASE_URL: lost.url,
    POSTRIDER_DATA_DIR: lostDir,
    POSTRIDER_SECRET_KEY: TEST_SECRET_KEY,
    POSTRIDER_HOSTNAME: 'mail.lost.test',
    POSTRIDER_RELAY_URL: 'smtp://u:hush@relay.test',
  });
  expect(ran).toMatchObject({ code: 0, err: '' });
  await lost.drop();
  rmSync(lostDir, { recursive: true });
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

beforeEach(async () => {
  place = await createEmptyDatabase();
  dataDir = join(folder('place'), 'data');
});
afterEach(() => place.drop());

const restore = (from = file, more: Record<string, string> = {}) =>
  runCommand(['restore', from], { DATABASE_URL: place.url, POSTRIDER_DATA_DIR: dataDir, ...more });

const tablesHere = () => count(place, `pg_class WHERE relnamespace = 'public'::regnamespace`);

describe('a restored installation', () => {
  let ran: Ran;
  let here: TestDatabase;
  let hereDir: string;
  beforeAll(async () => {
    here = await createEmptyDatabase();
    hereDir = join(folder('here'), 'data');
    ran = await runCommand(['restore', file], {
      DATABASE_URL: here.url,
      POSTRIDER_DATA_DIR: hereDir,
      POSTRIDER_HOSTNAME: 'mail.new.test',
    });
  }, 300_000);
  afterAll(() => here.drop());

  it('has what the lost one had, with its secret key, and is held', async () => {
    expect(ran).toMatchObject({ code: 0, err: '' });
    expect(ran.out).toContain('nothing is sent until you run `npx postrider release`');
    expect(readFileSync(join(hereDir, 'secret-key'), 'utf8')).toBe(`${TEST_SECRET_KEY}\n`);
    expect(statSync(join(hereDir, 'secret-key')).mode & 0o777).toBe(0o600);
    await checkSchema(here.db);
    expect(await count(here, 'emails')).toBe(23);
    expect(
      await count(
        here,
        `holds WHERE scope = 'all' AND lifted_at IS NULL AND ending IS NULL AND with_webhooks`,
      ),
    ).toBe(1);
  });

  it('says in its audit log who restored it', async () => {
    const entry = `audit_log WHERE action = 'installation.restored' AND actor_name = 'ada'`;
    expect(await count(here, entry)).toBe(1);
  });

  it('does not send again what a server had taken, and waits with what nobody has in hand any more', async () => {
    expect(await count(here, `emails WHERE status = 'delivered' AND id = '${accepted}'`)).toBe(1);
    expect(await count(here, 'outbox')).toBe(22);
    expect(await count(here, 'outbox WHERE worker IS NOT NULL')).toBe(0);
    expect(await count(here, 'workers')).toBe(0);
    expect(readdirSync(join(hereDir, 'journal'))).toEqual([]);
  });

  it('gives no epoch again that a journal was written under', async () => {
    expect(await newWorker(here.db)).toBe(2);
  });

  it('goes by the settings of its own machine, and says which differ without showing secrets', () => {
    expect(ran.out).toContain('POSTRIDER_HOSTNAME: mail.lost.test in the backup, mail.new.test here');
    expect(ran.out).toContain('POSTRIDER_RELAY_URL differs');
    expect(ran.out).not.toContain('hush');
    const settings = readFileSync(join(hereDir, 'restored-settings', 'settings.env'), 'utf8');
    expect(settings).toContain('hush');
  });
});

describe('a backup of an earlier schema', () => {
  it('is brought up to date', async () => {
    const older = await createEmptyDatabase();
    await migrate(older.url, { migrations: readMigrations().slice(0, -1) });
    await older.db.exec(adHoc(`INSERT INTO organizations (id, name) VALUES ('org_older', 'Older')`));
    const earlier = join(root, 'earlier.tar');
    await runCommand(['backup', earlier], { DATABASE_URL: older.url, POSTRIDER_SECRET_KEY: TEST_SECRET_KEY });
    await older.drop();
    expect(await restore(earlier)).toMatchObject({ code: 0, err: '' });
    await checkSchema(place.db);
    expect(await count(place, `organizations WHERE name = 'Older'`)).toBe(1);
  }, 300_000);
});

describe('a restore is refused before it has written anything', () => {
  it('where the backup is damaged', async () => {
    const damaged = join(folder('damaged'), 'one.tar');
    const bytes = readFileSync(file);
    const at = bytes.indexOf('tables/emails/000001.gz') + 600;
    bytes[at] = (bytes[at] as number) ^ 1;
    writeFileSync(damaged, bytes);
    expect((await restore(damaged)).err).toContain('damaged');
    expect(await tablesHere()).toBe(0);
    expect(existsSync(dataDir)).toBe(false);
  });

  it('where the backup has a newer schema than the code', async () => {
    const newer = await createTestDatabase();
    await newer.db.exec(adHoc(`INSERT INTO schema_migrations (version, name) VALUES (9999, '9999_later')`));
    const later = join(root, 'later.tar');
    const source = { url: newer.url, dataDir, keys: [], withKeys: false, settings: [] };
    const run = { nowMs: Date.now, say: () => {}, enough: new AbortController().signal };
    await writeBackup({ ...source, version: '9.0.0', knownSchema: 9999 }, later, run);
    await newer.drop();
    const { code, err } = await restore(later);
    expect(code).toBe(1);
    expect(err).toContain(`schema 9999, newer than this version knows (${knownSchema()})`);
    expect(err).toContain('9.0.0');
    expect(await tablesHere()).toBe(0);
  });

  it('where the database has tables already', async () => {
    const used = await createTestDatabase();
    const { code, err } = await restore(file, { DATABASE_URL: used.url });
    await used.drop();
    expect(code).toBe(1);
    expect(err).toContain('not empty');
    expect(existsSync(dataDir)).toBe(false);
  });

  it('where the data folder is somebody’s', async () => {
    dataDir = folder('used');
    writeFileSync(join(dataDir, 'secret-key'), 'k'.repeat(43));
    const { err } = await restore();
    expect(err).toContain('is not empty: it holds secret-key');
    expect(await tablesHere()).toBe(0);
  });

  it('where another secret key is set', async () => {
    const { err } = await restore(file, { POSTRIDER_SECRET_KEY: 'o'.repeat(43) });
    expect(err).toContain('Unset POSTRIDER_SECRET_KEY to use the one in the backup');
    expect(await tablesHere()).toBe(0);
  });
});

describe('a backup without its secret key', () => {
  it('is restored where the key is, and only there', async () => {
    const source = await createTestDatabase();
    const bare = join(folder('bare'), 'one.tar');
    const key = { POSTRIDER_SECRET_KEY: TEST_SECRET_KEY };
    await runCommand(['backup', bare, '--without-secret-key'], { DATABASE_URL: source.url, ...key });
    await source.drop();
    expect((await restore(bare)).err).toContain('made without its secret key');
    expect((await restore(bare, { POSTRIDER_SECRET_KEY: 'o'.repeat(43) })).err).toContain('is not the one');
    expect((await restore(bare, key)).code).toBe(0);
  }, 300_000);
});

describe('a restore that was cut off', () => {
  it('starts nothing, is no backup of anything, and is not taken for a place to restore into', async () => {
    await beginRestore(place.url);
    await expect(checkSchema(place.db)).rejects.toThrow('was not finished');
    await expect(migrate(place.url)).rejects.toThrow('was not finished');
    const env = { DATABASE_URL: place.url, POSTRIDER_SECRET_KEY: TEST_SECRET_KEY };
    const ran = await runCommand(['backup', join(root, 'none.tar'), '--without-secret-key'], env);
    expect(ran.err).toContain('was not finished');
    expect((await restore()).err).toContain('not empty');
  });
});

describe('with the embedded PostgreSQL', () => {
  it('it is made in the empty data folder, and can be backed up again while nothing runs', async () => {
    // Under root PostgreSQL runs as another account, which has to get in.
    for (const one of [root, dirname(dataDir)]) chmodSync(one, 0o755);
    const env = { POSTRIDER_DATA_DIR: dataDir };
    expect(await runCommand(['restore', file], env)).toMatchObject({ code: 0, err: '' });
    const again = join(root, 'again.tar');
    expect(await runCommand(['backup', again], env)).toMatchObject({ code: 0, err: '' });
    const backup = await BackupReader.open(again);
    await backup.close();
    expect(backup.manifest.tables.find(({ name }) => name === 'recipients')?.rows).toBe(23);
    expect((await runCommand(['restore', file], env)).err).toContain('is not empty');
    if (process.getuid?.() !== 0) return;
    // As below /var/lib/private, where systemd keeps what belongs to an account that changes.
    chmodSync(dirname(dataDir), 0o700);
    const { code, err } = await runCommand(['backup', join(root, 'shut.tar')], env);
    expect({ code, lines: err.split('\n').length }).toEqual({ code: 1, lines: 1 });
    expect(err).toContain('Its PostgreSQL cannot be started for this alone');
  }, 300_000);
});
