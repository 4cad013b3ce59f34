/** Makes the site: pages, their Markdown, what they point to, the search index, `llms.txt`. */
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeAssets } from './assets.ts';
import { layOut } from './layout.ts';
import { Links } from './links.ts';
import { llmsText } from './llms.ts';
import { renderMarkdown } from './markdown.ts';
import { movedFiles } from './moved-pages.ts';
import { sectionsOf } from './navigation.ts';
import { addressOf, type SiteOptions } from './page.ts';
import { type Reference, readReference } from './reference.ts';
import { searchIndex } from './search-index.ts';
import { ROOT, readPages } from './sources.ts';

interface Built {
  readonly pages: number;
  /** Links that lead nowhere; on the site they are words. */
  readonly dead: readonly string[];
}

export async function buildSite(folder: string, options: SiteOptions): Promise<Built> {
  const reference = await readReference();
  const pages = [...readPages(), ...reference.pages];
  const links = new Links(pages, options);
  const sections = sectionsOf(pages);
  const { assets, files } = await makeAssets(searchIndex(pages, sections, options.links));
  const frame = { links, sections, assets, isServed: options.links === 'clean' };
  for (const page of pages) {
    const { html, headings } = renderMarkdown(page, (from, link) => links.of(from, link));
    files.set(`${page.path}.html`, layOut(page, html, headings, frame));
    files.set(`${page.path}.md`, links.inMarkdown(page));
  }
  files.set('404.html', notFoundPage(frame, options));
  files.set('reference/operations.json', addressesOf(reference, options));
  for (const [name, content] of movedFiles(options)) files.set(name, content);
  files.set('llms.txt', llmsText(pages, sections, options));
  replaceFolder(folder, files, links.files);
  return { pages: pages.length, dead: links.dead };
}

/** By the id of an operation, below the base. */
function addressesOf({ operations }: Reference, { links }: SiteOptions): string {
  const entries = [...operations].map(([id, place]) => {
    const [path = '', heading = ''] = place.split('#');
    return [id, `${addressOf(path, links)}#${heading}`];
  });
  return JSON.stringify(Object.fromEntries(entries));
}

/** Shown under any address, so that nothing in it is relative. */
function notFoundPage(frame: Parameters<typeof layOut>[3], { base }: SiteOptions): string {
  const page = { path: 'index', source: 'docs/README.md', title: 'Not found', markdown: '' };
  const first = frame.links.between(page.path, page.path);
  const html = `<h1>Page not found</h1>
<p>Search for it, or start from <a href="${first}">the first page</a>.</p>
`;
  return layOut(page, html, [], frame)
    .replace('<title>Postrider</title>', '<title>Not found · Postrider</title>')
    .replace(/<link rel="alternate"[^>]*>\n/, '')
    .replace(/<footer>[\s\S]*?<\/footer>\n/, '')
    .replaceAll(/ (href|src|data-root|data-search)="(?![#/]|[a-z]+:)(?:\.\/)?([^"]*)"/g, ` $1="${base}$2"`);
}

function replaceFolder(
  folder: string,
  files: ReadonlyMap<string, string>,
  copies: ReadonlyMap<string, string>,
): void {
  rmSync(folder, { recursive: true, force: true });
  const place = (name: string) => {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    return file;
  };
  for (const [name, content] of files) writeFileSync(place(name), content);
  for (const [from, to] of copies) copyFileSync(path.join(ROOT, from), place(to));
}
