/** The browser tests drive a Chromium of the system. It is installed here where that is possible and usual. */
import fs from 'node:fs';
import path from 'node:path';
import { run } from './prepare.mjs';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

export async function provideChromium(root, say) {
  if (!hasBrowserTests(root) || PLACES.some((place) => fs.existsSync(place))) return;
  if (process.getuid?.() === 0 && fs.existsSync('/usr/bin/apt-get')) {
    say('Installing Chromium for the browser tests…');
    const options = {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    };
    const quiet = ['-qq', '-o', 'Dpkg::Use-Pty=0'];
    if ((await run('apt-get', ['update', ...quiet], options)) === 0) {
      await run('apt-get', ['install', '-y', '--no-install-recommends', ...quiet, 'chromium'], options);
    }
    if (PLACES.some((place) => fs.existsSync(place))) return;
  }
  say('No Chromium found, so the browser tests are skipped. Debian: apt-get install chromium.');
}

function hasBrowserTests(root) {
  const directory = path.join(root, 'test', 'browser');
  return fs.existsSync(directory) && fs.readdirSync(directory).some((name) => name.endsWith('.test.ts'));
}
