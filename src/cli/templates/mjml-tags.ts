/**
 * Protects template tags from MJML. Each tag is replaced by a unique word: MJML would parse quotes and
 * brackets in it, and a dropped `{{/if}}` could not be identified. Pure.
 */
const TAG = /\{\{\{[\s\S]*?\}\}\}|\{\{~?!--[\s\S]*?--~?\}\}|\{\{[\s\S]*?\}\}/g;
const COMMENT = /^\{\{~?!/;
/** Parts that MJML may drop without changing the mail: comments and attribute definitions. */
const UNSHOWN = /<!--[\s\S]*?-->|<mj-(html-)?attributes\b[\s\S]*?<\/mj-\1attributes>/g;

export interface MarkedSource {
  readonly text: string;
  readonly tags: readonly {
    readonly tag: string;
    readonly line: number;
    /** Whether MJML's output must contain the tag. */
    readonly isShown: boolean;
  }[];
}

export function markTags(source: string): MarkedSource {
  const unshown = [...source.matchAll(UNSHOWN)].map(({ index, 0: { length } }) => [index, index + length]);
  const tags: MarkedSource['tags'][number][] = [];
  let line = 1;
  let counted = 0;
  const text = source.replace(TAG, (tag, at: number) => {
    line += linesIn(source.slice(counted, at));
    counted = at;
    if (COMMENT.test(tag)) return '\n'.repeat(linesIn(tag));
    const isShown = !unshown.some(([from = 0, to = 0]) => from <= at && at < to);
    tags.push({ tag, line, isShown });
    return word(tags.length - 1);
  });
  return { text, tags };
}

export function lostTags({ tags }: MarkedSource, html: string): MarkedSource['tags'] {
  const kept = new Set([...html.matchAll(WORD)].map(([, number]) => Number(number)));
  return tags.filter(({ isShown }, index) => isShown && !kept.has(index));
}

export function restoreTags({ tags }: MarkedSource, text: string): string {
  return text.replace(WORD, (all, number: string) => tags[Number(number)]?.tag ?? all);
}

const WORD = /postrider-tag-(\d+)z/g;

function word(index: number): string {
  return `postrider-tag-${index}z`;
}

function linesIn(text: string): number {
  return text.split('\n').length - 1;
}
