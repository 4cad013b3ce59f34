/** Adds, copies, moves and deletes whole blocks. Every change is a splice of the source. */
import { withSplices } from './fields.ts';
import type { Block } from './outline.ts';
import type { Range } from './tokens.ts';

export interface Restructured {
  readonly source: string;
  /** The start of the block that the change is about. */
  readonly at: number;
}

export type NewBlock = 'text' | 'image' | 'button';

const PARAGRAPH = '<p style="margin:0 0 16px;line-height:1.5">';

/** Inline styles, because mail clients ignore others. */
const NEW_BLOCKS: Readonly<Record<NewBlock, string>> = {
  text: `${PARAGRAPH}New text</p>`,
  image: `${PARAGRAPH}<img src="" alt="" style="display:block;max-width:100%;height:auto;border:0"></p>`,
  button: `${PARAGRAPH}<a href="https://example.com/" style="display:inline-block;padding:12px 20px;border-radius:6px;background-color:#1c1917;color:#ffffff;text-decoration:none">New button</a></p>`,
};

export function withNewBlock(source: string, kind: NewBlock, after: Block | null): Restructured {
  return after === null
    ? { source: NEW_BLOCKS[kind] + source, at: 0 }
    : insertedAfter(source, after, NEW_BLOCKS[kind]);
}

export function duplicated(source: string, block: Block): Restructured {
  return insertedAfter(source, block, source.slice(block.start, block.end));
}

export function deleted(source: string, block: Block): Restructured {
  const indent = indentBefore(source, block.start);
  const start = indent === null ? block.start : block.start - indent.length - 1;
  const isLineEnd = /^(\r?\n|$)/.test(source.slice(block.end, block.end + 2));
  const range = { start: isLineEnd ? start : block.start, end: block.end };
  return { source: spliced(source, range, ''), at: range.start };
}

/** Two neighbours change their places; the source between them stays. `at` is the new place of the first one. */
export function swapped(source: string, first: Range, second: Range): Restructured {
  const one = source.slice(first.start, first.end);
  const other = source.slice(second.start, second.end);
  const splices = [
    { ...first, text: other },
    { ...second, text: one },
  ];
  return { source: withSplices(source, splices), at: second.end - one.length };
}

function insertedAfter(source: string, { start, end }: Range, code: string): Restructured {
  const indent = indentBefore(source, start);
  const between = indent === null ? '' : `\n${indent}`;
  return { source: spliced(source, { start: end, end }, between + code), at: end + between.length };
}

/** The white space before a block that begins its line; null for one in the middle of a line. */
function indentBefore(source: string, start: number): string | null {
  const lineStart = source.lastIndexOf('\n', start - 1) + 1;
  const before = source.slice(lineStart, start);
  return lineStart > 0 && before.trim() === '' ? before : null;
}

function spliced(source: string, { start, end }: Range, text: string): string {
  return source.slice(0, start) + text + source.slice(end);
}
