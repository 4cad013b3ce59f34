/// <reference path="./postcss-parser.d.ts" />
/**
 * The parser of postcss, one statement at a time: its own loop parses a whole style sheet without a pause. For a long declaration it
 * takes quadratic time, so that what a statement may hold is limited.
 */
import { Input, type Root } from 'postcss';
import Parser, { type Token } from 'postcss/lib/parser';
import type { SlicedWork } from '../../runtime/sliced-work.ts';
import { INLINING_LIMITS } from './limits.ts';

const STATEMENTS_PER_STEP = 50;

/** A statement is longer than it may be. */
export class StatementTooLong extends Error {}

/** Throws where the sheet is no CSS, or a statement in it is too long. */
export function* parseSheet(css: string): SlicedWork<Root> {
  return yield* new SheetParser(new Input(css)).statements();
}

class SheetParser extends Parser {
  #tokens = 0;
  #chars = 0;

  *statements(): SlicedWork<Root> {
    for (let count = 1; !this.tokenizer.endOfFile(); count += 1) {
      this.#tokens = 0;
      this.#chars = 0;
      this.#statement(this.tokenizer.nextToken());
      if (count % STATEMENTS_PER_STEP === 0) yield;
    }
    this.endFile();
    return this.root;
  }

  /** The parser calls it from its constructor, before anything is read. */
  override createTokenizer(): void {
    super.createTokenizer();
    const { nextToken } = this.tokenizer;
    this.tokenizer.nextToken = (options) => this.#counted(nextToken(options));
  }

  /** There is none behind the last. */
  #counted(token: Token): Token {
    this.#tokens += 1;
    this.#chars += token?.[1].length ?? 0;
    if (this.#tokens * this.#chars > INLINING_LIMITS.statement) throw new StatementTooLong();
    return token;
  }

  /** As `parse()` of the parser does it. */
  #statement(token: Token): void {
    const [type, text] = token;
    if (type === 'space') this.spaces += text;
    else if (type === ';') this.freeSemicolon(token);
    else if (type === '}') this.end(token);
    else if (type === 'comment') this.comment(token);
    else if (type === 'at-word') this.atrule(token);
    else if (type === '{') this.emptyRule(token);
    else this.other(token);
  }
}
