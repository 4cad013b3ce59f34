/**
 * The parts of the parser's tree that we use. The package's own types do not resolve under `nodenext`, and
 * wrongly state that a block always has both branches.
 */
import { parseWithoutProcessing } from '@handlebars/parser';

/** Whitespace stays as written; whitespace.ts handles it. */
export function parseTree(source: string): Program {
  return parseWithoutProcessing(source) as unknown as Program;
}

export type AstNode = {
  readonly type: string;
  readonly loc: { readonly start: { readonly line: number; readonly column: number } };
};

export type Program = AstNode & {
  readonly body: readonly AstNode[];
  readonly blockParams?: readonly string[] | null;
  /** An `else if`: its only statement is the block. */
  readonly chained?: boolean;
};

export type StripFlags = { readonly open?: boolean; readonly close?: boolean };

export type ContentNode = AstNode & {
  value: string;
  readonly original: string;
  leftStripped?: boolean;
  rightStripped?: boolean;
};

/** A tag or a sub-expression. */
export type Caller = AstNode & {
  readonly path: AstNode;
  readonly params: readonly AstNode[];
  readonly hash?: Hash | undefined;
};

export type Mustache = Caller & { readonly escaped: boolean; readonly strip: StripFlags };

export type Block = Caller & {
  readonly program?: Program | undefined;
  readonly inverse?: Program | undefined;
  readonly openStrip: StripFlags;
  readonly inverseStrip?: StripFlags | undefined;
  readonly closeStrip?: StripFlags | undefined;
};

export type PartialTag = AstNode & {
  readonly name: AstNode & { readonly original?: unknown };
  readonly params: readonly AstNode[];
  readonly hash?: Hash | undefined;
};

export type PathExpression = AstNode & {
  readonly data: boolean;
  readonly depth: number;
  readonly parts: readonly (string | AstNode)[];
  readonly original: string;
};

export type LiteralNode = AstNode & { readonly value: string | number | boolean };

export type Hash = AstNode & { readonly pairs: readonly { readonly key: string }[] };

export function isPath(node: AstNode): node is PathExpression {
  return node.type === 'PathExpression';
}
