/** The index that the search of the site loads when somebody looks for something. */
import MiniSearch from 'minisearch';
import { slugOf } from './markdown.ts';
import { type Section, sectionOf } from './navigation.ts';
import { addressOf, type Page, type SiteOptions, withoutComments } from './page.ts';
import { type Passage, SEARCH_OPTIONS } from './search-options.ts';
import { SEARCH_WORDS } from './search-words.ts';

const EXCERPT = 140;

/** Pages that name everything, and would otherwise come before the page that explains it. */
const WEIGHTS: Readonly<Record<string, number>> = {
  changelog: 0.2,
  'reference/webhook-events': 0.6,
  'clients/javascript': 0.8,
  'clients/python': 0.8,
  'clients/php': 0.8,
};

export function searchIndex(
  pages: readonly Page[],
  sections: readonly Section[],
  links: SiteOptions['links'],
): string {
  const index = new MiniSearch<Passage>(SEARCH_OPTIONS);
  for (const page of pages) {
    const section = sectionOf(sections, page);
    index.addAll(passagesOf(page, addressOf(page.path, links), section));
  }
  return JSON.stringify(index);
}

/** One for each heading of the first three levels. */
function passagesOf(page: Page, address: string, section: Section | undefined): Passage[] {
  const seen = new Map<string, number>();
  return partsOf(withoutComments(page.markdown)).map(({ heading, text }, index) => {
    const words = plain(text);
    const id = anchorOf(heading, seen);
    return {
      id: index === 0 ? address : `${address}#${id}`,
      title: page.title,
      heading: index === 0 ? '' : heading,
      words: SEARCH_WORDS[index === 0 ? page.path : `${page.path}#${id}`] ?? '',
      section: section?.title ?? '',
      excerpt: words.slice(0, EXCERPT),
      weight: WEIGHTS[page.path] ?? section?.weight ?? 1,
      text: words,
    };
  });
}

function anchorOf(heading: string, seen: Map<string, number>): string {
  const slug = slugOf(heading);
  const times = seen.get(slug) ?? 0;
  seen.set(slug, times + 1);
  return times === 0 ? slug : `${slug}-${times}`;
}

function partsOf(markdown: string): { heading: string; text: string }[] {
  const parts: { heading: string; lines: string[] }[] = [];
  let inCode = false;
  for (const line of markdown.split('\n')) {
    if (line.startsWith('```')) inCode = !inCode;
    const heading = inCode ? null : /^#{1,6} (.+)$/.exec(line);
    if (heading) parts.push({ heading: headingText(heading[1] ?? ''), lines: [] });
    else parts.at(-1)?.lines.push(line);
  }
  return parts.map(({ heading, lines }) => ({ heading, text: lines.join('\n') }));
}

function headingText(markdown: string): string {
  return markdown.replace(/\[([^\]]+)\]\([^)]*\)/g, '$1').replaceAll(/[`*]/g, '');
}

function plain(markdown: string): string {
  return markdown
    .replace(/^(```|:::).*$/gm, '')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/^\s*[-|:\s]+$/gm, ' ')
    .replaceAll(/[`*|>]/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
