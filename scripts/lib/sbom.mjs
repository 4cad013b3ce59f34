/**
 * The software bill of materials of the package `postrider`, as CycloneDX 1.6: the packages inside it, and PostgreSQL's programs, which
 * npm installs beside it. The same lock file gives the same bytes: there is no time in it, and its serial number is a hash.
 */
import { createHash } from 'node:crypto';
import { bundledPlaces, nameAt, needsOf, postgresqlPlaces } from './bundled-packages.mjs';

export function sbomOf(lock) {
  const { version, license } = lock.packages[''];
  const inside = bundledPlaces(lock);
  const beside = postgresqlPlaces(lock);
  const own = { type: 'application', ...identity('postrider', version), ...licensed(license) };
  const bom = {
    version: 1,
    metadata: { component: own },
    components: onceEach([
      ...inside.map((place) => component(lock.packages, place, 'required')),
      ...beside.map((place) => component(lock.packages, place, 'optional')),
    ]),
    dependencies: onceEach([
      relation(lock.packages, own['bom-ref'], [...inside, ...beside]),
      ...inside.map((place) =>
        relation(lock.packages, refAt(lock.packages, place), needsOf(lock.packages, place)),
      ),
      ...beside.map((place) => relation(lock.packages, refAt(lock.packages, place), [])),
    ]),
  };
  const head = { bomFormat: 'CycloneDX', specVersion: '1.6', serialNumber: serialNumberOf(bom) };
  return `${JSON.stringify({ ...head, ...bom }, null, 2)}\n`;
}

function component(packages, place, scope) {
  const { version, license, integrity } = packages[place];
  return {
    type: 'library',
    ...identity(nameAt(place), version),
    scope,
    ...hashed(integrity),
    ...licensed(license),
  };
}

function identity(name, version) {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  const [group, short] = name.startsWith('@') ? name.split('/') : [undefined, name];
  return { 'bom-ref': purl, ...(group === undefined ? {} : { group }), name: short, version, purl };
}

function refAt(packages, place) {
  return identity(nameAt(place), packages[place].version)['bom-ref'];
}

function relation(packages, ref, needs) {
  const refs = new Set(needs.map((place) => refAt(packages, place)));
  return { ref, dependsOn: [...refs].sort() };
}

/** The lock file has the SHA-512 of each tarball in base64, a bill of materials has it in hex. */
function hashed(integrity) {
  const [, digest] = /^sha512-(\S+)$/.exec(integrity ?? '') ?? [];
  if (digest === undefined) throw new Error('A package has no SHA-512 in the lock file.');
  return { hashes: [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }] };
}

/** One licence is an id of SPDX, a choice between several is an expression. */
function licensed(license) {
  if (license === undefined) throw new Error('A package has no licence in the lock file.');
  return {
    licenses: [/ (?:OR|AND|WITH) /.test(license) ? { expression: license } : { license: { id: license } }],
  };
}

/** The same version of a package may be in several places. */
function onceEach(entries) {
  const byRef = new Map(entries.map((entry) => [entry.ref ?? entry['bom-ref'], entry]));
  return [...byRef.values()];
}

/** A UUID made of a hash, so that another content has another number. */
function serialNumberOf(bom) {
  const hex = createHash('sha256').update(JSON.stringify(bom)).digest('hex');
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `5${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ];
  return `urn:uuid:${parts.join('-')}`;
}
