/**
 * Where master keys are kept: in POSTRIDER_SECRET_KEY and POSTRIDER_MORE_SECRET_KEYS, or in the file `secret-key` of the
 * data folder, one key per line, the oldest first, readable by its owner only. Processes on several machines must have
 * the same ones.
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

/** Whether there is a key already; where there is none, loading makes one. */
export function hasKeys({ secretKey, dataDir }: KeySource): boolean {
  return secretKey !== undefined || existsSync(keyFileOf(dataDir));
}

/** The file that holds them where they are not in the environment. */
export function keyFileOf(dataDir: string): string {
  return join(dataDir, FILE);
}

/** The ids of the keys in a text with one on each line. */
export function keyIdsIn(text: string): string[] {
  return nonEmptyLines(text).map((line) => toKey(line).id);
}

/** The keys as they are kept, for a backup. There must be one. */
export function keyTexts(source: KeySource): readonly { readonly id: string; readonly text: string }[] {
  return textsOf(source).map((text) => ({ id: toKey(text).id, text }));
}

/** Where there is no key yet. All of them are on the disk before anything that was sealed with them is. */
export function putKeysIntoFolder(dataDir: string, texts: readonly string[]): void {
  mkdirSync(dataDir, { recursive: true });
  replaceLines(dataDir, texts);
}

/** A new key that every process with this data folder can read from now on; nobody uses it yet. */
export function addKeyToFolder(dataDir: string): SecretKey {
  const text = newKeyText();
  replaceLines(dataDir, [...linesOf(dataDir), text]);
  return toKey(text);
}

/** False when it is not there. */
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

/** The same object for the same text, so that what was derived from it is derived once. */
function toKey(text: string): SecretKey {
  const known = made.get(text) ?? new SecretKey(Buffer.from(text, 'utf8'));
  made.set(text, known);
  return known;
}

/** Several processes start at once: whoever creates the file first wins, the others read it. */
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

/** All of the old or all of the new, whatever happens meanwhile, and on the disk before anything is sealed with it. */
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
