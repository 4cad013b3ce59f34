/** Converts a rendered component to a template, and finds lost values. Pure. */
import { EXPORT_VARIABLES, type Given, INDEX_WORD, NotPushable } from './react-placeholders.ts';

const TAG = /\{\{[\s\S]*?\}\}\}?/g;
const REFERENCES: Readonly<Record<string, string>> = {
  ...{ '&lt;': '<', '&gt;': '>', '&amp;': '&' },
  ...{ '&quot;': '"', '&#x27;': "'", '&#39;': "'" },
};

const REFERENCE = /&(?:lt|gt|amp|quot|#x27|#39);/g;

/** Restores quotes and brackets inside tags, which React writes as character references. */
export function readableTags(html: string): string {
  return html.replace(TAG, (tag) => tag.replace(REFERENCE, (one) => REFERENCES[one] ?? one));
}

/** Throws when a value that the component read is missing in the HTML or changed. */
export function checkShown(html: string, { reads }: Pick<Given, 'reads'>): void {
  if (html.includes(INDEX_WORD))
    throw new NotPushable("It shows the index of an item. Write {'{{@index}}'} as text instead.");
  for (const [placeholder, label] of reads)
    if (!html.includes(placeholder))
      throw new NotPushable(
        `It reads \`${label}\`, and ${placeholder} is not in what it renders: what is calculated, compared or not shown cannot become a template. Write conditions as text, {'{{#if ${label}}}'} … {'{{/if}}'}; for lists and objects ${EXPORT_VARIABLES}`,
      );
}

/** The elements in order, without the preload links that React adds. */
export function shapeOf(html: string): string {
  return (html.match(/<\/?[a-z][\w-]*/gi) ?? []).filter((tag) => !/^<\/?link$/i.test(tag)).join('');
}

/** What React Email adds and what depends on the length of a text, or on how often an image occurs. */
const FILLING = /[\u00a0\u200b-\u200f\ufeff]+|<link\b[^>]*\brel="preload"[^>]*>/g;

/** Whether `other` is what `html` would be with `values` in place of its placeholders. */
export function isFilledIn(html: string, other: string, values: ReadonlyMap<string, string>): boolean {
  const filled = comparable(html).replace(TAG, (tag) => values.get(tag) ?? tag);
  return filled.replace(FILLING, '') === comparable(other).replace(FILLING, '');
}

function comparable(html: string): string {
  return html.replace(REFERENCE, (one) => REFERENCES[one] ?? one);
}

const LOOP = /^\{\{#each [^}]* as \|item\d*\|\}\}$/;

/** Inside a loop, names refer to the item; names of the mail get a path from the root. */
export function reachingOut(html: string, roots: ReadonlySet<string>): string {
  const loops: boolean[] = [];
  return html.replace(TAG, (tag) => {
    const reached = loops.includes(true) ? fromRoot(tag, roots) : tag;
    if (tag.startsWith('{{#')) loops.push(LOOP.test(tag));
    else if (tag.startsWith('{{/')) loops.pop();
    return reached;
  });
}

function fromRoot(tag: string, roots: ReadonlySet<string>): string {
  const [, before = '', path = '', after = ''] = /^(\{\{(?:#each )?)([^\s{}]+)([\s\S]*)$/.exec(tag) ?? [];
  return roots.has(path) ? `${before}@root.${path}${after}` : tag;
}

/** Null when the text has lost a tag or half of a block: Postrider then generates the text from the HTML. */
export function textWithTags(text: string, html: string): string | null {
  const known = new Set(html.match(TAG) ?? []);
  const blocks = (source: string) =>
    (source.match(TAG) ?? []).filter((tag) => /^\{\{~?[#/^]|^\{\{~?else/.test(tag));
  const isWhole = (text.match(TAG) ?? []).every((tag) => known.has(tag));
  return isWhole && blocks(text).join() === blocks(html).join() ? text.replace(BLOCK_LINE, '$1$2') : null;
}

/** The tag of a block is shown as nothing: of the empty lines around it, those before it are enough. */
const BLOCK_LINE = /(^|\n)(\{\{~?[#/][^}]*\}\})\n+/g;
