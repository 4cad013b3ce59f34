/** Packages of the project that a template belongs to. */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Where the package begins, for the code at `path`. Throws what to install where it is missing. */
export function projectPackage(path: string, name: string, install: string): string {
  try {
    return createRequire(join(dirname(path), 'package.json')).resolve(name);
  } catch {
    throw new Error(`needs the package ${name}, which is not there: ${install}`);
  }
}
