/** A DKIM verifier that is not our own, for the tests of signatures: dkimpy, in Debian's Python. */
import fs from 'node:fs';
import { installDebianPackage } from './debian-package.mjs';

const PLACE = '/usr/lib/python3/dist-packages/dkim';

export async function provideDkimVerifier(say) {
  if (fs.existsSync(PLACE)) return;
  if (process.getuid?.() === 0) say('Installing python3-dkim for the tests of signatures…');
  await installDebianPackage('python3-dkim');
  if (fs.existsSync(PLACE)) return;
  say('No dkimpy found, so its tests are skipped. Debian: apt-get install python3-dkim.');
}
