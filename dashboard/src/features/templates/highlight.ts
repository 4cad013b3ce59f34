/** Cuts a template into coloured pieces: tags with their attributes, comments and Handlebars. */
type Kind = 'text' | 'tag' | 'attr' | 'value' | 'hbs' | 'comment' | 'problem';

interface Piece {
  readonly kind: Kind;
  readonly text: string;
}

export interface Place {
  readonly line: number;
  readonly column: number;
}

/** The part of HTML that a character belongs to. A quotation mark: a value that ends with it. */
type State = 'text' | 'tag' | '"' | "'";

interface Rule {
  readonly pattern: RegExp;
  readonly kind: Kind;
  /** The state after the piece. Unchanged if missing. */
  readonly next?: State;
}

const TEMPLATE: readonly Rule[] = [
  { pattern: /\{\{!--[\s\S]*?--\}\}|\{\{![^}]*\}\}/y, kind: 'comment' },
  { pattern: /\{\{\{?[\s\S]*?\}?\}\}/y, kind: 'hbs' },
];

const RULES: Readonly<Record<State, readonly Rule[]>> = {
  text: [
    ...TEMPLATE,
    { pattern: /<!--[\s\S]*?-->/y, kind: 'comment' },
    { pattern: /<\/?[a-zA-Z][^\s<>{"'=/]*/y, kind: 'tag', next: 'tag' },
    { pattern: /[^<{]+|[<{]/y, kind: 'text' },
  ],
  tag: [
    ...TEMPLATE,
    { pattern: /\/?>/y, kind: 'tag', next: 'text' },
    { pattern: /"/y, kind: 'value', next: '"' },
    { pattern: /'/y, kind: 'value', next: "'" },
    { pattern: /=[^\s<>{"']*/y, kind: 'value' },
    { pattern: /[^\s<>{"'=/]+/y, kind: 'attr' },
    { pattern: /</y, kind: 'text', next: 'text' },
    { pattern: /[\s\S]/y, kind: 'text' },
  ],
  '"': [...TEMPLATE, { pattern: /"/y, kind: 'value', next: 'tag' }, { pattern: /[^{"]+|\{/y, kind: 'value' }],
  "'": [...TEMPLATE, { pattern: /'/y, kind: 'value', next: 'tag' }, { pattern: /[^{']+|\{/y, kind: 'value' }],
};

export function highlight(source: string, problem?: Place): Piece[] {
  const pieces: { kind: Kind; text: string }[] = [];
  let state: State = 'text';
  for (let at = 0; at < source.length; ) {
    const { kind, text, next } = pieceAt(source, at, state);
    const last = pieces.at(-1);
    if (last?.kind === kind && kind !== 'hbs') last.text += text;
    else pieces.push({ kind, text });
    at += text.length;
    state = next;
  }
  return problem ? withProblem(pieces, offsetOf(source, problem)) : pieces;
}

function pieceAt(source: string, at: number, state: State): Piece & { readonly next: State } {
  for (const { pattern, kind, next = state } of RULES[state]) {
    pattern.lastIndex = at;
    const found = pattern.exec(source);
    if (found) return { kind, text: found[0], next };
  }
  return { kind: 'text', text: source.slice(at, at + 1), next: state };
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

/** Errors of the server begin with the place: `line 2, column 5: …`. */
export function placeIn(message: string): Place | undefined {
  const found = /^line (\d+), column (\d+):/.exec(message);
  return found ? { line: Number(found[1]), column: Number(found[2]) } : undefined;
}

/** Marks the piece at the place of the mistake, or the last piece. */
function withProblem(pieces: readonly Piece[], offset: number): Piece[] {
  let start = 0;
  const index = pieces.findIndex((piece) => {
    start += piece.text.length;
    return offset < start;
  });
  const wrong = index === -1 ? pieces.length - 1 : index;
  return pieces.map((piece, place) => (place === wrong ? { ...piece, kind: 'problem' } : piece));
}
