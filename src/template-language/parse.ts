/**
 * Parses template text to the parser's tree. The scan runs first, so that the parser only gets input it
 * handles quickly. Text that the parser refuses is parsed again tag by tag, so that every mistake is
 * reported.
 */

import { nearestName } from '../runtime/nearest-name.ts';
import { type Program, parseTree } from './ast.ts';
import { shown } from './hints.ts';
import { PART_LIMITS } from './limits.ts';
import { type SourceFinding, scanTags, type TemplateTag, type TemplateTagKind } from './scan.ts';
import type { Place, ProblemCode } from './tree.ts';
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
type LoneTag = { readonly program: Program; readonly origin: Place };

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

type Structure = {
  readonly findings: readonly SourceFinding[];
  readonly exceeded: SourceFinding | null;
};

/** Checks that blocks open and close in order. Reads tags only, so that every mistake is found. */
function checkStructure(tags: readonly TemplateTag[]): Structure {
  const blocks = new OpenBlocks();
  for (const tag of tags) {
    if (tag.kind === 'open') blocks.open(tag);
    else if (tag.kind === 'close') blocks.close(tag);
    else if (tag.kind === 'else' || tag.kind === 'else-chain') blocks.divide(tag);
    if (blocks.exceeded !== null || blocks.findings.length > PART_LIMITS.problems) break;
  }
  if (blocks.exceeded === null) blocks.end();
  return blocks;
}

type OpenBlock = { readonly tag: TemplateTag; links: number; hasElse: boolean };

class OpenBlocks implements Structure {
  readonly findings: SourceFinding[] = [];
  exceeded: SourceFinding | null = null;
  readonly #stack: OpenBlock[] = [];

  open(tag: TemplateTag): void {
    this.#stack.push({ tag, links: 0, hasElse: false });
    if (this.#stack.length > PART_LIMITS.nesting) {
      this.#exceed(`Blocks may be nested ${PART_LIMITS.nesting} deep; this is one too many.`, tag.place);
    }
  }

  divide(tag: TemplateTag): void {
    const block = this.#stack.at(-1);
    if (!block) {
      this.#find(
        'misplaced_else',
        '{{else}} stands outside of any block: put it between {{#if …}} and {{/if}}.',
        tag,
      );
      return;
    }
    if (block.hasElse) {
      const what = `{{#${shown(block.tag.name)}}} from ${at(block.tag.place)} has an {{else}} already`;
      this.#find('misplaced_else', `${what}: only {{else if …}} may come more than once, before it.`, tag);
    }
    if (tag.kind === 'else') block.hasElse = true;
    else block.links += 1;
    if (block.links > PART_LIMITS.chain) {
      this.#exceed(`A block may have ${PART_LIMITS.chain} {{else if}}; this is one too many.`, tag.place);
    }
  }

  close(tag: TemplateTag): void {
    const top = this.#stack.at(-1);
    if (!top) {
      this.#find(
        'unexpected_close',
        `{{/${shown(tag.name)}}} closes nothing: there is no open block here. Remove it.`,
        tag,
      );
      return;
    }
    const index = this.#stack.findLastIndex((block) => block.tag.name === tag.name);
    if (index >= 0) {
      for (const block of this.#stack.splice(index).slice(1)) this.#neverClosed(block.tag, tag);
      return;
    }
    const expected = `{{/${shown(top.tag.name)}}}`;
    const opened = `{{#${shown(top.tag.name)}}} from ${at(top.tag.place)}`;
    this.#find(
      'unexpected_close',
      `{{/${shown(tag.name)}}} does not match ${opened}: write ${expected}.`,
      tag,
    );
    // A misspelt closing tag is one mistake, not a second one for an unclosed block.
    if (tag.name === '' || nearestName(tag.name, [top.tag.name]) !== undefined) this.#stack.pop();
  }

  end(): void {
    for (const block of this.#stack) this.#neverClosed(block.tag, null);
  }

  #neverClosed(tag: TemplateTag, before: TemplateTag | null): void {
    const where = before === null ? '' : ` before {{/${shown(before.name)}}} at ${at(before.place)}`;
    this.#find(
      'unclosed_block',
      `{{#${shown(tag.name)}}} is never closed${where}: add {{/${shown(tag.name)}}}.`,
      tag,
    );
  }

  #find(code: ProblemCode, message: string, tag: TemplateTag): void {
    this.findings.push({ code, message, place: tag.place });
  }

  #exceed(message: string, place: Place): void {
    this.exceeded = { code: 'too_complex', message, place };
  }
}

function at(place: Place): string {
  return `${place.line}:${place.column}`;
}
