/** The fields of a line of text: its texts, and the addresses of its links and images. */
import { type Leaf, type LineBreak, shownIn, type TextKind, textAtoms, valueAtoms } from './atoms.ts';
import { attributeOf, isPlain, isUnescaped, looksLikeButton } from './elements.ts';
import type { Field } from './fields.ts';
import { inlineLabel } from './labels.ts';
import type { OpenToken } from './tokens.ts';
import type { ElementNode, Node } from './tree.ts';

/** Where a line of text stands. */
export interface Surroundings {
  readonly source: string;
  readonly label: string;
  readonly isPreformatted: boolean;
  /** Its link is drawn as a button. */
  readonly isButton: boolean;
}

/** In the order of the source. */
export function fieldsOf(nodes: readonly Node[], around: Surroundings): Field[] {
  const reader = new FieldReader(around);
  reader.readAll(nodes, around.label);
  return reader.finish();
}

/** For an element without text. */
export function emptyField(at: number, { label, isPreformatted }: Surroundings): Field {
  const kind = { ...WITHOUT_BREAKS, isPreformatted, trimStart: true, trimEnd: true };
  return { key: `text ${at}`, label, start: at, end: at, atoms: [], shown: '', kind };
}

const WITHOUT_BREAKS = { is: 'text', lineBreak: '<br>' } as const;
const VISIBLE = /[^\s\p{C}]/u;

interface Run {
  readonly label: string;
  readonly leaves: Leaf[];
  readonly trimStart: boolean;
}

class FieldReader {
  readonly #around: Surroundings;
  readonly #parts: (Run | Field)[] = [];
  #run: Run | null = null;
  #isBegun = false;

  constructor(around: Surroundings) {
    this.#around = around;
  }

  readAll(nodes: readonly Node[], label: string): void {
    for (const node of nodes) {
      if (isPlain(this.#around.source, node)) this.#addText(node, label);
      else if (node.kind === 'element') this.#addElement(node, label);
    }
  }

  finish(): Field[] {
    this.#finishRun();
    const last = this.#parts.at(-1);
    return this.#parts.map((part) => ('leaves' in part ? this.#textField(part, part === last) : part));
  }

  #addText(node: Node, label: string): void {
    this.#run ??= { label, leaves: [], trimStart: !this.#isBegun };
    for (const leaf of leavesOf(node)) this.#run.leaves.push(leaf);
  }

  #addElement(element: ElementNode, label: string): void {
    const { open, children } = element;
    this.#finishRun();
    if (open.name === 'img') this.#addImage(open);
    this.readAll(children, inlineLabel(open.name, label, this.#isButton(element)));
    this.#finishRun();
    if (open.name === 'a') this.#addLink(element);
  }

  #addImage(open: OpenToken): void {
    this.#isBegun = true;
    this.#addValue(open, 'src', 'Image address');
    this.#addValue(open, 'alt', 'Alternative text');
  }

  #addLink(element: ElementNode): void {
    const { attributes } = element.open;
    if (!attributes.some(({ name }) => name === 'href')) return;
    this.#addValue(element.open, 'href', this.#isButton(element) ? 'Button link' : 'Link address');
  }

  #isButton(element: ElementNode): boolean {
    return this.#around.isButton || looksLikeButton(this.#around.source, element);
  }

  #addValue(open: OpenToken, name: string, label: string): void {
    if (open.isConditional) return;
    const { source } = this.#around;
    const found = open.attributes.find((attribute) => attribute.name === name);
    const range = found?.value ?? { start: found?.end ?? open.nameEnd, end: found?.end ?? open.nameEnd };
    const prefix = found?.value ? '' : found ? '=' : ` ${name}=`;
    this.#parts.push({
      ...range,
      key: `${name} ${open.start}`,
      label,
      atoms: valueAtoms(source, range),
      shown: attributeOf(source, open, name),
      kind: { is: 'value', quote: found?.quote ?? '', prefix },
    });
  }

  /** White space between elements, and spacers of no-break spaces, are no text. */
  #finishRun(): void {
    const run = this.#run;
    this.#run = null;
    if (run === null) return;
    const { source } = this.#around;
    const isText = run.leaves.some((leaf) =>
      leaf.kind === 'text'
        ? VISIBLE.test(leaf.shown)
        : leaf.kind === 'template' && !isUnescaped(source, leaf),
    );
    if (!isText) return;
    this.#isBegun = true;
    this.#parts.push(run);
  }

  #textField({ label, leaves, trimStart }: Run, isLast: boolean): Field {
    const { source, isPreformatted } = this.#around;
    const lineBreak = leaves.find((leaf): leaf is LineBreak => leaf.kind === 'break');
    const kind: TextKind = {
      is: 'text',
      isPreformatted,
      trimStart,
      trimEnd: isLast,
      lineBreak: lineBreak ? source.slice(lineBreak.start, lineBreak.end) : '<br>',
    };
    const atoms = textAtoms(source, leaves, kind);
    const start = atoms[0]?.start ?? leaves[0]?.start ?? 0;
    const end = atoms.at(-1)?.end ?? start;
    return { key: `text ${start}`, label, start, end, atoms, shown: shownIn(atoms), kind };
  }
}

function leavesOf(node: Node): Leaf[] {
  if (node.kind === 'text' || node.kind === 'template') return [node];
  if (node.kind === 'element') return [{ kind: 'break', start: node.start, end: node.end }];
  if (node.kind !== 'block') return [];
  return [...node.branches.flatMap(({ tag, children }) => [tag, ...children.flatMap(leavesOf)]), node.close];
}
