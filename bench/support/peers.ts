/** Finding the programs and packages a bench compares with. */
import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { MissingPeer } from './bench.ts';

/** System folders with mail servers that are not on the PATH of an ordinary user. */
const SYSTEM_FOLDERS = ['/usr/sbin', '/sbin', '/usr/local/sbin'];

/** The full path of a program, or MissingPeer: `requireProgram('postfix', 'apt-get install postfix')`. */
export function requireProgram(name: string, install: string): string {
  const folders = [...(process.env.PATH ?? '').split(path.delimiter), ...SYSTEM_FOLDERS];
  for (const folder of folders) {
    const file = path.join(folder, name);
    try {
      accessSync(file, constants.X_OK);
      return file;
    } catch {
      // The program is not in this folder.
    }
  }
  throw new MissingPeer(name, install);
}

/** A package, or MissingPeer: `requirePackage(() => import('nodemailer'), 'nodemailer', 'npm ci')`. */
export async function requirePackage<T>(load: () => Promise<T>, name: string, install: string): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if ((error as { code?: string }).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new MissingPeer(name, install);
  }
}
