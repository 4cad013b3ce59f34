/**
 * Links between pages. In the repository they are relative and name files (`../api/errors.md#rate-limit`), so that they work
 * there; here they become relative links between pages of the site.
 */
import path from 'node:path';
import { addressOf, outsideCode, type Page, type SiteOptions } from './page.ts';
import { isHandedOn, targetOf } from './sources.ts';

const PICTURE = /\.(svg|webp|png)$/;

export class Links {
  readonly #bySource: ReadonlyMap<string, Page>;
  readonly #options: SiteOptions;
  /** What is copied, by its path in the repository; and what leads nowhere. */
  readonly files = new Map<string, string>();
  readonly dead: string[] = [];

  constructor(pages: readonly Page[], options: SiteOptions) {
    this.#bySource = new Map(pages.map((page) => [page.source, page]));
    this.#options = options;
  }

  /** What to write into the page; null where there is nothing to link to. */
  of(page: Page, link: string): string | null {
    if (/^[a-z]+:|^#|^\//.test(link)) return link;
    const [place = '', anchor] = link.split('#');
    const target = targetOf(page.source, place);
    const found = this.#bySource.get(target);
    const hash = anchor === undefined ? '' : `#${anchor}`;
    if (found) return this.between(page.path, found.path) + hash;
    if (isHandedOn(target)) return this.#relative(page.path, this.#copyOf(target));
    this.dead.push(`${page.source}: ${link}`);
    return null;
  }

  /** From one page to another. */
  between(from: string, to: string): string {
    return this.#relative(from, addressOf(to, this.#options.links));
  }

  /** From a page to a file of the site. */
  toFile(from: string, file: string): string {
    return this.#relative(from, file);
  }

  /** The page as it is written, with links that work beside the other pages of the site. */
  inMarkdown(page: Page): string {
    return outsideCode(page.markdown, (prose) =>
      prose.replace(/\]\(([^)\s]+)\)/g, (whole, link: string) => {
        const to = this.#inMarkdown(page, link);
        return to === null ? whole : `](${to})`;
      }),
    );
  }

  #inMarkdown(page: Page, link: string): string | null {
    if (/^[a-z]+:|^#|^\//.test(link)) return null;
    const [place = '', anchor] = link.split('#');
    const target = targetOf(page.source, place);
    const found = this.#bySource.get(target);
    const hash = anchor === undefined ? '' : `#${anchor}`;
    if (found) return `${this.#options.base}${found.path}.md${hash}`;
    return isHandedOn(target) ? this.#options.base + this.#copyOf(target) : null;
  }

  /** Web servers take what they do not know for a download: settings are handed on as text. */
  #copyOf(target: string): string {
    const copy = PICTURE.test(target) ? `files/${target}` : `files/${target}.txt`;
    this.files.set(target, copy);
    return copy;
  }

  #relative(from: string, to: string): string {
    const relative = path.posix.relative(path.posix.dirname(from), to === '' ? '.' : to);
    if (relative === '') return './';
    return to.endsWith('/') || to === '' ? `${relative}/` : relative;
  }
}
