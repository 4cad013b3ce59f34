/**
 * Parses template text to the parser's tree. The scan runs first, so that the parser only gets input it
 * handles quickly. Text that the parser refuses is parsed again tag by tag, so that every mistake is
 * reported.
 */
import { type Program, parseTree } from './ast.ts';
import { PART_LIMITS } from './limits.ts';
import { type SourceFinding, scanTags, type TemplateTag, type TemplateTagKind } from './scan.ts';
import { checkStructure } from './structure.ts';
import type { Place } from './tree.ts';
import { controlWhitespace } from './whitespace.ts';

export type ParsedSource =
  | { readonly kind: 'parsed'; readonly program: Program }
  /** Too large or too deep to parse. */
  | { readonly kind: 'exceeded'; readonly finding: SourceFinding }
  /** Not a complete template. The tags that can be parsed alone are still checked. */
  | {
      readonly kind: 'broken';
      readonly findings: readonly SourceFinding[];
      readonly readable: readonly LoneTag[];
    };

/** A tag parsed on its own; positions in its tree are relative to `origin`. */
export type LoneTag = { readonly program: Program; readonly origin: Place };

export function parseSource(source: string): ParsedSource {
  const tooLarge = checkSize(source);
  if (tooLarge !== null) return { kind: 'exceeded', finding: tooLarge };
  const scan = scanTags(source);
  if (scan.exceeded !== null) return { kind: 'exceeded', finding: scan.exceeded };
  const structure = checkStructure(scan.tags);
  if (structure.exceeded !== null) return { kind: 'exceeded', finding: structure.exceeded };
  const findings = [...scan.findings, ...structure.findings];
  if (findings.length > 0) return parseAlone(source, scan.tags, findings);
  try {
    const program = parseTree(withQuietComments(source, scan.tags));
    controlWhitespace(program);
    return { kind: 'parsed', program };
  } catch (error) {
    const alone = parseAlone(source, scan.tags, []);
    if (alone.findings.length > 0) return alone;
    return { ...alone, findings: [syntaxFinding(error, { line: 1, column: 1 }, 0)] };
  }
}

function checkSize(source: string): SourceFinding | null {
  const bytes = Buffer.byteLength(source);
  if (bytes > PART_LIMITS.bytes) return tooMany(`${bytes} bytes`, PART_LIMITS.bytes);
  const lines = 1 + count(source, '\n') + count(source, '\r');
  return lines > PART_LIMITS.lines ? tooMany(`${lines} lines`, PART_LIMITS.lines) : null;
}

function tooMany(what: string, most: number): SourceFinding {
  const message = `This part has ${what}; at most ${most} are allowed.`;
  return { code: 'too_large', message, place: { line: 1, column: 1 } };
}

function count(source: string, char: string): number {
  let found = 0;
  for (let at = source.indexOf(char); at >= 0; at = source.indexOf(char, at + 1)) found += 1;
  return found;
}

/**
 * For every `{{!--` the parser copies the rest of the template. So each comment is replaced by blanks of the
 * same length (line breaks stay) in the other form, `{{! }}`.
 */
function withQuietComments(source: string, tags: readonly TemplateTag[]): string {
  let result = '';
  let copied = 0;
  for (const { kind, start, end } of tags) {
    if (kind !== 'comment') continue;
    const head = source.indexOf('!', start) + 1;
    const tail = source[end - 3] === '~' ? end - 3 : end - 2;
    result += source.slice(copied, head);
    result += source.slice(head, tail).replace(/[^\r\n]/g, ' ');
    copied = tail;
  }
  return result + source.slice(copied);
}

const READABLE: ReadonlySet<TemplateTagKind> = new Set<TemplateTagKind>(['open', 'else-chain', 'other']);

function parseAlone(
  source: string,
  tags: readonly TemplateTag[],
  before: readonly SourceFinding[],
): Extract<ParsedSource, { kind: 'broken' }> {
  const findings = [...before];
  const readable: LoneTag[] = [];
  for (const tag of tags.slice(0, PART_LIMITS.tagsReadAlone)) {
    if (tag.isBroken || !READABLE.has(tag.kind)) continue;
    if (findings.length > PART_LIMITS.problems) break;
    const text = source.slice(tag.start, tag.end);
    const [prefix, suffix] = surroundings(tag);
    try {
      const program = parseTree(prefix + text + suffix);
      readable.push({ program, origin: shifted(tag.place, -prefix.length) });
    } catch (error) {
      findings.push(syntaxFinding(error, tag.place, prefix.length));
    }
  }
  return { kind: 'broken', findings, readable };
}

/** The text that completes a single tag to a whole template. */
function surroundings({ kind, name }: TemplateTag): [prefix: string, suffix: string] {
  if (kind === 'open') return ['', `{{/${name}}}`];
  if (kind === 'else-chain') return ['{{#if x}}', '{{/if}}'];
  return ['', ''];
}

function shifted({ line, column }: Place, columns: number): Place {
  return { line, column: column + columns };
}

type ParserError = Error & {
  readonly lineNumber?: number;
  readonly column?: number;
  readonly hash?: {
    readonly text?: string;
    readonly loc?: { readonly last_line: number; readonly last_column: number };
  };
};

/** Replaces the parser's messages, which list its tokens, by the problem and its position. */
function syntaxFinding(error: unknown, origin: Place, prefixLength: number): SourceFinding {
  const { message, lineNumber, column, hash } = error as ParserError;
  if (lineNumber !== undefined && column !== undefined) {
    const reason = message.replace(/ - \d+:\d+$/, '');
    const place = placeFrom(origin, lineNumber, column + 1, prefixLength);
    const path = /^Invalid path: (.*)$/s.exec(reason)?.[1];
    if (path === undefined) return { code: 'syntax_error', message: `${reason}.`, place };
    const advice = 'this, . and .. may stand only at the beginning of a name';
    return { code: 'invalid_path', message: `${excerpt(path)} cannot be read: ${advice}.`, place };
  }
  if (hash?.loc === undefined) {
    return { code: 'syntax_error', message: 'This cannot be read as a template.', place: origin };
  }
  const place = placeFrom(origin, hash.loc.last_line, hash.loc.last_column + 1, prefixLength);
  return { code: 'syntax_error', message: unexpected(hash.text ?? ''), place };
}

function unexpected(text: string): string {
  if (text === '') return 'The template ends in the middle of a tag.';
  if (/^~?\}\}/.test(text)) return 'Something is missing before }}: a tag is a name, like {{name}}.';
  if (/^-?\d/.test(text)) return `A number at the end of a path goes into brackets: {{items.[${text}]}}.`;
  if (/^[#/]/.test(text)) return `Write {{${text[0]} without a space in between: {{#if x}} … {{/if}}.`;
  if (text === '=') return 'An = cannot stand here: to compare, write {{#if (eq a b)}}.';
  if (/^[&|<>!*+-]/.test(text)) {
    return `${excerpt(text)} cannot stand here: there are no operators; use helpers, like {{#if (and a b)}} or {{#if (gt a 5)}}.`;
  }
  return `${excerpt(text)} cannot stand here. Names with spaces or special characters go into brackets: {{[first name]}}.`;
}

function excerpt(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
}

function placeFrom(origin: Place, line: number, column: number, prefixLength: number): Place {
  if (line > 1) return { line: origin.line + line - 1, column };
  return { line: origin.line, column: Math.max(1, origin.column + column - 1 - prefixLength) };
}
