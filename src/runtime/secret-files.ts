/**
 * Reads secrets from files instead of the environment, where child processes and crash reports could reveal
 * them. `NAME_FILE` is the path of the file with the value of `NAME`; otherwise a file with the variable's
 * name is read from the service manager's folder (`$CREDENTIALS_DIRECTORY`). A value in the environment takes
 * precedence over the folder.
 */
import { readFileSync, statSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import type { Env } from './config-reader.ts';

export const SECRETS = [
  'DATABASE_URL',
  'DATABASE_READ_URL',
  'DATABASE_DIRECT_URL',
  'POSTRIDER_LISTEN_URL',
  'POSTRIDER_CELLS',
  'POSTRIDER_BOOTSTRAP_API_KEY',
  'POSTRIDER_API_KEY',
  'POSTRIDER_ADMIN_PASSWORD',
  'POSTRIDER_SECRET_KEY',
  'POSTRIDER_MORE_SECRET_KEYS',
  'POSTRIDER_RELAY_URL',
  'POSTRIDER_METRICS_TOKEN',
  'POSTRIDER_TRACES_HEADERS',
  'POSTRIDER_CONTENT_S3_ACCESS_KEY_ID',
  'POSTRIDER_CONTENT_S3_SECRET_ACCESS_KEY',
] as const;

export interface FoundSecrets {
  readonly values: Readonly<Record<string, string>>;
  readonly problems: readonly string[];
  /** Files with too wide read permissions. */
  readonly warnings: readonly string[];
}

/** Container runtimes mount secrets here, readable by every user of the container. */
const RUNTIME_SECRETS = '/run/secrets';
const OTHERS = 0o077;
/** Protects the memory if the path leads to something other than a secret. */
const MAX_BYTES = 64 * 1024;

export function readSecretFiles(env: Env, cwd: string): FoundSecrets {
  const values: Record<string, string> = {};
  const problems: string[] = [];
  const warnings: string[] = [];
  for (const name of SECRETS) {
    const path = pathOf(env, name, cwd);
    if (path === null) continue;
    if (path.isNamed && isGiven(env, name)) {
      problems.push(`${name} and ${name}_FILE are both given: keep one of them.`);
      continue;
    }
    const found = readSecret(path.file);
    if (typeof found === 'string') problems.push(`${path.says} ${path.file}, which ${found}.`);
    else {
      values[name] = found.value;
      if (found.isOpen && !isHandedOver(path.file, env))
        warnings.push(`${path.file} can be read by other accounts of this machine: run chmod 600 on it.`);
    }
  }
  return { values, problems, warnings };
}

function isGiven(env: Env, name: string): boolean {
  return (env[name] ?? '').trim() !== '';
}

function pathOf(env: Env, name: string, cwd: string) {
  if (isGiven(env, `${name}_FILE`)) {
    const file = resolve(cwd, (env[`${name}_FILE`] as string).trim());
    return { file, isNamed: true, says: `${name}_FILE names` };
  }
  const folder = env.CREDENTIALS_DIRECTORY;
  if (folder === undefined || folder === '' || isGiven(env, name)) return null;
  const file = join(folder, name);
  return isThere(file) ? { file, isNamed: false, says: 'CREDENTIALS_DIRECTORY holds' } : null;
}

/** If the check fails, reading the file reports the reason. */
function isThere(file: string): boolean {
  try {
    return statSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true;
  }
}

/** Returns the problem as text to follow the file's name. */
function readSecret(file: string): { readonly value: string; readonly isOpen: boolean } | string {
  try {
    const { mode, size } = statSync(file);
    if (size > MAX_BYTES) return 'is too large to be a secret';
    const value = readFileSync(file, 'utf8').trim();
    return value === '' ? 'is empty' : { value, isOpen: (mode & OTHERS) !== 0 };
  } catch (error) {
    return READ_ERRORS[(error as NodeJS.ErrnoException).code ?? ''] ?? `cannot be read: ${String(error)}`;
  }
}

const READ_ERRORS: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EACCES: 'this account may not read',
  EISDIR: 'is a folder',
};

function isHandedOver(file: string, { CREDENTIALS_DIRECTORY }: Env): boolean {
  return [RUNTIME_SECRETS, CREDENTIALS_DIRECTORY].some(
    (folder) => folder !== undefined && folder !== '' && file.startsWith(folder + sep),
  );
}

export function isSecret(name: string): boolean {
  return SECRETS.some((one) => one === name);
}
