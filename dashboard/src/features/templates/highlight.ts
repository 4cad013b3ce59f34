/** Cuts a template into coloured pieces: HTML tags, comments, and what stands between braces. */
export type Kind = 'text' | 'tag' | 'hbs' | 'comment' | 'problem';

export interface Piece {
  readonly kind: Kind;
  readonly text: string;
}

export interface Place {
  readonly line: number;
  readonly column: number;
}

const TOKEN =
  /(\{\{!--[\s\S]*?--\}\}|\{\{![^}]*\}\}|<!--[\s\S]*?-->)|(\{\{\{?[\s\S]*?\}?\}\})|(<\/?[a-zA-Z][^<>{]*>?|\/?>)/g;

export function highlight(source: string, problem?: Place): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const found of source.matchAll(TOKEN)) {
    if (found.index > end) pieces.push({ kind: 'text', text: source.slice(end, found.index) });
    pieces.push({ kind: found[1] ? 'comment' : found[2] ? 'hbs' : 'tag', text: found[0] });
    end = found.index + found[0].length;
  }
  if (end < source.length) pieces.push({ kind: 'text', text: source.slice(end) });
  return problem ? withProblem(pieces, offsetOf(source, problem)) : pieces;
}

/** Lines and columns count from 1. */
export function offsetOf(source: string, { line, column }: Place): number {
  let start = 0;
  for (let at = 1; at < line; at += 1) {
    const next = source.indexOf('\n', start);
    if (next === -1) break;
    start = next + 1;
  }
  return Math.min(source.length, start + column - 1);
}

/** The server names the place of a mistake in its words: `line 2, column 5: …`. */
export function placeIn(message: string): Place | undefined {
  const found = /^line (\d+), column (\d+):/.exec(message);
  return found ? { line: Number(found[1]), column: Number(found[2]) } : undefined;
}

/** The piece at the place of the mistake; at the end of the text, the last one. */
function withProblem(pieces: readonly Piece[], offset: number): Piece[] {
  let start = 0;
  const index = pieces.findIndex((piece) => {
    start += piece.text.length;
    return offset < start;
  });
  const wrong = index === -1 ? pieces.length - 1 : index;
  return pieces.map((piece, place) => (place === wrong ? { ...piece, kind: 'problem' } : piece));
}
