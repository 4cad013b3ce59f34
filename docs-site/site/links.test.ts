import { expect, it } from 'vitest';
import { Links } from './links.ts';
import type { Page, SiteOptions } from './page.ts';

const page = (path: string, source: string, markdown = ''): Page => ({ path, source, title: path, markdown });
const FIRST = page('index', 'docs/README.md');
const ERRORS = page(
  'reference/errors',
  'docs/reference/errors.md',
  '[list](README.md) `[no](x.md)`\n\n```\n[no](README.md)\n```\n',
);
const API = page('reference/index', 'docs/reference/README.md');
const SDK = page('clients/javascript', 'sdk/README.md');
const PAGES = [FIRST, ERRORS, API, SDK];

const links = (options: SiteOptions = { base: '/docs/', links: 'clean' }) => new Links(PAGES, options);

it.each([
  [FIRST, 'reference/errors.md#rate-limit', 'reference/errors#rate-limit'],
  [FIRST, 'reference/README.md', 'reference/'],
  [FIRST, 'reference/', 'reference/'],
  [ERRORS, 'README.md', './'],
  [ERRORS, '../README.md', '../'],
  [ERRORS, '../../README.md', '../'],
  [ERRORS, '../../sdk/README.md', '../clients/javascript'],
  [SDK, '../docs/reference/errors.md', '../reference/errors'],
  [API, '#in-short', '#in-short'],
  [API, 'https://example.org/', 'https://example.org/'],
  [API, '../../ops/nginx.conf', '../files/ops/nginx.conf.txt'],
  [API, '../flow.svg', '../files/docs/flow.svg'],
])('from %o by %s it is %s', (from, link, expected) => {
  expect(links().of(from, link)).toBe(expected);
});

it('names files where the web server has to find them by itself', () => {
  const plain = links({ base: '/', links: 'html' });
  expect(plain.of(ERRORS, 'README.md')).toBe('index.html');
  expect(plain.of(FIRST, 'reference/errors.md')).toBe('reference/errors.html');
});

it('tells of links that lead nowhere', () => {
  const all = links();
  expect([
    all.of(API, 'gone.md'),
    all.of(API, '../../src/processes/api.ts'),
    all.of(API, '../../../etc/passwd'),
  ]).toEqual([null, null, null]);
  expect(all.dead).toHaveLength(3);
});

it('leads from Markdown to Markdown, and leaves code alone', () => {
  expect(links().inMarkdown(ERRORS)).toBe(
    '[list](/docs/reference/index.md) `[no](x.md)`\n\n```\n[no](README.md)\n```\n',
  );
});
