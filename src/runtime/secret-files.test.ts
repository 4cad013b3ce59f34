import { chmodSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConfigError, loadConfig } from './config.ts';
import { readSecretFiles, SECRETS } from './secret-files.ts';

const KEY = 'k'.repeat(40);

function fileWith(text: string, name = 'secret', mode = 0o600): { folder: string; file: string } {
  const folder = mkdtempSync(join(tmpdir(), 'postrider-secrets-'));
  const file = join(folder, name);
  writeFileSync(file, text);
  chmodSync(file, mode);
  return { folder, file };
}

describe('a secret in a file', () => {
  it.each(SECRETS)('is read from %s_FILE, without the trailing line break', (name) => {
    const { file } = fileWith('a secret\n');
    expect(readSecretFiles({ [`${name}_FILE`]: file }, '/').values).toEqual({ [name]: 'a secret' });
  });

  it('is found relative to the working directory', () => {
    const { folder } = fileWith(KEY, 'key');
    expect(loadConfig({ POSTRIDER_SECRET_KEY_FILE: 'key' }, folder).secretKey).toBe(KEY);
  });

  it('is read from the credentials folder when the environment does not set it', () => {
    const { folder } = fileWith(KEY, 'POSTRIDER_SECRET_KEY');
    const env = { CREDENTIALS_DIRECTORY: folder };
    expect(loadConfig(env, folder).secretKey).toBe(KEY);
    const given = 'g'.repeat(40);
    expect(loadConfig({ ...env, POSTRIDER_SECRET_KEY: given }, folder).secretKey).toBe(given);
  });

  it('is reported when the credentials folder cannot be read', () => {
    const { folder } = fileWith(KEY);
    const loop = join(folder, 'loop');
    symlinkSync(loop, loop);
    expect(() => loadConfig({ CREDENTIALS_DIRECTORY: loop }, folder)).toThrow(ConfigError);
  });

  it('is refused together with the same secret in the environment', () => {
    const { file } = fileWith(KEY);
    const env = { POSTRIDER_SECRET_KEY: KEY, POSTRIDER_SECRET_KEY_FILE: file };
    expect(readSecretFiles(env, '/').problems).toEqual([
      'POSTRIDER_SECRET_KEY and POSTRIDER_SECRET_KEY_FILE are both given: keep one of them.',
    ]);
  });

  it.each([
    ['/nowhere/at-all', /which does not exist/],
    [tmpdir(), /which (is a folder|is too large)/],
    [fileWith(' \n').file, /which is empty/],
    [fileWith('x'.repeat(70_000)).file, /which is too large/],
  ])('that cannot be had is a problem with words: %s', (file, words) => {
    const { problems } = readSecretFiles({ DATABASE_URL_FILE: file }, '/');
    expect(problems).toEqual([expect.stringMatching(words)]);
    expect(problems[0]).toContain('DATABASE_URL_FILE names');
  });

  it('is reported together with all other problems, and never shown', () => {
    const { file, folder } = fileWith('mysql://user:hunter2@host/db');
    const load = () => loadConfig({ DATABASE_URL_FILE: file, POSTRIDER_PORT: 'x' }, folder);
    expect(load).toThrow(ConfigError);
    expect(load).toThrow(
      /DATABASE_URL must be[\s\S]*POSTRIDER_PORT|POSTRIDER_PORT[\s\S]*DATABASE_URL must be/,
    );
    expect(load).not.toThrow(/hunter2/);
  });

  it('causes a warning when others can read it, unless the service manager provided it', () => {
    const { file, folder } = fileWith(KEY, 'POSTRIDER_SECRET_KEY', 0o644);
    expect(loadConfig({ POSTRIDER_SECRET_KEY_FILE: file }, folder).warnings).toEqual([
      expect.stringContaining(`chmod 600`),
    ]);
    expect(loadConfig({ CREDENTIALS_DIRECTORY: folder }, folder).warnings).toEqual([]);
  });
});
