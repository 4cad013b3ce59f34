/** The site as it is built: every page is reached, and every link of every page leads somewhere. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import MiniSearch from 'minisearch';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildSite } from './build-site.ts';
import { MOVED, MOVED_HEADINGS } from './moved.ts';
import type { SiteOptions } from './page.ts';
import { SEARCH_OPTIONS, search } from './search-options.ts';

/** Answered by the installation. */
const BESIDE = /^\/$/;

describe.each<SiteOptions>([
  { base: '/docs/', links: 'clean' },
  { base: '/manual/', links: 'html' },
])('the site at $base with $links links', ({ base, links }) => {
  let folder: string;
  let dead: readonly string[];
  let pages: string[];
  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'postrider-docs-site-'));
    ({ dead } = await buildSite(folder, { base, links }));
    pages = filesOf('.html').filter((name) => !(name.replace(/\.html$/, '') in MOVED));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const filesOf = (end: string) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith(end));
  const read = (name: string) => readFileSync(path.join(folder, name), 'utf8');

  /** The file that a web server answers an address with; null where there is none. */
  function fileAt(address: string): string | null {
    if (!address.startsWith(base)) return null;
    const name = address.slice(base.length);
    const names = links === 'html' ? [name] : [name, `${name}.html`, `${name}index.html`];
    const file = names.find((one) => /\.\w+$/.test(one) && existsSync(path.join(folder, one)));
    return file ?? null;
  }

  function addressOf(file: string): string {
    if (links === 'html') return base + file;
    return base + file.replace(/(^|\/)index\.html$/, '$1').replace(/\.html$/, '');
  }

  function brokenOn(file: string): string[] {
    const targets = [...read(file).matchAll(/ (?:href|src|data-search)="([^"]*)"/g)].map(([, to = '']) => to);
    return targets
      .filter((to) => !/^(https?|mailto):/.test(to) && !BESIDE.test(to))
      .filter((to) => {
        const { pathname, hash } = new URL(to, `http://host${addressOf(file)}`);
        const found = fileAt(decodeURI(pathname));
        return (
          found === null ||
          (hash !== '' && !read(found).includes(` id="${decodeURIComponent(hash.slice(1))}"`))
        );
      })
      .map((to) => `${file}: ${to}`);
  }

  it('has no link that leads nowhere', () => {
    expect(dead).toEqual([]);
    expect(pages.flatMap(brokenOn)).toEqual([]);
    expect(pages.length).toBeGreaterThan(100);
  });

  it('leads to every page from the navigation', () => {
    const linked = new Set(
      pages.flatMap((file) =>
        [...read(file).matchAll(/ href="([^"#]*)/g)].map(([, to = '']) =>
          fileAt(new URL(to, `http://host${addressOf(file)}`).pathname),
        ),
      ),
    );
    expect(pages.filter((file) => file !== '404.html' && !linked.has(file))).toEqual([]);
  });

  it('has every page as Markdown, and lists each once for programs', () => {
    const list = read('llms.txt');
    const listed = [...list.matchAll(/\]\(([^)]+)\)/g)].map(([, to = '']) => to);
    expect(listed.filter((to) => fileAt(to) === null)).toEqual([]);
    expect(new Set(listed).size).toBe(listed.length);
    const markdown = filesOf('.md').map((name) => base + name);
    expect(markdown.filter((name) => !listed.includes(name))).toEqual([`${base}index.md`]);
    expect(markdown).toHaveLength(pages.length - 1);
  });

  it('still knows every endpoint by its old name', () => {
    const addresses: Record<string, string> = JSON.parse(read('reference/operations.json'));
    const wrong = Object.values(addresses).filter((address) => {
      const [place = '', heading] = address.split('#');
      const file = fileAt(base + place);
      return file === null || !read(file).includes(` id="${heading}"`);
    });
    expect(wrong).toEqual([]);
    expect(addresses.post_emails_send).toMatch(/^reference\/emails.*#send-/);
    expect(Object.keys(addresses).length).toBeGreaterThan(100);
  });

  it('leads from every old address of a page to one that exists', () => {
    const moved: Record<string, string> = JSON.parse(read('moved.json'));
    expect(Object.keys(moved).length).toBeGreaterThan(60);
    const wrong = Object.entries(moved).filter(
      ([from, to]) => pages.includes(`${from}.html`) || !pages.includes(`${to}.html`),
    );
    expect(wrong).toEqual([]);
  });

  it.runIf(links === 'html')('has a page at every old address that sends the browser on', () => {
    const wrong = Object.entries(MOVED).filter(([from, to]) => {
      const [, target = ''] =
        /http-equiv="refresh" content="0; url=([^"]+)"/.exec(read(`${from}.html`)) ?? [];
      return new URL(target, `http://host${base}${from}.html`).pathname !== `${base}${to}.html`;
    });
    expect(wrong).toEqual([]);
  });

  it('leads from every heading that moved to one that exists', () => {
    const moved: Record<string, string> = JSON.parse(read('moved-headings.json'));
    const exists = (place: string) => {
      const [address = '', heading = ''] = place.split('#');
      const file = fileAt(base + address);
      return file !== null && read(file).includes(` id="${heading}"`);
    };
    expect(Object.keys(moved)).toHaveLength(Object.keys(MOVED_HEADINGS).length);
    const wrong = Object.entries(moved).filter(([from, to]) => exists(from) || !exists(to));
    expect(wrong).toEqual([]);
  });

  it('marks each page once in the menu', () => {
    const twice = pages.filter((file) => (read(file).match(/aria-current="page"/g) ?? []).length > 1);
    expect(twice).toEqual([]);
  });

  it('has no style or script inside its pages', () => {
    const inline = pages.filter((file) => /<style|\sstyle=|<script(?![^>]* src=)|\son\w+="/.test(read(file)));
    expect(inline).toEqual([]);
  });

  it('has a search index that finds pages at their addresses', () => {
    const file = filesOf('.json').find((name) => name.includes('search')) ?? '';
    const index = MiniSearch.loadJSON(read(file), SEARCH_OPTIONS as never);
    const first = search(index, 'webhok signature').map(({ id }) => String(id).replace(/#.*/, ''))[0] ?? '';
    expect(first).toContain('verify-webhooks');
    expect(fileAt(base + first)).not.toBeNull();
  });
});
