/** `npx postrider backup`, while mail flows; and what it holds, loaded into an empty database. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { knownSchema, migrate, readMigrations } from '../../src/database/migrate.ts';
import { adHoc } from '../../src/database/sql.ts';
import { BackupReader } from '../../src/operations/backup/backup-reader.ts';
import { beginRestore, finishRestore, loadBackup } from '../../src/operations/backup/load-backup.ts';
import { type BackupManifest, sha256 } from '../../src/operations/backup/manifest.ts';
import { type BackupRun, writeBackup } from '../../src/operations/backup/write-backup.ts';
import { startApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { runCommand } from '../support/command-line.ts';
import { countsDiffer } from '../support/counts.ts';
import { createEmptyDatabase, type TestDatabase } from '../support/database.ts';
import { letter } from '../support/emails.ts';
import { startMailWorker, type TestWorker } from '../support/mail-worker.ts';
import { TEST_SECRET_KEY } from '../support/secret-key.ts';
import { until } from '../support/until.ts';

const RUN: BackupRun = { nowMs: Date.now, say: () => {}, enough: new AbortController().signal };

let folder: string;
let dataDir: string;
let server: TestApi;
let org: TestOrganization;
let worker: TestWorker;
const places: TestDatabase[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'postrider-backups-'));
  dataDir = mkdtempSync(join(tmpdir(), 'postrider-backed-up-'));
  server = await startApi();
  org = await server.createOrganization();
  worker = await startMailWorker(server.database, { POSTRIDER_DATA_DIR: dataDir });
});
afterAll(async () => {
  await worker.stop();
  await server.stop();
  for (const one of [folder, dataDir]) rmSync(one, { recursive: true, force: true });
});
afterEach(async () => {
  for (const place of places.splice(0)) await place.drop();
});

const env = (more: Record<string, string> = {}) => ({
  DATABASE_URL: server.database.url,
  POSTRIDER_DATA_DIR: dataDir,
  POSTRIDER_SECRET_KEY: TEST_SECRET_KEY,
  ...more,
});

const source = (url: string) => ({
  url,
  dataDir,
  keys: [],
  withKeys: false,
  settings: [],
  version: '0.1.0',
  knownSchema: knownSchema(),
});

/** Requests, one after the other, until it is told to stop; resolves with how many were accepted. */
function keepSending(): () => Promise<number> {
  let isOver = false;
  const batch = { to: Array.from({ length: 5 }, (_, i) => ({ email: `r${i}@example.org` })) };
  const sent = (async () => {
    let count = 0;
    for (; !isOver; count += 1) {
      const answer = await server.api('POST', '/emails/send', letter(org, batch), org.key);
      expect(answer.status).toBe(201);
    }
    return count;
  })();
  return () => {
    isOver = true;
    return sent;
  };
}

async function load(file: string): Promise<TestDatabase> {
  const backup = await BackupReader.open(file);
  const place = await createEmptyDatabase();
  places.push(place);
  await beginRestore(place.url);
  await loadBackup(place.url, backup, RUN);
  await finishRestore(place.db);
  await backup.close();
  return place;
}

/** Of each table how many rows there are, and the hash of all of them in a fixed order: PostgreSQL has none of its own. */
async function contentsOf(file: string): Promise<Record<string, string>> {
  const backup = await BackupReader.open(file);
  const found: Record<string, string> = {};
  for (const { name, rows, columns } of backup.manifest.tables) {
    const parts: Buffer[] = [];
    for await (const part of backup.table(name)) parts.push(part);
    const lines = Buffer.concat(parts).toString('utf8').split('\n').toSorted();
    found[name] = `${rows} ${columns} ${sha256(Buffer.from(lines.join('\n')))}`;
  }
  await backup.close();
  return found;
}

async function manifestIn(file: string): Promise<BackupManifest> {
  const backup = await BackupReader.open(file);
  await backup.close();
  return backup.manifest;
}

const count = async (one: TestDatabase, from: string) =>
  (await one.db.one(adHoc<{ n: number }>(`SELECT count(*) AS n FROM ${from}`))).n;

