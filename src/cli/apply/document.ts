/** A YAML text as plain values, and on which line each of them stands. */
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

/** How often aliases may repeat what they stand for, in all: a few lines could otherwise fill the memory. */
const MAX_ALIASES = 100;
/** Of everything that can be nested; the file itself needs about ten. */
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
    // What JSON has no word for (.nan, .inf) is null, as it would be on its way to the API.
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

/** Null where it is nested too deeply. What comes next goes down by recursion, and a stack has an end. */
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

/** Of the name, where there is one; of what holds it, where there is nothing of that name. */
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
