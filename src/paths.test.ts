/** Files that the documents for contributors and the comments of the code name. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FOLDERS = ['bench', 'clients', 'dashboard', 'docs', 'docs-site', 'examples', 'migrations', 'ops'];
const MORE_FOLDERS = ['schema', 'scripts', 'sdk', 'src', 'test', '.ci'];

const files = [...FOLDERS, ...MORE_FOLDERS].flatMap((folder) =>
  readdirSync(`${ROOT}${folder}`, { recursive: true, encoding: 'utf8' })
    .filter((path) => !/(?:^|\/)(?:node_modules|dist)\//.test(path))
    .map((path) => `/${folder}/${path}`),
);
files.push(...readdirSync(ROOT).map((name) => `/${name}`));
const suffixes = new Set(
  files.flatMap((path) => path.split('/').map((_, at, parts) => parts.slice(at).join('/'))),
);

/** A path to a file, perhaps with `*` in it. Text with a placeholder, such as `<noun>` or `NNNN`, is none. */
const PATH = /^[\w.*/-]+\.(?:mjs|sql|tsx?|py|php)$/;
const PLACEHOLDERS = ['migrations/NNNN_name.sql', 'src/**/x.test.ts'];
/** Files of packages, and files that programs make or users have. */
const OUTSIDE = ['index.ts', 'server.mjs'];

function exists(path: string): boolean {
  if (!path.includes('*')) return suffixes.has(path);
  const pattern = new RegExp(`^${path.replaceAll('.', '\\.').replaceAll('*', '[^/]*')}$`);
  return [...suffixes].some((one) => pattern.test(one));
}

function missingIn(paths: Iterable<string>): string[] {
  return [...new Set(paths)].filter(
    (path) => PATH.test(path) && ![...PLACEHOLDERS, ...OUTSIDE].includes(path) && !exists(path),
  );
}

const DOCUMENTS = [
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...readdirSync(`${ROOT}docs/internals`).map((name) => `docs/internals/${name}`),
];

describe('the files that are named', () => {
  it.each(DOCUMENTS)('in %s exist', (document) => {
    const text = readFileSync(`${ROOT}${document}`, 'utf8');
    expect(missingIn([...text.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code))).toEqual([]);
  });

  it('in comments of src exist', () => {
    const missing = files
      .filter((path) => path.startsWith('/src/') && path.endsWith('.ts'))
      .flatMap((path) =>
        missingIn(pathsInComments(readFileSync(`${ROOT}${path}`, 'utf8'))).map((name) => `${path}: ${name}`),
      );
    expect(missing).toEqual([]);
  });
});

function pathsInComments(text: string): string[] {
  const comments = [...text.matchAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm)].map(([comment]) => comment);
  return comments.flatMap(
    (comment) => comment.match(/(?<![\w:/.-])[\w-]+(?:\/[\w-]+)*\.(?:mjs|sql|tsx?)\b/g) ?? [],
  );
}
