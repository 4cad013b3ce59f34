/** A file for new secrets. Each is shown only once, so it is synced to disk before the run continues. */
import { type FileHandle, open } from 'node:fs/promises';
import { CliError } from '../command.ts';

interface NewSecret {
  readonly organization: string;
  readonly kind: string;
  readonly name: string;
  readonly secret: string;
}

/** One line of JSON per secret, in a file readable only by its owner. */
export class SecretsFile {
  readonly #file: FileHandle;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  /** Opened before any change, because a secret that cannot be written would be lost. */
  static async open(path: string): Promise<SecretsFile> {
    const file = await open(path, 'a', 0o600).catch((error: Error) => {
      throw new CliError(`--secrets cannot be written: ${error.message}. Nothing was changed.`);
    });
    const { mode } = await file.stat();
    if ((mode & 0o077) === 0) return new SecretsFile(file);
    await file.close();
    throw new CliError(`Others may read ${path}: run chmod 600 on it first. Nothing was changed.`);
  }

  /** False when the write failed; the caller then shows the secret. */
  async write(one: NewSecret): Promise<boolean> {
    try {
      await this.#file.appendFile(`${JSON.stringify(one)}\n`);
      await this.#file.sync();
      return true;
    } catch {
      return false;
    }
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}
