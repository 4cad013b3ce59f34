/**
 * The settings of this machine's systemd service, read from its unit as systemd does: `Environment=`,
 * `EnvironmentFile=` and `LoadCredential=`, including drop-ins. For commands that a user types beside the
 * service.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Env } from './config-reader.ts';
import { parseEnvironmentFile } from './environment-file.ts';
import { isSecret } from './secret-files.ts';

export interface FoundSettings {
  readonly values: Env;
  readonly files: readonly string[];
  /** Files that this account cannot read, with the reason. */
  readonly problems: readonly string[];
}

/** In systemd's order of precedence. */
const UNIT_FOLDERS = [
  'etc/systemd/system',
  'run/systemd/system',
  'usr/local/lib/systemd/system',
  'usr/lib/systemd/system',
];
const UNITS = ['postrider.service', 'postrider@.service'];
/** The settings file, used even without a unit. */
const SETTINGS_FILE = 'etc/postrider/postrider.env';

/** Null when there is no such service. `root` is the file system root, for tests. */
export function findServiceSettings(root = '/'): FoundSettings | null {
  const unit = findUnit(root);
  if (unit !== null) return settingsOf(unit, root);
  const file = join(root, SETTINGS_FILE);
  return mayBeThere(file) ? readInto(file, false) : null;
}

/** The unit and its drop-ins; null when there is none. */
function findUnit(root: string): readonly string[] | null {
  for (const name of UNITS) {
    const found = UNIT_FOLDERS.map((folder) => join(root, folder, name)).find((file) => existsSync(file));
    if (found !== undefined) return [found, ...dropInsOf(root, name)];
  }
  return null;
}

/** Sorted by name across all folders; of files with the same name, the first folder's counts. */
function dropInsOf(root: string, name: string): string[] {
  const found = new Map<string, string>();
  for (const folder of UNIT_FOLDERS.map((one) => join(root, one, `${name}.d`)))
    for (const file of namesIn(folder))
      if (file.endsWith('.conf') && !found.has(file)) found.set(file, join(folder, file));
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, file]) => file);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function settingsOf(files: readonly string[], root: string): FoundSettings {
  const directives = files.flatMap((file) => directivesIn(readFileSync(file, 'utf8')));
  const last = (name: string) => sinceReset(directives.filter((one) => one.name === name));
  const environment = Object.fromEntries(last('Environment').flatMap(assignmentsIn));
  const read = last('EnvironmentFile').map((value) => {
    const isOptional = value.startsWith('-');
    return readInto(join(root, expand(value.replace(/^-/, ''))), isOptional);
  });
  const given: Env = Object.assign({}, environment, ...read.map(({ values }) => values));
  return {
    values: { ...credentials(last('LoadCredential'), given, root), ...given },
    files: [...files, ...read.flatMap((one) => one.files)],
    problems: read.flatMap((one) => one.problems),
  };
}

interface Directive {
  readonly name: string;
  readonly value: string;
}

/** The directives in `[Service]`. A line that ends in a backslash continues in the next one. */
function directivesIn(text: string): Directive[] {
  const lines = text.replaceAll(/\\\n/g, ' ').split('\n');
  let section = '';
  return lines.flatMap((line) => {
    const trimmed = line.trim();
    if (trimmed.startsWith('[')) section = trimmed;
    const [, name, value] = /^(\w+)\s*=\s*(.*)$/.exec(trimmed) ?? [];
    return section === '[Service]' && name !== undefined ? [{ name, value: value ?? '' }] : [];
  });
}

/** An empty value discards the values before it. */
function sinceReset(all: readonly Directive[]): string[] {
  const reset = all.findLastIndex(({ value }) => value === '');
  return all.slice(reset + 1).map(({ value }) => value);
}

/** Parses `A=1 "B=two words"`. Values that differ between instances of a template are unknown here. */
function assignmentsIn(value: string): [string, string][] {
  const words = value.match(/"[^"]*"|'[^']*'|\S+/g) ?? [];
  return words
    .map((word) => expand(word.replace(/^(["'])(.*)\1$/, '$2')))
    .filter((word) => word.includes('=') && !/%[iIjJ]/.test(word))
    .map((word) => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)]);
}

function expand(text: string): string {
  const folders: Readonly<Record<string, string>> = {
    S: '/var/lib',
    E: '/etc',
    t: '/run',
    C: '/var/cache',
    L: '/var/log',
    '%': '%',
  };
  return text.replaceAll(/%([SEtCL%])/g, (_all, letter: string) => folders[letter] ?? '');
}

/** The service gets a copy of the file; a command reads the file itself. */
function credentials(all: readonly string[], given: Env, root: string): Env {
  const pairs = all
    .map((value) => value.split(':', 2) as [string, string?])
    .filter(([name, file]) => isSecret(name) && file?.startsWith('/') === true)
    .filter(([name]) => !given[name] && !given[`${name}_FILE`])
    .map(([name, file = '']) => [`${name}_FILE`, join(root, expand(file))]);
  return Object.fromEntries(pairs);
}

function readInto(file: string, isOptional: boolean): FoundSettings {
  try {
    return { values: parseEnvironmentFile(readFileSync(file, 'utf8')), files: [file], problems: [] };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT')
      return {
        values: {},
        files: [],
        problems: isOptional ? [] : [`${file}, which the service needs, does not exist.`],
      };
    return { values: {}, files: [], problems: [unreadable(file, code)] };
  }
}

/** True also when this account may not enter the folder, because the file may exist. */
function mayBeThere(file: string): boolean {
  try {
    readFileSync(file);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EACCES';
  }
}

function unreadable(file: string, code: string | undefined): string {
  return code === 'EACCES'
    ? `${file} has the settings of the service, and this account may not read it: use sudo, or name another installation with POSTRIDER_DATA_DIR or DATABASE_URL.`
    : `${file} cannot be read (${code ?? 'unknown error'}).`;
}
