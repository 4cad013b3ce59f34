/**
 * Removes whitespace around tags: `~`, and lines with nothing but a block tag or a comment.
 *
 * Follows Handlebars 4.7. The parser package has its own pass, but since 2.2.3 it treats the end of `{{else
 * if}}` chains differently, and a template must render to the same bytes here as in its original service.
 */
import type { AstNode, Block, ContentNode, Mustache, Program, StripFlags } from './ast.ts';

export function controlWhitespace(root: Program): void {
  visitProgram(root, true);
}

/** The whitespace that a statement strips from the surrounding text. */
type Wish = StripFlags & {
  readonly openStandalone?: boolean;
  readonly closeStandalone?: boolean;
  readonly inlineStandalone?: boolean;
};

/** `chainLink`: 1 for the first `else if` of a block, 2 for the next. */
function visitProgram({ body }: Program, isRoot: boolean, chainLink = 0): void {
  for (const [i, statement] of body.entries()) {
    const wish = visit(statement, chainLink);
    if (wish === null) continue;
    const blankBefore = endsOnBlankLine(body, i - 1, isRoot);
    const blankAfter = startsWithBlankLine(body, i + 1, isRoot);
    if (wish.close) stripStart(body[i + 1], true);
    if (wish.open) stripEnd(body[i - 1], true);
    if (wish.inlineStandalone && blankBefore && blankAfter) {
      stripStart(body[i + 1], false);
      // The indentation of a partial is kept.
      if (statement.type !== 'PartialStatement') stripEnd(body[i - 1], false);
    }
    const block = statement as Block;
    if (wish.openStandalone && blankBefore) {
      stripStart((block.program ?? block.inverse)?.body[0], false);
      stripEnd(body[i - 1], false);
    }
    if (wish.closeStandalone && blankAfter) {
      stripStart(body[i + 1], false);
      stripEnd((block.inverse ?? block.program)?.body.at(-1), false);
    }
  }
}

function visit(statement: AstNode, chainLink: number): Wish | null {
  switch (statement.type) {
    case 'BlockStatement':
    case 'DecoratorBlock':
    case 'PartialBlockStatement':
      return visitBlock(statement as Block, chainLink);
    case 'MustacheStatement':
    case 'Decorator':
      return (statement as Mustache).strip;
    case 'CommentStatement':
    case 'PartialStatement':
      return { ...(statement as Mustache).strip, inlineStandalone: true };
    default:
      return null;
  }
}

function visitBlock(block: Block, chainLink: number): Wish {
  if (block.program) visitProgram(block.program, false);
  if (block.inverse) visitProgram(block.inverse, false, block.inverse.chained ? chainLink + 1 : 0);
  const closeStrip = closeStripOf(block, chainLink);
  const main = (block.program ?? block.inverse)?.body ?? [];
  const inverse = block.program && block.inverse;
  const firstInverse = inverse && (inverse.chained ? linkOf(inverse).program?.body : inverse.body);
  const wish = {
    open: block.openStrip.open === true,
    close: closeStrip.close === true,
    openStandalone: startsWithBlankLine(main, 0, false),
    closeStandalone: endsOnBlankLine(firstInverse ?? main, (firstInverse ?? main).length - 1, false),
  };
  if (block.openStrip.close) stripStart(main[0], true);
  if (!inverse || !firstInverse) {
    if (closeStrip.open) stripEnd(main.at(-1), true);
    return wish;
  }
  if (block.inverseStrip?.open) stripEnd(main.at(-1), true);
  if (block.inverseStrip?.close) stripStart(firstInverse[0], true);
  if (closeStrip.open) stripEnd(lastLink(inverse).body.at(-1), true);
  const elseAlone =
    endsOnBlankLine(main, main.length - 1, false) && startsWithBlankLine(firstInverse, 0, false);
  if (elseAlone) {
    stripEnd(main.at(-1), false);
    stripStart(firstInverse[0], false);
  }
  return wish;
}

/** From the second `else if` on, Handlebars 4.7 uses the tag's own strip flags for its end. */
function closeStripOf(block: Block, chainLink: number): StripFlags {
  return (chainLink >= 2 ? block.openStrip : block.closeStrip) ?? {};
}

function linkOf(chained: Program): Block {
  return chained.body.at(-1) as Block;
}

function lastLink(chained: Program): Program {
  let last = chained;
  while (last.chained) last = linkOf(last).program as Program;
  return last;
}

function endsOnBlankLine(body: readonly AstNode[], index: number, isRoot: boolean): boolean {
  const previous = body[index];
  if (!previous) return isRoot;
  if (!isContent(previous)) return false;
  const text = previous.original;
  const kept = text.trimEnd().length;
  return text.includes('\n', kept) || (kept === 0 && isRoot && index === 0);
}

function startsWithBlankLine(body: readonly AstNode[], index: number, isRoot: boolean): boolean {
  const next = body[index];
  if (!next) return isRoot;
  if (!isContent(next)) return false;
  const text = next.original;
  const blank = text.length - text.trimStart().length;
  const lineEnd = text.indexOf('\n');
  return (lineEnd >= 0 && lineEnd < blank) || (blank === text.length && isRoot && index === body.length - 1);
}

function stripStart(statement: AstNode | undefined, all: boolean): void {
  if (!statement || !isContent(statement) || (!all && statement.rightStripped)) return;
  const before = statement.value;
  statement.value = all ? before.trimStart() : before.replace(/^[ \t]*\r?\n?/, '');
  statement.rightStripped = statement.value !== before;
}

function stripEnd(statement: AstNode | undefined, all: boolean): void {
  if (!statement || !isContent(statement) || (!all && statement.leftStripped)) return;
  const before = statement.value;
  statement.value = all ? before.trimEnd() : withoutIndent(before);
  statement.leftStripped = statement.value !== before;
}

function withoutIndent(text: string): string {
  let end = text.length;
  while (end > 0 && (text[end - 1] === ' ' || text[end - 1] === '\t')) end -= 1;
  return text.slice(0, end);
}

function isContent(statement: AstNode): statement is ContentNode {
  return statement.type === 'ContentStatement';
}
