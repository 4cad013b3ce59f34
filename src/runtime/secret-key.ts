/**
 * The installation's master key. Everything that is signed or encrypted at rest uses a key derived from it for
 * that one purpose. It comes from POSTRIDER_SECRET_KEY, or is made once and kept in the data folder, readable by
 * its owner only. Processes on several machines must be given the same one.
 */
import { hkdfSync, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export type KeyPurpose =
  | 'return-path'
  | 'dkim-keys'
  | 'tracking'
  | 'webhook-secrets'
  | 'totp-secrets'
  | 'set-up';

const FILE = 'secret-key';
const DERIVED_BYTES = 32;

export class SecretKey {
  readonly #master: Buffer;

  constructor(master: Buffer) {
    this.#master = master;
  }

  derive(purpose: KeyPurpose): Buffer {
    return Buffer.from(hkdfSync('sha256', this.#master, '', `postrider ${purpose}`, DERIVED_BYTES));
  }
}

export function loadSecretKey(config: {
  readonly secretKey: string | undefined;
  readonly dataDir: string;
}): SecretKey {
  return new SecretKey(Buffer.from(config.secretKey ?? keyInFolder(config.dataDir), 'utf8'));
}

/** Several processes start at once: whoever creates the file first wins, the others read it. */
function keyInFolder(dataDir: string): string {
  const file = join(dataDir, FILE);
  mkdirSync(dataDir, { recursive: true });
  try {
    writeFileSync(file, `${randomBytes(32).toString('base64url')}\n`, {
      mode: 0o600,
      flag: 'wx',
      flush: true,
    });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const key = readFileSync(file, 'utf8').trim();
  if (key.length < 32) throw new Error(`${file} is damaged: it must hold at least 32 characters.`);
  return key;
}
