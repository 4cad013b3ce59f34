/** What the site is made of. Every page is a Markdown file of the repository, or is written as if it were one. */

export interface Page {
  /** Where it is on the site: `api/sending`, `api/index`. */
  readonly path: string;
  /** Where it is, or would be, in the repository. Its links are relative to that. */
  readonly source: string;
  readonly title: string;
  readonly markdown: string;
}

export interface Heading {
  readonly level: number;
  readonly id: string;
  readonly text: string;
}

export interface SiteOptions {
  /** Where the site is on its host: `/docs/`. */
  readonly base: string;
  /** `clean`: as an installation serves it. `html`: names of files, which every web server finds. */
  readonly links: 'clean' | 'html';
}

/** What a page is asked for as, below the base. */
export function addressOf(path: string, links: SiteOptions['links']): string {
  if (links === 'html') return `${path}.html`;
  return path === 'index' ? '' : path.replace(/\/index$/, '/');
}

/** The text without comments and without what stands before it; code is left as it is. */
export function withoutComments(markdown: string): string {
  return outsideCode(markdown, (prose) => prose.replace(/^<!--[\s\S]*?-->\n*/gm, ''));
}

/** Changes prose only: what is between fences stays. */
export function outsideCode(markdown: string, change: (prose: string) => string): string {
  let result = '';
  let end = 0;
  for (const match of markdown.matchAll(/^(`{3,})[^`\n]*\n[\s\S]*?^\1[ \t]*$/gm)) {
    result += change(markdown.slice(end, match.index)) + match[0];
    end = match.index + match[0].length;
  }
  return result + change(markdown.slice(end));
}

export function titleOf(markdown: string, fallback: string): string {
  const [, title] = /^# (.+)$/m.exec(markdown) ?? [];
  return (title ?? fallback).replaceAll('`', '');
}
