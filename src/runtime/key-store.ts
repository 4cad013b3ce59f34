/**
 * Stores the master keys: in POSTRIDER_SECRET_KEY and POSTRIDER_MORE_SECRET_KEYS, or in the file `secret-key`
 * of the data folder, one key per line, oldest first, readable only by its owner. Processes on several
 * machines need the same keys.
 */
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { KeyRing } from './key-ring.ts';
import { SecretKey } from './secret-key.ts';

export interface KeySource {
  readonly secretKey: string | undefined;
  readonly moreSecretKeys?: readonly string[] | undefined;
  readonly dataDir: string;
}

const FILE = 'secret-key';
const MIN_CHARS = 32;

export function loadKeyRing(source: KeySource): KeyRing {
  const { secretKey, dataDir } = source;
  const reread = () => textsOf(source).map(toKey);
  if (secretKey === undefined) makeFirst(dataDir);
  return new KeyRing(reread(), { reread });
}

/** Whether a key exists. If none does, loading creates one. */
export function hasKeys({ secretKey, dataDir }: KeySource): boolean {
  return secretKey !== undefined || existsSync(keyFileOf(dataDir));
}

/** The key file, used when the environment contains no keys. */
export function keyFileOf(dataDir: string): string {
  return join(dataDir, FILE);
}

/** The ids of the keys in a text with one key per line. */
export function keyIdsIn(text: string): string[] {
  return nonEmptyLines(text).map((line) => toKey(line).id);
}

/** The stored keys, for a backup. At least one must exist. */
export function keyTexts(source: KeySource): readonly { readonly id: string; readonly text: string }[] {
  return textsOf(source).map((text) => ({ id: toKey(text).id, text }));
}

/** For a folder without keys. The keys are synced to disk before anything encrypted with them is written. */
export function putKeysIntoFolder(dataDir: string, texts: readonly string[]): void {
  mkdirSync(dataDir, { recursive: true });
  replaceLines(dataDir, texts);
}

/** Adds a key that every process with this data folder can read; no process uses it yet. */
export function addKeyToFolder(dataDir: string): SecretKey {
  const text = newKeyText();
  replaceLines(dataDir, [...linesOf(dataDir), text]);
  return toKey(text);
}

/** False when the key does not exist. */
export function dropKeyFromFolder(dataDir: string, id: string): boolean {
  const lines = linesOf(dataDir);
  const kept = lines.filter((line) => toKey(line).id !== id);
  if (kept.length === lines.length) return false;
  replaceLines(dataDir, kept);
  return true;
}

function newKeyText(): string {
  return randomBytes(32).toString('base64url');
}

function textsOf({ secretKey, moreSecretKeys = [], dataDir }: KeySource): string[] {
  const first = secretKey === undefined ? linesOf(dataDir) : [secretKey];
  return [...new Set([...first, ...moreSecretKeys])];
}

const made = new Map<string, SecretKey>();

/** Returns the same object for the same text, so that derived keys are computed once. */
function toKey(text: string): SecretKey {
  const known = made.get(text) ?? new SecretKey(Buffer.from(text, 'utf8'));
  made.set(text, known);
  return known;
}

/** Several processes may start at once: the first one creates the file, the others read it. */
function makeFirst(dataDir: string): void {
  mkdirSync(dataDir, { recursive: true });
  try {
    writeFileSync(keyFileOf(dataDir), `${newKeyText()}\n`, { mode: 0o600, flag: 'wx', flush: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

function linesOf(dataDir: string): string[] {
  const file = keyFileOf(dataDir);
  const lines = nonEmptyLines(readFileSync(file, 'utf8'));
  if (lines.length === 0 || lines.some((line) => line.length < MIN_CHARS)) {
    throw new Error(`${file} is damaged: every line must hold at least ${MIN_CHARS} characters.`);
  }
  return lines;
}

function nonEmptyLines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** Replaces the file atomically and syncs it to disk before anything is encrypted with its keys. */
function replaceLines(dataDir: string, lines: readonly string[]): void {
  const file = keyFileOf(dataDir);
  const next = `${file}.${process.pid}.new`;
  writeFileSync(next, `${lines.join('\n')}\n`, { mode: 0o600, flush: true });
  renameSync(next, file);
  const folder = openSync(dataDir, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
