/** Packages that one test needs and nothing else: installed from npm's registry into a folder of their own. */
import { execFile } from 'node:child_process';
import { cp } from 'node:fs/promises';
import { promisify } from 'node:util';

/** Errors of npm that say nothing about the packages: the registry cannot be reached from here. */
const UNREACHABLE =
  /\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|ERR_SOCKET_TIMEOUT|ENOTCACHED|E50[234])\b/;

/**
 * Copies the package.json and the lock file of `from` to `folder`, and installs what they name. False without a registry: the caller
 * skips its tests. Every other failure is an error, because a wrong lock file must not skip tests.
 */
export async function installFromNpm(from: string, folder: string): Promise<boolean> {
  await cp(from, folder, { recursive: true });
  const argv = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];
  try {
    await promisify(execFile)('npm', argv, { cwd: folder, timeout: 300_000 });
    return true;
  } catch (error) {
    const { stderr = '', killed = false } = error as { stderr?: string; killed?: boolean };
    if (killed || UNREACHABLE.test(stderr)) return false;
    throw error;
  }
}
