/** Which files of the repository are pages, and which are handed on as they are. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Page, titleOf } from './page.ts';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Pages that are not below docs/, because people look for them elsewhere in a repository. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'ARCHITECTURE.md': 'internals/architecture',
  'CONTRIBUTING.md': 'internals/contributing',
  'CHANGELOG.md': 'changelog',
  'SECURITY.md': 'security',
  'bench/RESULTS.md': 'internals/measurements',
  'sdk/README.md': 'clients/javascript',
  'clients/python/README.md': 'clients/python',
  'clients/php/README.md': 'clients/php',
  'examples/testing/README.md': 'start/testing-examples',
  'ops/patroni/README.md': 'scale/patroni',
  'ops/cells/README.md': 'scale/cells-example',
  'ops/three-hosts/README.md': 'scale/three-hosts',
};
/** The front page of the repository says what that of the site says. */
const SAME: Readonly<Record<string, string>> = { 'README.md': 'docs/README.md' };

export function readPages(): Page[] {
  const below = readdirSync(path.join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => name.split(path.sep).join('/'))
    .map((name) => pageOf(`docs/${name}`, name.replace(/\.md$/, '').replace(/(^|\/)README$/, '$1index')));
  const elsewhere = Object.entries(ELSEWHERE).map(([source, place]) => pageOf(source, place));
  return [...below, ...elsewhere].sort((a, b) => (a.path < b.path ? -1 : 1));
}

function pageOf(source: string, place: string): Page {
  const markdown = readFileSync(path.join(ROOT, source), 'utf8');
  return { path: place, source, title: titleOf(markdown, place), markdown };
}

/** Where a link of `source` leads, as a path in the repository. */
export function targetOf(source: string, link: string): string {
  const target = path.posix.normalize(path.posix.join(path.posix.dirname(source), decodeURI(link)));
  const page = existsSync(path.join(ROOT, target)) && isFolder(target) ? `${target}/README.md` : target;
  const normal = path.posix.normalize(page);
  return SAME[normal] ?? normal;
}

/** A file that pages point to: pictures, and settings for other programs. */
export function isHandedOn(target: string): boolean {
  return (
    /^(docs|ops|bench|examples|compose\.yaml)/.test(target) &&
    existsSync(path.join(ROOT, target)) &&
    !isFolder(target)
  );
}

function isFolder(target: string): boolean {
  return statSync(path.join(ROOT, target)).isDirectory();
}
