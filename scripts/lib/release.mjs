/**
 * A release: the version in every manifest, what was unreleased in the changelog under its number, both packages, and only
 * then a commit and a tag. What fails before that leaves the tree as it was.
 */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { Problem } from './prepare.mjs';

const MANIFESTS = ['package.json', 'sdk/package.json', 'dashboard/package.json', 'docs-site/package.json'];
/** Of the other clients: a line with it in each. */
const CLIENTS = [
  'clients/python/pyproject.toml',
  'clients/python/postrider/_settings.py',
  'clients/php/composer.json',
  'clients/php/src/Postrider.php',
];
const LOCK = 'package-lock.json';
const CHANGELOG = 'CHANGELOG.md';
const UNRELEASED = '## [Unreleased]\n';
const CHANGED = [...MANIFESTS, ...CLIENTS, LOCK, CHANGELOG];
const VERSION = /^(\d+)\.(\d+)\.(\d+)$/;

/** `makeTarballs` resolves with what it returns; `today` is the date of the section, YYYY-MM-DD. */
export async function release(root, version, { today, makeTarballs }) {
  const tag = `v${version}`;
  check(root, version, tag);
  try {
    setVersions(root, version);
    edit(root, CHANGELOG, (text) => withSection(text, version, today));
    const tarballs = await makeTarballs();
    git(root, 'commit', '--quiet', '--message', `Release ${version}`, '--', ...CHANGED);
    git(root, 'tag', '--annotate', '--message', `Postrider ${version}`, tag);
    return { tag, tarballs };
  } catch (error) {
    git(root, 'checkout', '--quiet', 'HEAD', '--', ...CHANGED);
    throw error;
  }
}

function check(root, version, tag) {
  if (!VERSION.test(version ?? '')) throw new Problem('Name the version: npm run release -- 0.2.0');
  const { version: current } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'));
  if (!isNewer(version, current)) throw new Problem(`${version} is not newer than ${current}.`);
  if (git(root, 'status', '--porcelain') !== '')
    throw new Problem('The working tree has changes: commit them first, or put them aside.');
  if (git(root, 'tag', '--list', tag) !== '') throw new Problem(`The tag ${tag} exists already.`);
}

function isNewer(version, current) {
  const [a, b] = [version, current].map((one) => VERSION.exec(one).slice(1).map(Number));
  const place = a.findIndex((part, i) => part !== b[i]);
  return place !== -1 && a[place] > b[place];
}

/** The lock file repeats the version of each of our packages. */
function setVersions(root, version) {
  for (const file of MANIFESTS) editJson(root, file, (manifest) => Object.assign(manifest, { version }));
  for (const file of CLIENTS)
    edit(root, file, (text) => text.replace(/^(.*\bversion\b"?(?: =|:) ["'])[^"']*/im, `$1${version}`));
  editJson(root, LOCK, (lock) => {
    lock.version = version;
    for (const file of MANIFESTS) {
      const folder = path.dirname(file);
      lock.packages[folder === '.' ? '' : folder].version = version;
    }
  });
}

/** What was collected gets a heading of its own, below an empty one for what comes next. */
export function withSection(changelog, version, today) {
  const [before, rest] = changelog.split(UNRELEASED);
  if (rest === undefined) throw new Problem(`${CHANGELOG} has no section ${UNRELEASED.trim()}.`);
  if (/^\s*(## |$)/.test(rest)) throw new Problem(`Nothing is listed under Unreleased in ${CHANGELOG}.`);
  return `${before}${UNRELEASED}\n## [${version}] - ${today}\n${rest}`;
}

function editJson(root, file, change) {
  edit(root, file, (text) => {
    const value = JSON.parse(text);
    change(value);
    return `${JSON.stringify(value, null, 2)}\n`;
  });
}

function edit(root, file, change) {
  const full = path.join(root, file);
  fs.writeFileSync(full, change(fs.readFileSync(full, 'utf8')));
}

function git(root, ...args) {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
}
