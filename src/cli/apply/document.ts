/** A YAML text as plain values, with the line of each. */
import {
  Composer,
  type CST,
  isCollection,
  isMap,
  isScalar,
  Lexer,
  LineCounter,
  type Node,
  Parser,
} from 'yaml';

/** Limit for expanded aliases: a few lines could otherwise fill the memory. */
const MAX_ALIASES = 100;
/** Limit for every kind of nesting; the file format itself needs about ten levels. */
const MAX_NESTING = 50;

export type DocumentPath = readonly (string | number)[];

export type ParsedDocument =
  | { readonly ok: true; readonly value: unknown; readonly lineOf: (path: DocumentPath) => number }
  | { readonly ok: false; readonly line: number; readonly message: string };

export function parseYaml(text: string): ParsedDocument {
  const lines = new LineCounter();
  const lineAt = (offset: number) => lines.linePos(offset).line;
  const tokens = tokensOf(text, lines);
  if (tokens === null) return broken(lineAt(text.length), `is nested more than ${MAX_NESTING} deep`);
  const [document, another] = new Composer(OPTIONS).compose(tokens, true, text.length);
  if (document === undefined || another !== undefined)
    return broken(lineAt(another?.range[0] ?? 0), 'must be one document');
  const [wrong] = [...document.errors, ...document.warnings];
  if (wrong !== undefined) return broken(lineAt(wrong.pos[0]), wrong.message);
  try {
    // Values that JSON lacks (.nan, .inf) become null, as they would on their way to the API.
    const value: unknown = JSON.parse(JSON.stringify(document.toJS({ maxAliasCount: MAX_ALIASES })));
    return { ok: true, value, lineOf: (path) => lineAt(offsetOf(document.contents, path)) };
  } catch (error) {
    return broken(1, (error as Error).message);
  }
}

const OPTIONS = { prettyErrors: false, stringKeys: true, merge: false, resolveKnownTags: false } as const;

function broken(line: number, message: string): ParsedDocument {
  return { ok: false, line, message };
}

/** Null when nested too deeply, because the next steps are recursive and would overflow the stack. */
function tokensOf(text: string, lines: LineCounter): CST.Token[] | null {
  const parser = new Parser(lines.addNewLine);
  const tokens: CST.Token[] = [];
  lines.addNewLine(0);
  for (const lexeme of new Lexer().lex(text)) {
    tokens.push(...parser.next(lexeme));
    if (parser.stack.length > MAX_NESTING) return null;
  }
  tokens.push(...parser.end());
  return tokens;
}

/** Offset of the name; of its parent when the name does not exist. */
function offsetOf(contents: Node | null, path: DocumentPath): number {
  let node: unknown = contents;
  let offset = contents?.range?.[0] ?? 0;
  for (const step of path) {
    if (!isCollection(node)) break;
    const pair = isMap(node) ? node.items.find(({ key }) => isScalar(key) && key.value === step) : undefined;
    const place = (pair === undefined ? node.get(step, true) : pair.key) as Node | undefined;
    if (place?.range == null) break;
    offset = place.range[0];
    node = pair === undefined ? place : pair.value;
  }
  return offset;
}
