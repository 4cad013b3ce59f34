/** The blocks of a template in the order of its source: texts, images, buttons, sections of Handlebars, and locked code. */

import type { TemplateTag } from '../../../../../src/template-language/scan.ts';
import {
  isButtonCell,
  isFlowElement,
  isHidden,
  isInline,
  isLockedElement,
  isTextElement,
  isUnescaped,
  isWholeElement,
  looksLikeButton,
} from './elements.ts';
import type { Field } from './fields.ts';
import { emptyField, fieldsOf } from './inline-fields.ts';
import { elementLabel, lockedElementLabel, lockedLabel, sectionLabel } from './labels.ts';
import { type Range, readTokens } from './tokens.ts';
import { type BlockNode, type ElementNode, type Node, readTree } from './tree.ts';

interface Shared extends Range {
  readonly label: string;
  /** Can be deleted, copied and moved without cutting through anything. */
  readonly isWhole: boolean;
  /** Blocks with the same number are neighbours in one element. */
  readonly parent: number;
  /** A paragraph may stand behind it. */
  readonly isInFlow: boolean;
}

export interface EditableBlock extends Shared {
  readonly kind: 'text' | 'image' | 'button';
  readonly fields: readonly Field[];
}

/** A block of Handlebars with elements in it. */
export interface SectionBlock extends Shared {
  readonly kind: 'section';
  readonly branches: readonly {
    readonly label: string;
    /** Such as `{{#each items}}`. */
    readonly tag: string;
    readonly blocks: readonly Block[];
  }[];
}

/** Code that only the code editor changes. */
export interface LockedBlock extends Shared {
  readonly kind: 'locked';
}

export type Block = EditableBlock | SectionBlock | LockedBlock;

/** Saved templates are smaller; reading a longer text would hold up the page. */
const MAX_CHARS = 300_000;

/** Null for a source that is broken or too complex. */
export function readBlocks(source: string): readonly Block[] | null {
  if (source.length > MAX_CHARS) return null;
  const read = readTokens(source);
  const tree = read ? readTree(read.tokens) : null;
  if (!read || !tree) return null;
  const isDocument = read.tokens.some((token) => token.kind === 'open' && /^(html|body)$/.test(token.name));
  const outline = new Outline(source, read.tags);
  return outline.blocksOf(tree, {
    isFlow: !isDocument,
    isPreformatted: false,
    label: 'Text',
    isButton: false,
  });
}

/** With the blocks in sections. */
export function allBlocks(blocks: readonly Block[]): Block[] {
  return blocks.flatMap((block) =>
    block.kind === 'section'
      ? [block, ...block.branches.flatMap((branch) => allBlocks(branch.blocks))]
      : [block],
  );
}

interface Context {
  readonly isFlow: boolean;
  readonly isPreformatted: boolean;
  /** Of text that is in no element of its own. */
  readonly label: string;
  /** The cell looks like a button. */
  readonly isButton: boolean;
}

class Outline {
  readonly #source: string;
  readonly #tags: readonly TemplateTag[];
  #parents = 0;

  constructor(source: string, tags: readonly TemplateTag[]) {
    this.#source = source;
    this.#tags = tags;
  }

