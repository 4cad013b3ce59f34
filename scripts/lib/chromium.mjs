/** The browser tests drive a Chromium of the system. */
import fs from 'node:fs';
import path from 'node:path';
import { installDebianPackage } from './debian-package.mjs';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

export async function provideChromium(root, say) {
  if (!hasBrowserTests(root) || isThere()) return;
  if (process.getuid?.() === 0) say('Installing Chromium for the browser tests…');
  await installDebianPackage('chromium');
  if (isThere()) return;
  say('No Chromium found, so the browser tests are skipped. Debian: apt-get install chromium.');
}

function isThere() {
  return PLACES.some((place) => fs.existsSync(place));
}

function hasBrowserTests(root) {
  const directory = path.join(root, 'test', 'browser');
  return fs.existsSync(directory) && fs.readdirSync(directory).some((name) => name.endsWith('.test.ts'));
}
