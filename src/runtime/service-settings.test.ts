/** Which installation a command uses on a machine with a service and its own folders. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ConfigError, loadCommandConfig, loadConfig } from './config.ts';
import { findServiceSettings } from './service-settings.ts';

const UNIT = 'etc/systemd/system/postrider.service';
const ENV_FILE = 'etc/postrider/postrider.env';

let root: string;
let folder: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'postrider-service-'));
  folder = join(root, 'home/ada');
  mkdirSync(folder, { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function put(file: string, text: string): string {
  const path = join(root, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text, { mode: 0o600 });
  return path;
}

/** Installs the unit with files that exist. */
function install(): void {
  put(UNIT, readFileSync('ops/postrider.service', 'utf8'));
  put(ENV_FILE, 'POSTRIDER_HOSTNAME=mail.service.example\n');
  put('etc/postrider/secret-key', `${'k'.repeat(43)}\n`);
}

const load = (env: Record<string, string> = {}) => loadCommandConfig(env, folder, root);

describe('the unit of the service', () => {
  it('sets the data folder, the settings and the secrets', () => {
    install();
    const found = findServiceSettings(root);
    expect(found?.values).toEqual({
      POSTRIDER_DATA_DIR: '/var/lib/postrider',
      POSTRIDER_HOSTNAME: 'mail.service.example',
      POSTRIDER_SECRET_KEY_FILE: join(root, 'etc/postrider/secret-key'),
    });
    expect(found?.files).toEqual([join(root, UNIT), join(root, ENV_FILE)]);
  });

  it('is changed by drop-ins, which may name other files and reset earlier ones', () => {
    install();
    put('srv/other.env', 'POSTRIDER_HOSTNAME=mail.other.example\n');
    put(
      `${UNIT}.d/10-mine.conf`,
      '[Service]\nEnvironmentFile=\nEnvironmentFile=/srv/other.env\nEnvironment="POSTRIDER_WORKERS=2" POSTRIDER_IPV6=true\n[Install]\nEnvironment=NO=1\n',
    );
    expect(findServiceSettings(root)?.values).toMatchObject({
      POSTRIDER_HOSTNAME: 'mail.other.example',
      POSTRIDER_WORKERS: '2',
      POSTRIDER_IPV6: 'true',
      POSTRIDER_DATA_DIR: '/var/lib/postrider',
    });
  });

  it('names a settings file that is read by the rules of systemd', () => {
    install();
    put(ENV_FILE, 'POSTRIDER_METRICS_TOKEN=abc#def\n');
    expect(findServiceSettings(root)?.values).toMatchObject({ POSTRIDER_METRICS_TOKEN: 'abc#def' });
  });

  it('of separate roles sets what all instances share', () => {
    put('etc/systemd/system/postrider@.service', readFileSync('ops/three-hosts/postrider@.service', 'utf8'));
    put(ENV_FILE, 'POSTRIDER_MODE=sandbox\n');
    expect(findServiceSettings(root)?.values).toEqual({
      POSTRIDER_MODE: 'sandbox',
      POSTRIDER_SECRET_KEY_FILE: join(root, 'etc/postrider/secret-key'),
      DATABASE_URL_FILE: join(root, 'etc/postrider/database-url'),
    });
  });

  it('is not needed when the settings file is in its usual place', () => {
    put(ENV_FILE, 'DATABASE_URL=postgres://db.example/postrider\n');
    expect(load().databaseUrl).toBe('postgres://db.example/postrider');
  });
});

describe('a command beside a service', () => {
  it('uses the installation of the service', () => {
    install();
    expect(load()).toMatchObject({
      dataDir: '/var/lib/postrider',
      hostname: 'mail.service.example',
      secretKey: 'k'.repeat(43),
      settingsFrom: [join(root, UNIT), join(root, ENV_FILE)],
    });
  });

  it('uses the installation named by the environment', () => {
    install();
    expect(load({ POSTRIDER_DATA_DIR: '/srv/mine' })).toMatchObject({
      dataDir: '/srv/mine',
      secretKey: undefined,
      settingsFrom: [],
    });
    expect(load({ DATABASE_URL: 'postgres://db.example/x' }).secretKey).toBeUndefined();
  });

  it('uses the current folder if that has an installation or settings', () => {
    install();
    put('home/ada/data/postgres.json', '{}');
    expect(load().dataDir).toBe(join(folder, 'data'));
    rmSync(join(folder, 'data'), { recursive: true });
    put('home/ada/.env', 'POSTRIDER_HOSTNAME=mail.ada.example\n');
    expect(load()).toMatchObject({ hostname: 'mail.ada.example', dataDir: join(folder, 'data') });
  });

  it('adds its own settings to those of the service', () => {
    install();
    expect(load({ POSTRIDER_LOG_LEVEL: 'debug' })).toMatchObject({
      logLevel: 'debug',
      dataDir: '/var/lib/postrider',
    });
  });

  it("is refused, with the file's name, when a file that the service needs is missing", () => {
    install();
    rmSync(join(root, 'etc/postrider/secret-key'));
    expect(() => load()).toThrow(/^The configuration has a problem: .*secret-key, which does not exist\.$/);
  });

  it('uses the current folder when there is no service', () => {
    expect(load()).toMatchObject({ dataDir: join(folder, 'data'), settingsFrom: [] });
  });
});

describe('a settings file', () => {
  it('is the one named by POSTRIDER_ENV_FILE', () => {
    install();
    put('home/ada/.env', 'POSTRIDER_HOSTNAME=mail.ada.example\n');
    const file = put('srv/test.env', 'POSTRIDER_HOSTNAME=mail.test.example\n');
    for (const config of [
      load({ POSTRIDER_ENV_FILE: file }),
      loadConfig({ POSTRIDER_ENV_FILE: file }, folder),
    ])
      expect(config).toMatchObject({ hostname: 'mail.test.example', settingsFrom: [file] });
  });

  it('is refused in one sentence when it cannot be read', () => {
    mkdirSync(join(folder, '.env'));
    expect(() => loadConfig({}, folder)).toThrow(ConfigError);
    expect(() => loadConfig({}, folder)).toThrow(
      `The configuration has a problem: ${join(folder, '.env')}, which holds settings, cannot be read (EISDIR).`,
    );
    expect(() => loadConfig({ POSTRIDER_ENV_FILE: 'gone.env' }, folder)).toThrow(
      `The configuration has a problem: POSTRIDER_ENV_FILE names ${join(folder, 'gone.env')}, which does not exist.`,
    );
  });
});
