/// <reference path="./postcss-parser.d.ts" />
/**
 * Runs the postcss parser one statement at a time, because its own loop parses a whole sheet without a pause.
 * A long declaration takes quadratic time, so the size of a statement is limited.
 */
import { Input, type Root } from 'postcss';
import Parser, { type Token } from 'postcss/lib/parser';
import type { SlicedWork } from '../../runtime/sliced-work.ts';
import { INLINING_LIMITS } from './limits.ts';

const STATEMENTS_PER_STEP = 50;

/** A statement exceeds the limit. */
export class StatementTooLong extends Error {}

/** Throws for invalid CSS, or a statement that is too long. */
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

  /** The parser calls this from its constructor, before any input is read. */
  override createTokenizer(): void {
    super.createTokenizer();
    const { nextToken } = this.tokenizer;
    this.tokenizer.nextToken = (options) => this.#counted(nextToken(options));
  }

  /** Returns no token behind the last one. */
  #counted(token: Token): Token {
    this.#tokens += 1;
    this.#chars += token?.[1].length ?? 0;
    if (this.#tokens * this.#chars > INLINING_LIMITS.statement) throw new StatementTooLong();
    return token;
  }

  /** The same as the parser's own `parse()`. */
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
