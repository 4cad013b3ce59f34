import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { loadSecretKey } from './secret-key.ts';

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
  it('is made once, for its owner only, and found again', () => {
    const dataDir = join(folder(), 'not yet there');
    const first = loadSecretKey({ secretKey: undefined, dataDir }).derive('return-path');
    const again = loadSecretKey({ secretKey: undefined, dataDir }).derive('return-path');
    expect(again).toEqual(first);
    expect(statSync(join(dataDir, 'secret-key')).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(dataDir, 'secret-key'), 'utf8').trim()).toHaveLength(43);
  });

  it('gives every purpose a key of its own', () => {
    const key = loadSecretKey({ secretKey: 'x'.repeat(40), dataDir: '/nowhere' });
    expect(key.derive('return-path')).not.toEqual(key.derive('tracking'));
    expect(key.derive('tracking')).toHaveLength(32);
  });

  it('refuses a file that was cut short', () => {
    const dataDir = folder();
    writeFileSync(join(dataDir, 'secret-key'), 'short\n');
    expect(() => loadSecretKey({ secretKey: undefined, dataDir })).toThrow(/damaged/);
  });
});
