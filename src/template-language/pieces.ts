/** What a template is put together with: partials (`{{> name}}`), and the layout around it. */
import { type ParsedSource, parseSource } from './parse.ts';
import type { PartName } from './tree.ts';

/** A partial or a layout. Each knows by itself what the names in it mean, so that a version always means the same. */
export type Piece = {
  /** For people: `the partial "footer"`. */
  readonly title: string;
  readonly source: { readonly html: string; readonly text: string };
  readonly partials: Partials;
};

export type Partials = ReadonlyMap<string, Piece>;

export type TemplateAround = {
  readonly layout: Piece | null;
  readonly partials: Partials;
  /** It is a layout itself: `{{{content}}}` is where a template goes. */
  readonly isLayout: boolean;
  /** What style sheets say is written into the elements that they mean. */
  readonly inlineCss?: boolean;
};

export const ALONE: TemplateAround = { layout: null, partials: new Map(), isLayout: false };

/** Reads each piece once, however often it is included. */
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

/** All that could be read for one part, each once. */
export function piecesOf({ layout, partials }: TemplateAround): readonly Piece[] {
  const found = new Set<Piece>(layout === null ? [] : [layout]);
  for (const piece of partials.values()) found.add(piece);
  // A set that grows while it is walked is walked to its end.
  for (const piece of found) for (const inner of piece.partials.values()) found.add(inner);
  return [...found];
}
