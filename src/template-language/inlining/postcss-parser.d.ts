/** The parser that postcss exports for custom syntaxes, without types. Only what `sheet-parser.ts` uses. */
declare module 'postcss/lib/parser' {
  import type { Input, Root } from 'postcss';

  export type Token = [type: string, text: string, ...places: number[]];

  export interface Tokenizer {
    endOfFile(): boolean;
    nextToken(options?: { ignoreUnclosed?: boolean }): Token;
  }

  // biome-ignore lint/style/noDefaultExport: postcss exports a default
  export default class Parser {
    readonly root: Root;
    spaces: string;
    tokenizer: Tokenizer;
    constructor(input: Input);
    createTokenizer(): void;
    freeSemicolon(token: Token): void;
    end(token: Token): void;
    comment(token: Token): void;
    atrule(token: Token): void;
    emptyRule(token: Token): void;
    other(token: Token): void;
    endFile(): void;
  }
}
