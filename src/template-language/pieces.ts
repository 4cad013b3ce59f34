/** The pieces of a template: its partials (`{{> name}}`), and the layout around it. */
import { type ParsedSource, parseSource } from './parse.ts';
import type { PartName } from './tree.ts';

/** A partial or a layout. Each piece resolves its own names, so that a version never changes its meaning. */
export type Piece = {
  /** For display: `the partial "footer"`. */
  readonly title: string;
  readonly source: { readonly html: string; readonly text: string };
  readonly partials: Partials;
};

export type Partials = ReadonlyMap<string, Piece>;

export type TemplateAround = {
  readonly layout: Piece | null;
  readonly partials: Partials;
  /** Set for a layout: `{{{content}}}` marks where a template is inserted. */
  readonly isLayout: boolean;
  /** Inlines style sheets into the elements they match. */
  readonly inlineCss?: boolean;
};

export const ALONE: TemplateAround = { layout: null, partials: new Map(), isLayout: false };

/** Parses each piece once, however often it is included. */
export class PieceReader {
  readonly #parsed = new Map<Piece, Map<PartName, ParsedSource>>();

  read(piece: Piece, part: 'html' | 'text'): ParsedSource {
    const parts = this.#parsed.get(piece) ?? new Map<PartName, ParsedSource>();
    this.#parsed.set(piece, parts);
    const parsed = parts.get(part) ?? parseSource(piece.source[part]);
    parts.set(part, parsed);
    return parsed;
  }
}

/** All pieces of one part that could be parsed, without duplicates. */
export function piecesOf({ layout, partials }: TemplateAround): readonly Piece[] {
  const found = new Set<Piece>(layout === null ? [] : [layout]);
  for (const piece of partials.values()) found.add(piece);
  // Iterating a set also visits entries added during the iteration.
  for (const piece of found) for (const inner of piece.partials.values()) found.add(inner);
  return [...found];
}
