/** Inserts partials and a layout's slot, and limits how much they add. */
import type { AstNode, ContentNode, Mustache, PartialTag, Program } from './ast.ts';
import { isPath } from './ast.ts';
import type { CheckState } from './check-state.ts';
import { shown } from './hints.ts';
import { PIECE_LIMITS } from './limits.ts';
import type { Partials, Piece, PieceReader } from './pieces.ts';
import type { Body, Node } from './tree.ts';

/** The inputs of a text's check besides the text itself. */
export type CheckAround = {
  readonly partials: Partials;
  readonly reader: PieceReader;
  /** For a layout: the template inserted into it. */
  readonly slot: Body | null;
  /** The name of the partial or layout; undefined for the template itself. */
  readonly source?: string | undefined;
};

const SLOT_NAME = 'content';

export class Inclusions {
  readonly #state: CheckState;
  readonly #reader: PieceReader;
  readonly #open: Piece[] = [];
  #mentions = 0;
  #statements = 0;
  #chars = 0;
  #slots = 0;

  constructor(state: CheckState, reader: PieceReader) {
    this.#state = state;
    this.#reader = reader;
  }

  /** False when partials have added too much. The scan counts the text's own content. */
  count(statement: AstNode): boolean {
    if (this.#open.length === 0) return true;
    this.#statements += 1;
    if (statement.type === 'ContentStatement') this.#chars += (statement as ContentNode).value.length;
    return this.#statements <= PIECE_LIMITS.statements && this.#chars <= PIECE_LIMITS.chars;
  }

  include(
    tag: PartialTag,
    partials: Partials,
    check: (program: Program, partials: Partials) => Body,
  ): readonly Node[] {
    const name = this.#nameOf(tag);
    if (name === null) return [];
    const piece = partials.get(name);
    const part = this.#state.part;
    if (part === 'subject') return this.#refuse(tag, 'A subject cannot have partials: write it out.');
    if (piece === undefined) {
      const message = `There is no partial ${quoted(name)}: create a template of the kind "partial" with this alias.`;
      this.#state.add('unknown_partial', message, tag);
      return [];
    }
    if (!this.#mayOpen(tag, name, piece)) return [];
    if (piece.source[part] === '') {
      return this.#refuse(
        tag,
        `The partial ${quoted(name)} has no ${part}: give it one, or do not use it here.`,
      );
    }
    const parsed = this.#reader.read(piece, part);
    if (parsed.kind !== 'parsed') return this.#refuse(tag, `The partial ${quoted(name)} cannot be read.`);
    this.#open.push(piece);
    const { nodes } = this.#state.elsewhere(piece.title, () => check(parsed.program, piece.partials));
    this.#open.pop();
    this.#checkAmount(tag);
    return nodes;
  }

  fillSlot(statement: AstNode, slot: Body): readonly Node[] {
    this.#slots += 1;
    if (!(statement as Mustache).escaped && this.#state.depth === 0) return slot.nodes;
    const message = (statement as Mustache).escaped
      ? 'In a layout, content is the template itself: write {{{content}}}.'
      : 'The {{{content}}} of a layout cannot stand in {{#each}} or {{#with}}.';
    this.#state.add('wrong_layout', message, statement);
    return [];
  }

  requireSlot(program: Program): void {
    if (this.#slots > 0) return;
    const message = 'A layout needs {{{content}}} where templates that use it go.';
    this.#state.add('wrong_layout', message, program);
  }

  #mayOpen(tag: PartialTag, name: string, piece: Piece): boolean {
    this.#mentions += 1;
    if (this.#open.includes(piece)) {
      this.#refuse(tag, `The partial ${quoted(name)} would include itself: take it out here.`);
    } else if (this.#open.length >= PIECE_LIMITS.depth) {
      this.#refuse(tag, `Partials may be ${PIECE_LIMITS.depth} deep in each other; this is one too many.`);
    } else if (this.#mentions > PIECE_LIMITS.inclusions) {
      this.#refuse(
        tag,
        `A part may mention partials ${PIECE_LIMITS.inclusions} times, those in partials too.`,
      );
    } else return true;
    return false;
  }

  #checkAmount(tag: PartialTag): void {
    if (this.#statements > PIECE_LIMITS.statements || this.#chars > PIECE_LIMITS.chars) {
      this.#state.add('too_complex', 'The partials up to here are too much for one part.', tag);
    }
  }

  #nameOf({ name, params, hash, ...tag }: PartialTag): string | null {
    if (params.length > 0 || hash !== undefined) {
      const advice =
        'it sees the data of the place where it stands; for others write {{#with user}}{{> name}}{{/with}}';
      this.#refuse(tag, `A partial takes no values: ${advice}.`);
      return null;
    }
    if (isPath(name) || name.type === 'StringLiteral' || name.type === 'NumberLiteral')
      return String(name.original);
    this.#refuse(tag, 'The name of a partial cannot be made by a helper: write {{> name}}.');
    return null;
  }

  #refuse(tag: AstNode, message: string): readonly Node[] {
    this.#state.add('wrong_partial', message, tag);
    return [];
  }
}

/** Also matches `{{content}}`, which is nearly always a mistake there. */
export function isSlot(statement: AstNode): boolean {
  if (statement.type !== 'MustacheStatement') return false;
  const { path, params, hash } = statement as Mustache;
  return isPath(path) && path.original === SLOT_NAME && params.length === 0 && hash === undefined;
}

function quoted(name: string): string {
  return `"${shown(name)}"`;
}
