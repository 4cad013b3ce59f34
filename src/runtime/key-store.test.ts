import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { addKeyToFolder, dropKeyFromFolder, loadKeyRing } from './key-store.ts';

const folders: string[] = [];
const folder = () => {
  const made = mkdtempSync(join(tmpdir(), 'postrider-secret-'));
  folders.push(made);
  return made;
};
afterEach(() => {
  for (const one of folders.splice(0)) rmSync(one, { recursive: true });
});

describe('the secret key', () => {
  it('is created once, readable only by its owner, and found again', () => {
    const dataDir = join(folder(), 'not yet there');
    const first = loadKeyRing({ secretKey: undefined, dataDir }).current.derive('return-path');
    const again = loadKeyRing({ secretKey: undefined, dataDir }).current.derive('return-path');
    expect(again).toEqual(first);
    expect(statSync(join(dataDir, 'secret-key')).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(dataDir, 'secret-key'), 'utf8').trim()).toHaveLength(43);
  });

  it('derives a separate key for every purpose', () => {
    const key = loadKeyRing({ secretKey: 'x'.repeat(40), dataDir: '/nowhere' }).current;
    expect(key.derive('return-path')).not.toEqual(key.derive('tracking'));
    expect(key.derive('tracking')).toHaveLength(32);
  });

  it('refuses a truncated file', () => {
    const dataDir = folder();
    writeFileSync(join(dataDir, 'secret-key'), 'short\n');
    expect(() => loadKeyRing({ secretKey: undefined, dataDir })).toThrow(/damaged/);
  });

  it('is found in its file when a ring meets an unknown id', () => {
    const dataDir = folder();
    const ring = loadKeyRing({ secretKey: undefined, dataDir });
    const [first] = ring.keys;
    const added = addKeyToFolder(dataDir);
    expect(ring.keys).toEqual([first]);
    expect(ring.find(added.id)).toBe(added);
    expect(ring.current).toBe(first);
    expect(statSync(join(dataDir, 'secret-key')).mode & 0o777).toBe(0o600);
    expect(readdirSync(dataDir)).toEqual(['secret-key']);
  });

  it('is removed from its file when it is dropped, and the others stay', () => {
    const dataDir = folder();
    const ring = loadKeyRing({ secretKey: undefined, dataDir });
    const [first] = ring.keys;
    const added = addKeyToFolder(dataDir);
    expect(dropKeyFromFolder(dataDir, first?.id ?? '')).toBe(true);
    expect(dropKeyFromFolder(dataDir, first?.id ?? '')).toBe(false);
    ring.refresh();
    expect(ring.keys).toEqual([added]);
  });

  it('is combined with those of the second variable, without duplicates', () => {
    const [a, b] = ['a'.repeat(32), 'b'.repeat(32)] as const;
    const ring = loadKeyRing({ secretKey: a, moreSecretKeys: [b, a], dataDir: '/nowhere' });
    expect(ring.keys.map(({ id }) => id)).toEqual([...new Set(ring.keys.map(({ id }) => id))]);
    expect(ring.keys).toHaveLength(2);
    expect(ring.current).toBe(ring.keys[0]);
  });
});