describe('a backup that is made while mail is accepted and delivered', () => {
  it('has every row and every byte of one moment', async () => {
    const stop = keepSending();
    await until(
      () => count(server.database, `recipients WHERE state = 'delivered'`),
      (n) => n >= 25,
    );
    const file = join(folder, 'load.tar');
    const ran = await runCommand(['backup', file], env());
    const sent = await stop();
    expect(ran).toMatchObject({ code: 0, err: '' });
    expect(ran.out).toMatch(/ {2}emails: \d+ rows, /);
    expect(ran.out).toContain('The backup holds the secret key.');

    const restored = await load(file);
    // Of one moment: what was accepted or settled by then is there with all that belongs to it.
    expect(await count(restored, 'emails')).toBeLessThan(sent);
    expect(await countsDiffer(restored.db)).toEqual([]);
    const halves = `recipients r FULL JOIN outbox o ON o.email_id = r.email_id AND o.position = r.position
      WHERE (o.email_id IS NULL) <> (r.state = 'delivered')`;
    expect(await count(restored, halves)).toBe(0);
    const orphans = `emails e LEFT JOIN email_contents c ON c.organization_id = e.organization_id AND c.email_id = e.id
      WHERE c.email_id IS NULL`;
    expect(await count(restored, orphans)).toBe(0);

    const again = join(folder, 'again.tar');
    const { manifest } = await writeBackup(source(restored.url), again, RUN);
    const before = await contentsOf(file);
    expect(await contentsOf(again)).toEqual(before);
    expect(manifest.sequences).toEqual((await manifestIn(file)).sequences);
    expect(manifest.tables.length).toBeGreaterThan(40);
  }, 180_000);

  it('is listed by `backup check`', async () => {
    const file = join(folder, 'listed.tar');
    await runCommand(['backup', file], env());
    const { code, out } = await runCommand(['backup', 'check', file], {});
    expect(code).toBe(0);
    expect(out).toMatch(
      // A slow machine says first how far it is.
      /^(?:Checking .*\n)*The backup is whole and undamaged\.\nMade at \d{4}-.* by version \S+ with PostgreSQL 18/,
    );
    writeFileSync(file, 'no');
    expect(await runCommand(['backup', 'check', file], {})).toMatchObject({ code: 1, out: '' });
  });
});

describe('what cannot be backed up', () => {
  it('is said, and leaves no file: a stop in the middle', async () => {
    const stopped = AbortSignal.abort();
    const file = join(folder, 'stopped.tar');
    const run = writeBackup(source(server.database.url), file, { ...RUN, enough: stopped });
    await expect(run).rejects.toThrow('No backup was written');
    expect(readdirSync(folder).filter((name) => name.startsWith('stopped'))).toEqual([]);
  });

  it('is said, and leaves no file: a database that is newer than the code', async () => {
    const file = join(folder, 'newer.tar');
    const run = writeBackup({ ...source(server.database.url), knownSchema: 1 }, file, RUN);
    await expect(run).rejects.toThrow('newer than this version supports (1)');
    expect(readdirSync(folder).filter((name) => name.startsWith('newer'))).toEqual([]);
  });

  it('is said: another secret key than the database is sealed with', async () => {
    const { code, err } = await runCommand(
      ['backup', join(folder, 'key.tar')],
      env({ POSTRIDER_SECRET_KEY: 'o'.repeat(43) }),
    );
    expect(code).toBe(1);
    expect(err).toContain('whose secret key has the fingerprint');
  });

  it('is said: no secret key at all, unless it is to be left out', async () => {
    const { POSTRIDER_SECRET_KEY: _key, ...none } = env();
    const target = join(folder, 'no-key.tar');
    const refused = await runCommand(['backup', target], none);
    expect(refused.err).toContain('--without-secret-key');
    expect((await runCommand(['backup', target, '--without-secret-key'], none)).code).toBe(0);
  });
});

describe('the secrets of a backup', () => {
  const settingsIn = async (file: string) => {
    const backup = await BackupReader.open(file);
    const text = (await backup.file('settings/settings.env')).toString();
    await backup.close();
    return { text, names: backup.manifest.files.map(({ name }) => name) };
  };
  const relay = { POSTRIDER_RELAY_URL: 'smtp://u:hush@relay.test', POSTRIDER_WORKERS: '3' };

  it('are the key and what the settings hold', async () => {
    const file = join(folder, 'secrets.tar');
    await runCommand(['backup', file], env(relay));
    const { text, names } = await settingsIn(file);
    expect(names).toEqual(expect.arrayContaining(['settings/settings.env', 'secret-key']));
    expect(text).toContain(`POSTRIDER_RELAY_URL='smtp://u:hush@relay.test'\nPOSTRIDER_WORKERS='3'\n`);
    expect(text).not.toContain(TEST_SECRET_KEY);
  });

  it('are all left out with --without-secret-key, which goes into a folder under the time', async () => {
    const target = mkdtempSync(join(folder, 'daily-'));
    const ran = await runCommand(['backup', target, '--without-secret-key', '--json'], env(relay));
    const { file } = JSON.parse(ran.out);
    expect(file).toMatch(/\/postrider-\d{4}-\d\d-\d\dT\d{6}Z\.tar$/);
    const { text, names } = await settingsIn(file);
    expect(names).not.toContain('secret-key');
    expect(text).toContain(`POSTRIDER_WORKERS='3'`);
    expect(text).not.toContain('hush');
  });
});

describe('a backup of an earlier schema', () => {
  it('is loaded as it was, before anything is migrated', async () => {
    const older = await createEmptyDatabase();
    try {
      await migrate(older.url, { migrations: readMigrations().slice(0, -1) });
      await older.db.exec(adHoc(`INSERT INTO organizations (id, name) VALUES ('org_older', 'Older')`));
      const file = join(folder, 'older.tar');
      const { manifest } = await writeBackup(source(older.url), file, RUN);
      expect(manifest.schema).toBe(knownSchema() - 1);
      const restored = await load(file);
      expect(await count(restored, 'schema_migrations')).toBe(knownSchema() - 1);
      expect(await count(restored, `organizations WHERE name = 'Older'`)).toBe(1);
    } finally {
      await older.drop();
    }
  });
});
