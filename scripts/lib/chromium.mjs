/** The browser tests drive a Chromium of the system. */
import fs from 'node:fs';
import path from 'node:path';
import { installDebianPackage } from './debian-package.mjs';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

export async function provideChromium(root, say) {
  if (!hasBrowserTests(root) || findChromium() !== null) return;
  if (process.getuid?.() === 0) say('Installing Chromium for the browser tests…');
  await installDebianPackage('chromium');
  if (findChromium() !== null) return;
  say('No Chromium found, so the browser tests are skipped. Debian: apt-get install chromium.');
}

export function findChromium() {
  return PLACES.find((place) => fs.existsSync(place)) ?? null;
}

function hasBrowserTests(root) {
  const directory = path.join(root, 'test', 'browser');
  return fs.existsSync(directory) && fs.readdirSync(directory).some((name) => name.endsWith('.test.ts'));
}