  blocksOf(nodes: readonly Node[], context: Context): Block[] {
    this.#parents += 1;
    const place = { parent: this.#parents, isInFlow: context.isFlow };
    const lists: Block[][] = [];
    let line: Node[] = [];
    const endLine = () => {
      lists.push(this.#lineBlocks(line, context, place));
      line = [];
    };
    for (const node of nodes) {
      if (isInline(this.#source, node)) line.push(node);
      else {
        endLine();
        lists.push(this.#blocksOfNode(node, context, place));
      }
    }
    endLine();
    return joined(lists.flat(), this.#source);
  }

  #blocksOfNode(node: Node, context: Context, place: Neighbourhood): Block[] {
    if (node.kind === 'element') return this.#elementBlocks(node, context, place);
    if (node.kind === 'block') return [this.#section(node, context, place)];
    return [locked(node, lockedLabel(this.#source.slice(node.start, node.end)), place)];
  }

  #elementBlocks(element: ElementNode, context: Context, place: Neighbourhood): Block[] {
    const { open, children } = element;
    if (isLockedElement(open.name)) return [locked(element, lockedElementLabel(open.name), place)];
    const isPreformatted = context.isPreformatted || open.name === 'pre';
    const label = elementLabel(open.name, isHidden(this.#source, element));
    const isButton = isButtonCell(this.#source, element);
    const inside = { isFlow: isFlowElement(open.name), isPreformatted, label, isButton };
    if (!isWholeElement(open.name) || !children.every((child) => isInline(this.#source, child)))
      return this.blocksOf(children, inside);
    const isEmpty = children.length === 0 && isTextElement(open.name) && element.close !== null;
    const fields = isEmpty
      ? [emptyField(open.end, { ...inside, source: this.#source })]
      : fieldsOf(children, { ...inside, source: this.#source });
    // An element with locked code alone has no fields.
    if (fields.length === 0) return this.blocksOf(children, inside);
    return [this.#editable(children, fields, { element, label, isButton: false }, place)];
  }

  #section({ start, end, branches }: BlockNode, context: Context, place: Neighbourhood): SectionBlock {
    const read = branches.map(({ tag: { start: from, end: to }, children }) => {
      const tag = this.#source.slice(from, to);
      return { label: sectionLabel(tag), tag, blocks: this.blocksOf(children, context) };
    });
    const isWhole = this.#isBalanced({ start, end });
    return { kind: 'section', start, end, isWhole, label: read[0]?.label ?? '', branches: read, ...place };
  }

  /** Text in no element of its own, such as that of a cell. */
  #lineBlocks(nodes: readonly Node[], context: Context, place: Neighbourhood): Block[] {
    const seen = nodes.filter((node) => node.kind !== 'text' || node.shown.trim() !== '');
    const [first] = seen;
    if (!first) return [];
    if (seen.every((node) => isUnescaped(this.#source, node)))
      return seen.map((node) => locked(node, lockedLabel(this.#source.slice(node.start, node.end)), place));
    const fields = fieldsOf(nodes, { ...context, source: this.#source });
    const { label, isButton } = context;
    const element = first.kind === 'element' && seen.length === 1 ? first : null;
    return fields.length === 0 ? [] : [this.#editable(seen, fields, { element, label, isButton }, place)];
  }

  #editable(
    nodes: readonly Node[],
    fields: readonly Field[],
    { element, label, isButton }: Around,
    place: Neighbourhood,
  ): EditableBlock {
    const seen = nodes.filter((node) => node.kind !== 'text' || node.shown.trim() !== '');
    const [only] = seen.length === 1 ? seen : [];
    const link = only?.kind === 'element' && only.open.name === 'a' ? only : null;
    const isImage = !fields.some(({ kind }) => kind.is === 'text');
    const start = element?.start ?? nodes[0]?.start ?? 0;
    const end = element?.end ?? nodes.at(-1)?.end ?? start;
    const isWhole = element !== null && this.#isWhole(element);
    const shared = { start, end, isWhole, fields, ...place };
    if (isImage) return { kind: 'image', label: 'Image', ...shared };
    if (link && (isButton || looksLikeButton(this.#source, link)))
      return { kind: 'button', label: 'Button', ...shared };
    return { kind: 'text', label, ...shared };
  }

  #isWhole(element: ElementNode): boolean {
    const { close, open } = element;
    return (close !== null || open.name === 'img') && isWholeElement(open.name) && this.#isBalanced(element);
  }

  /** Every block of Handlebars that begins in the range ends in it. */
  #isBalanced({ start, end }: Range): boolean {
    let depth = 0;
    for (const tag of this.#tags) {
      if (tag.start < start || tag.end > end) continue;
      if (tag.kind === 'open') depth += 1;
      else if (tag.kind === 'close') depth -= 1;
      if (depth < 0 || (depth === 0 && /^else/.test(tag.kind))) return false;
    }
    return depth === 0;
  }
}

type Neighbourhood = Pick<Shared, 'parent' | 'isInFlow'>;

interface Around {
  readonly element: ElementNode | null;
  readonly label: string;
  readonly isButton: boolean;
}

function locked({ start, end }: Range, label: string, place: Neighbourhood): LockedBlock {
  return { kind: 'locked', start, end, isWhole: false, label, ...place };
}

/** Locked code with only white space between is one block. */
function joined(blocks: readonly Block[], source: string): Block[] {
  const list: Block[] = [];
  for (const block of blocks) {
    const last = list.at(-1);
    const isNext = last?.kind === 'locked' && source.slice(last.end, block.start).trim() === '';
    if (!last || block.kind !== 'locked' || !isNext) list.push(block);
    else {
      const labels = new Set([...last.label.split(', '), block.label]);
      list[list.length - 1] = { ...last, end: block.end, label: [...labels].join(', ') };
    }
  }
  return list;
}
