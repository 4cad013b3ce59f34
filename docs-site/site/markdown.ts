/** Markdown as the pages are written, to HTML without a script or style of its own. */
import MarkdownIt, { type Token } from 'markdown-it';
import { codeBlock } from './code.ts';
import { codeGroups } from './code-groups.ts';
import type { Heading, Page } from './page.ts';
import { withoutComments } from './page.ts';

interface Rendered {
  readonly html: string;
  readonly headings: readonly Heading[];
}

/** What a link, or a picture's address, becomes; null where there is nothing to link to. */
type LinkOf = (page: Page, link: string) => string | null;

export function renderMarkdown(page: Page, linkOf: LinkOf): Rendered {
  const tokens = markdown.parse(withoutComments(page.markdown), {});
  const headings = nameHeadings(tokens);
  for (const token of tokens) for (const inner of token.children ?? []) relink(inner, page, linkOf);
  for (const token of tokens) alignByClass(token);
  return { html: markdown.renderer.render(tokens, markdown.options, {}), headings };
}

/** As GitHub makes them out of headings, so that links work there, too. */
export function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

const markdown = new MarkdownIt({ html: false, linkify: false }).use(codeGroups);
markdown.renderer.rules.fence = (tokens, index) => {
  const { content, info } = tokens[index] as Token;
  return codeBlock(content, info);
};
markdown.renderer.rules.table_open = () =>
  '<div class="table" role="group" aria-label="Table" tabindex="0"><table>\n';
markdown.renderer.rules.table_close = () => '</table></div>\n';
markdown.renderer.rules.heading_close = (tokens, index) => {
  const { tag, meta } = tokens[index] as Token & { meta: Heading };
  const label = markdown.utils.escapeHtml(`Link to ${meta.text}`);
  const anchor = tag === 'h1' ? '' : ` <a class="anchor" href="#${meta.id}" aria-label="${label}">#</a>`;
  return `${anchor}</${tag}>\n`;
};

function nameHeadings(tokens: readonly Token[]): Heading[] {
  const seen = new Map<string, number>();
  const headings: Heading[] = [];
  for (const [index, token] of tokens.entries()) {
    if (token.type !== 'heading_open') continue;
    const text = plainText(tokens[index + 1]);
    const slug = slugOf(text);
    const times = seen.get(slug) ?? 0;
    seen.set(slug, times + 1);
    const heading = { level: Number(token.tag.slice(1)), id: times === 0 ? slug : `${slug}-${times}`, text };
    headings.push(heading);
    token.attrSet('id', heading.id);
    const close = tokens[index + 2];
    if (close) close.meta = heading;
  }
  return headings;
}

function plainText(inline: Token | undefined): string {
  const parts = (inline?.children ?? []).filter(({ type }) => type === 'text' || type === 'code_inline');
  return parts.map(({ content }) => content).join('');
}

/** A link to nothing stays a word. */
function relink(token: Token, page: Page, linkOf: LinkOf): void {
  const name = token.type === 'link_open' ? 'href' : token.type === 'image' ? 'src' : null;
  if (name === null) return;
  const link = linkOf(page, String(token.attrGet(name)));
  if (link !== null) token.attrSet(name, link);
  else if (token.type === 'link_open') token.attrs = [];
}

/** Columns are aligned by a class: the policy of the pages allows no style of an element. */
function alignByClass(token: Token): void {
  const style = token.attrGet('style');
  if (style === null) return;
  token.attrs = (token.attrs ?? []).filter(([name]) => name !== 'style');
  token.attrJoin('class', String(style).replace('text-align:', 'align-'));
}
