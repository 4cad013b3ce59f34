/**
 * Protects template tags from MJML. Each tag is replaced by a unique word: MJML would parse quotes and
 * brackets in it, and a dropped `{{/if}}` could not be identified. Pure.
 */
const TAG = /\{\{\{[\s\S]*?\}\}\}|\{\{~?!--[\s\S]*?--~?\}\}|\{\{[\s\S]*?\}\}/g;
const COMMENT = /^\{\{~?!/;
/** Parts that MJML may drop without changing the mail: comments and attribute definitions. */
const UNSHOWN = /<!--[\s\S]*?-->|<mj-(html-)?attributes\b[\s\S]*?<\/mj-\1attributes>/g;

export interface MarkedTag {
  readonly tag: string;
  readonly line: number;
  /** Whether the tag is in an included file. */
  readonly isIncluded: boolean;
  /** Whether the tag is in an attribute. */
  readonly isInAttribute: boolean;
  /** Whether MJML's output must contain the tag. */
  readonly isShown: boolean;
}

/** The tags of one template: of its own file and of the files that it includes. */
export class MjmlTags {
  readonly #tags: MarkedTag[] = [];

  /** The source with a word in place of each tag. */
  mark(source: string, isIncluded = false): string {
    const unshown = [...source.matchAll(UNSHOWN)].map(({ index, 0: { length } }) => [index, index + length]);
    let line = 1;
    let counted = 0;
    return source.replace(TAG, (tag, at: number) => {
      line += linesIn(source.slice(counted, at));
      counted = at;
      if (COMMENT.test(tag)) return '\n'.repeat(linesIn(tag));
      const isShown = !unshown.some(([from = 0, to = 0]) => from <= at && at < to);
      const isInAttribute = source.lastIndexOf('<', at) > source.lastIndexOf('>', at);
      this.#tags.push({ tag, line, isIncluded, isInAttribute, isShown });
      return word(this.#tags.length - 1);
    });
  }

  /** Tags that `html`, the output of MJML, lacks. */
  lostIn(html: string): readonly MarkedTag[] {
    const kept = new Set([...html.matchAll(WORD)].map(([, number]) => Number(number)));
    return this.#tags.filter(({ isShown }, index) => isShown && !kept.has(index));
  }

  restore(text: string): string {
    return text.replace(WORD, (all, number: string) => this.#tags[Number(number)]?.tag ?? all);
  }
}

/** MJML's complaint about an attribute whose value only a send will know. */
export function isAboutTag(message: string): boolean {
  return /has invalid value: .*postrider-tag-\d+z/.test(message);
}

const WORD = /postrider-tag-(\d+)z/g;

function word(index: number): string {
  return `postrider-tag-${index}z`;
}

function linesIn(text: string): number {
  return text.split('\n').length - 1;
}
