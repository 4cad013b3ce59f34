import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BackupReader } from './backup-reader.ts';
import { BackupWriter } from './backup-writer.ts';
import { type BackupManifest, FORMAT } from './manifest.ts';

/** Two and a half parts of a table. */
const ROW = Buffer.from(`${'0123456789abcdef'.repeat(64)}\n`);
const ROWS = 10_000;

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'postrider-backup-'));
  file = join(folder, 'one.tar');
});
afterEach(() => rmSync(folder, { recursive: true }));

async function* rows(count: number): AsyncGenerator<Buffer> {
  for (let i = 0; i < count; i += 100) yield Buffer.concat(Array<Buffer>(100).fill(ROW));
}

const create = () => BackupWriter.create(file, { nowMs: () => 1_763_290_000_000 });

async function write(changes: Partial<BackupManifest> = {}): Promise<void> {
  const writer = await create();
  const key = await writer.addFile('secret-key', Buffer.from('k'.repeat(43)));
  const table = await writer.addTable('emails', rows(ROWS), () => {});
  const empty = await writer.addTable('users', rows(0), () => {});
  await writer.finish({
    format: FORMAT,
    madeAt: '2026-11-16T10:00:00.000Z',
    host: 'here',
    version: '0.1.0',
    postgresql: '18.4',
    schema: 53,
    keyIds: [],
    weeks: [],
    files: [key],
    tables: [
      { name: 'emails', columns: ['id'], rows: ROWS, ...table },
      { name: 'users', columns: ['id'], rows: 0, ...empty },
    ],
    sequences: [],
    ...changes,
  });
}

async function textOf(backup: BackupReader, table: string): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of backup.table(table)) parts.push(part);
  return Buffer.concat(parts);
}

describe('a backup file', () => {
  it('returns what was written, a large table in parts', async () => {
    await write();
    const backup = await BackupReader.open(file);
    expect((await backup.file('secret-key')).toString()).toBe('k'.repeat(43));
    const text = await textOf(backup, 'emails');
    expect(createHash('sha256').update(text).digest('hex')).toBe(backup.manifest.tables[0]?.sha256);
    expect(text.length).toBe(ROWS * ROW.length);
    expect(await textOf(backup, 'users')).toHaveLength(0);
    await backup.close();
  });

  it('can be unpacked with tar and gzip alone', async () => {
    await write();
    const parts = execFileSync('tar', ['-tf', file], { encoding: 'utf8' }).trim().split('\n');
    expect(parts).toEqual([
      'secret-key',
      ...['1', '2', '3'].map((n) => `tables/emails/00000${n}.gz`),
      'manifest.json',
      'manifest.json.sha256',
    ]);
    execFileSync('tar', ['-xf', file, '-C', folder]);
    execFileSync('sha256sum', ['-c', 'manifest.json.sha256'], { cwd: folder });
    expect(gunzipSync(readFileSync(join(folder, 'tables/emails/000003.gz'))).subarray(-ROW.length)).toEqual(
      ROW,
    );
  });

  it('is readable by its owner only', async () => {
    await write();
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('gets its name only when it is complete, and a discarded one leaves no file', async () => {
    const writer = await create();
    await writer.addTable('emails', rows(ROWS), () => {});
    expect(readdirSync(folder)).toEqual([`one.tar.${process.pid}.unfinished`]);
    await writer.discard();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('never overwrites another file', async () => {
    writeFileSync(file, 'an earlier one');
    await expect(create()).rejects.toThrow('exists; choose another name');
    expect(readFileSync(file, 'utf8')).toBe('an earlier one');
  });

  it('is discarded before the disk is so full that mail would be refused', async () => {
    const statfs = async () => ({ bsize: 4096, blocks: 1_000_000, bavail: 10_000 });
    const writer = await BackupWriter.create(file, { nowMs: () => 0, statfs });
    await expect(writer.addFile('secret-key', Buffer.from('k'))).rejects.toThrow('nearly full');
    await writer.discard();
  });
});

describe('a changed file', () => {
  it('is refused wherever a byte differs, and the error names the part', async () => {
    await write();
    const bytes = readFileSync(file);
    for (const name of ['secret-key', 'tables/emails/000002.gz', 'manifest.json']) {
      const changed = Buffer.from(bytes);
      const at = changed.indexOf(`${name}\0`) + 512 + 20;
      changed[at] = (changed[at] as number) ^ 1;
      writeFileSync(file, changed);
      await expect(BackupReader.open(file)).rejects.toThrow(
        /damaged: (secret-key|.*emails.*|manifest\.json) does/,
      );
    }
  });

  it('is refused when its end is missing', async () => {
    await write();
    const { size } = statSync(file);
    for (const kept of [size / 2, size - 1024 - 600, 100]) {
      truncateSync(file, Math.floor(kept));
      await expect(BackupReader.open(file)).rejects.toThrow('The backup file is incomplete');
    }
  });

  it('is refused when it is not a backup', async () => {
    writeFileSync(file, Buffer.alloc(4096, 'x'));
    await expect(BackupReader.open(file)).rejects.toThrow('is not a backup');
  });

  it('is refused when its format is unknown', async () => {
    await write({ format: FORMAT + 1, version: '9.0.0' });
    await expect(BackupReader.open(file)).rejects.toThrow('another version of Postrider (9.0.0)');
  });
});
