/** Programs of the system that tests need. They are installed where that is possible and usual: as root on Debian. */
import fs from 'node:fs';
import { run } from './prepare.mjs';

const QUIET = ['-qq', '-o', 'Dpkg::Use-Pty=0', '-o', 'Acquire::Retries=0', '-o', 'Acquire::http::Timeout=20'];

/** Does its best; whether the package is there afterwards is for the caller to see. */
export async function installDebianPackage(name) {
  if (process.getuid?.() !== 0 || !fs.existsSync('/usr/bin/apt-get')) return;
  const options = {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  };
  if ((await run('apt-get', ['update', ...QUIET], options)) !== 0) return;
  await run('apt-get', ['install', '-y', '--no-install-recommends', ...QUIET, name], options);
}
