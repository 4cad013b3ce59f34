/** The licences of the packages that are inside the programs, the dashboard and the documentation: they must be named when the programs are passed on. */
import fs from 'node:fs';
import path from 'node:path';
import { bundledPlaces, nameAt } from './bundled-packages.mjs';

const LICENCE_FILE = /^(licen[cs]e|copying|notice)/i;

export function thirdPartyLicences(root, lock) {
  const sections = bundledPlaces(lock).map((place) => sectionOf(root, place, lock.packages[place]));
  return ['Postrider holds these packages, each under its own licence.', ...sections].join(
    `\n\n${'-'.repeat(80)}\n\n`,
  );
}

function sectionOf(root, place, { version, license }) {
  const folder = path.join(root, place);
  const texts = fs
    .readdirSync(folder)
    .filter((file) => LICENCE_FILE.test(file))
    .map((file) => fs.readFileSync(path.join(folder, file), 'utf8').trim());
  return [`${nameAt(place)} ${version} (${license})`, ...texts].join('\n\n');
}
