/** Finds packages of the project that a template belongs to. */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/**
 * The package's entry point, resolved for the code at `path`. If it is missing, the error says what to
 * install.
 */
export function projectPackage(path: string, name: string, install: string): string {
  try {
    return createRequire(join(dirname(path), 'package.json')).resolve(name);
  } catch {
    throw new Error(`needs the package ${name}, which is not there: ${install}`);
  }
}
