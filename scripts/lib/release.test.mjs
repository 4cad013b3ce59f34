import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { release, withSection } from './release.mjs';

const CHANGELOG =
  '# Changelog\n\n## [Unreleased]\n\n### Added\n\n- A bell.\n\n## [0.1.0] - 2026-11-16\n\nThe first.\n';

const CLIENTS = [
  'clients/python/pyproject.toml',
  'clients/python/postrider/_settings.py',
  'clients/php/composer.json',
  'clients/php/src/Postrider.php',
];

let root;
beforeEach(() => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), 'postrider-release-'));
  for (const folder of ['.', 'sdk', 'dashboard', 'docs-site'])
    write(`${folder}/package.json`, { version: '0.1.0', name: folder });
  const packages = Object.fromEntries(
    ['', 'sdk', 'dashboard', 'docs-site', 'node_modules/a'].map((name) => [name, { version: '0.1.0' }]),
  );
  write('package-lock.json', { version: '0.1.0', packages });
  fs.writeFileSync(path.join(root, 'CHANGELOG.md'), CHANGELOG);
  for (const file of CLIENTS) {
    fs.mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    fs.copyFileSync(file, path.join(root, file));
  }
  git('init', '--quiet');
  git('config', 'user.name', 'Ada');
  git('config', 'user.email', 'ada@example.org');
  git('add', '.');
  git('commit', '--quiet', '--message', 'Begin');
});
afterEach(() => fs.rmSync(root, { recursive: true, force: true }));

function write(file, value) {
  fs.mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
  fs.writeFileSync(path.join(root, file), `${JSON.stringify(value, null, 2)}\n`);
}
const read = (file) => fs.readFileSync(path.join(root, file), 'utf8');
const versionOf = (file) => JSON.parse(read(file)).version;
const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: 'pipe' }).trim();
const releaseAs = (version, makeTarballs = async () => ['a.tgz']) =>
  release(root, version, { today: '2026-12-01', makeTarballs });

it('a release has its version everywhere, its section in the changelog, a commit and a tag', async () => {
  expect(await releaseAs('0.2.0')).toEqual({ tag: 'v0.2.0', tarballs: ['a.tgz'] });
  const files = ['.', 'sdk', 'dashboard', 'docs-site'].map((folder) => `${folder}/package.json`);
  files.push('package-lock.json');
  expect(files.map(versionOf)).toEqual(files.map(() => '0.2.0'));
  const { packages } = JSON.parse(read('package-lock.json'));
  expect(Object.values(packages).map(({ version }) => version)).toEqual([
    '0.2.0',
    '0.2.0',
    '0.2.0',
    '0.2.0',
    '0.1.0',
  ]);
  for (const file of CLIENTS) {
    const before = fs.readFileSync(file, 'utf8').replace(/(version\W+)0\.1\.0/i, '$10.2.0');
    expect(read(file)).toBe(before);
  }
  expect(read('CHANGELOG.md')).toContain(
    '## [Unreleased]\n\n## [0.2.0] - 2026-12-01\n\n### Added\n\n- A bell.\n',
  );
  expect(git('status', '--porcelain')).toBe('');
  expect(git('log', '-1', '--format=%s')).toBe('Release 0.2.0');
  expect(git('describe', '--exact-match')).toBe('v0.2.0');
});

it('a release is packed as it is committed', async () => {
  let packed;
  await releaseAs('0.2.0', async () => {
    packed = versionOf('sdk/package.json');
  });
  expect(packed).toBe('0.2.0');
});

it('a release leaves nothing behind when it cannot be packed', async () => {
  const broken = () => Promise.reject(new Error('disk full'));
  await expect(releaseAs('0.2.0', broken)).rejects.toThrow('disk full');
  expect(git('status', '--porcelain')).toBe('');
  expect(git('log', '-1', '--format=%s')).toBe('Begin');
  expect(git('tag', '--list')).toBe('');
});

it.each([
  ['0.1.0', 'is not newer than'],
  ['0.0.9', 'is not newer than'],
  ['next', 'npm run release -- 0.2.0'],
  [undefined, 'npm run release -- 0.2.0'],
])('a release of %s is refused', async (version, because) => {
  await expect(releaseAs(version)).rejects.toThrow(because);
});

it('a release is refused while the tree has changes, and where its tag exists', async () => {
  fs.writeFileSync(path.join(root, 'new.txt'), '');
  await expect(releaseAs('0.2.0')).rejects.toThrow('has changes');
  fs.rmSync(path.join(root, 'new.txt'));
  git('tag', 'v0.2.0');
  await expect(releaseAs('0.2.0')).rejects.toThrow('exists already');
});

it('a release is refused when nothing is listed for it', () => {
  expect(() => withSection('## [Unreleased]\n\n## [0.1.0]\n', '0.2.0', '2026-12-01')).toThrow(
    'Nothing is listed',
  );
  expect(() => withSection('# Changelog\n', '0.2.0', '2026-12-01')).toThrow('no section');
});
