/** `llms.txt`: the pages as a list, for programs that read. Each is there as Markdown, too. */
import type { Section } from './navigation.ts';
import type { Page, SiteOptions } from './page.ts';

export function llmsText(
  pages: readonly Page[],
  sections: readonly Section[],
  { base }: SiteOptions,
): string {
  const byPath = new Map(pages.map((page) => [page.path, page]));
  const line = (path: string, title: string) => {
    const about = summaryOf(byPath.get(path)?.markdown ?? '');
    return `- [${title}](${base}${path}.md)${about === '' ? '' : `: ${about}`}`;
  };
  const listed = new Set<string>();
  const parts = sections.map((section) => {
    const entries = [section, ...section.entries].filter(({ path }) => !listed.has(path));
    for (const { path } of entries) listed.add(path);
    return `## ${section.title}\n\n${entries.map(({ path, title }) => line(path, title)).join('\n')}\n`;
  });
  return `# Postrider\n\n> ${WHAT}\n\n${parts.join('\n')}`;
}

const WHAT =
  'A transactional email service that you run yourself: your application sends an email over HTTP or SMTP, Postrider stores ' +
  'it, delivers it over SMTP and tells what happened for every recipient.';

const MIN_CHARS = 40;
/** What is no paragraph: headings, lists, tables, quotes, code, tabs, pictures. */
const OTHER = /^(?:[#|>]|[-*] |\d+\. |```|:::|!\[)/;

/** How a page begins, below its title: the first sentence, or as many as say something. Empty where it begins otherwise. */
export function summaryOf(markdown: string): string {
  const [, below = ''] = /^#[^\n]*\n([\s\S]*)$/.exec(markdown.replace(/<!--[\s\S]*?-->/g, '').trim()) ?? [];
  const paragraph = below.trim().split(/\n\s*\n/)[0] ?? '';
  if (OTHER.test(paragraph)) return '';
  const plain = paragraph
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[*_]{2}/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  let summary = '';
  for (const [sentence] of plain.matchAll(/.+?(?:[.:!?](?=\s|$)|$)/g)) {
    summary += sentence;
    if (summary.length >= MIN_CHARS) break;
  }
  return summary.trim().replace(/:$/, '.');
}
