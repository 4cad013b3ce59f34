/** Whatever a page of the documentation points to is there. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { pages } from './pages.ts';

/** As GitHub makes them out of headings. */
function anchorsOf(text: string): Set<string> {
  const headings = text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/^#+ (.+)$/gm);
  return new Set(
    [...headings].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

function targetsOf(text: string): string[] {
  const prose = text.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]*`/g, '');
  return [
    ...[...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target),
    ...[...prose.matchAll(/(?:src|srcset)="([^"]+)"/g)].map(([, target = '']) => target),
  ].filter((target) => !/^[a-z]+:/.test(target));
}

function isThere(page: string, target: string): boolean {
  const [file = '', anchor] = target.split('#');
  const found = file === '' ? page : path.join(path.dirname(page), file);
  if (!existsSync(found)) return false;
  return anchor === undefined || anchorsOf(readFileSync(found, 'utf8')).has(anchor);
}

it('every link leads to a file and a heading that are there', () => {
  const targets = pages().flatMap(({ name, text }) => targetsOf(text).map((target) => ({ name, target })));
  expect(targets.filter(({ name, target }) => !isThere(name, target))).toEqual([]);
  expect(targets.length).toBeGreaterThan(100);
});

it('no picture is kept that no page shows', () => {
  const shown = pages().flatMap(({ text }) => targetsOf(text).map((target) => path.basename(target)));
  expect(readdirSync('docs/screenshots').filter((picture) => !shown.includes(picture))).toEqual([]);
});

/** Made up, to show where something goes. */
const MADE_UP = new Set(['migrations/NNNN_name.sql']);

it('every file that the internals name is there', () => {
  const files = [
    'src',
    'test',
    'scripts',
    'sdk/src',
    'clients',
    'dashboard/src',
    'docs-site',
    'bench',
    'schema',
  ].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => `/${folder}/${name}`),
  );
  const named = pages()
    .filter(({ name }) => /^(ARCHITECTURE|CONTRIBUTING)|^docs\/internals\//.test(name))
    .flatMap(({ name, text }) =>
      [...text.matchAll(/`([\w./-]+\.(?:tsx?|mjs|sql))`/g)].map(([, file = '']) => ({ name, file })),
    );
  const isMissing = (file: string) => !MADE_UP.has(file) && !files.some((one) => one.endsWith(`/${file}`));
  expect(named.filter(({ file }) => isMissing(file))).toEqual([]);
  expect(named.length).toBeGreaterThan(200);
});

it('the overview of the architecture stays an overview', () => {
  expect(readFileSync('ARCHITECTURE.md', 'utf8').split('\n').length).toBeLessThanOrEqual(200);
});
