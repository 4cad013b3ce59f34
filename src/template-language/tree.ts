/**
 * A checked template: only nodes that may be rendered, with every name resolved to its source. No node of the
 * parser's tree passes the check.
 */
import type { HelperName } from './helpers.ts';

export type PartName = 'subject' | 'html' | 'text';

/** Line and column count from 1; columns are UTF-16 units, as in editors. */
export type Place = {
  readonly line: number;
  readonly column: number;
  /** The partial or layout of the position: `the partial "footer"`. Missing for the template itself. */
  readonly source?: string | undefined;
};

export type ProblemCode =
  | 'too_large'
  | 'too_complex'
  | 'syntax_error'
  | 'unclosed_tag'
  | 'unclosed_block'
  | 'unexpected_close'
  | 'misplaced_else'
  | 'unknown_helper'
  | 'unknown_block'
  | 'wrong_arguments'
  | 'not_supported'
  | 'invalid_path'
  | 'forbidden_name'
  | 'unknown_partial'
  | 'wrong_partial'
  | 'wrong_layout';

/** Why a template cannot be saved, with advice. */
export type TemplateProblem = Place & {
  readonly code: ProblemCode;
  readonly part: PartName;
  readonly message: string;
};

export type Body = { readonly nodes: readonly Node[]; readonly params: readonly string[] };

export type Node = TextNode | ValueNode | IfNode | EachNode | WithNode;

type TextNode = { readonly kind: 'text'; readonly text: string };

export type ValueNode = {
  readonly kind: 'value';
  readonly value: Expression;
  readonly escaped: boolean;
  /** The value begins a URL: `<a href="{{link}}">`. */
  readonly startsUrl: boolean;
  readonly place: Place;
};

/** Also `unless` (negated) and the block form of helpers: `{{#equals a b}}`. */
export type IfNode = {
  readonly kind: 'if';
  readonly test: Expression;
  readonly negated: boolean;
  readonly body: Body;
  readonly otherwise: Body;
  readonly place: Place;
};

export type EachNode = {
  readonly kind: 'each';
  readonly list: Path;
  readonly body: Body;
  readonly otherwise: Body;
  readonly place: Place;
};

export type WithNode = {
  readonly kind: 'with';
  readonly subject: Path | Literal;
  readonly body: Body;
  readonly otherwise: Body;
  readonly place: Place;
};

export type Expression = Path | Literal | Call;

export type Path = {
  readonly kind: 'path';
  readonly from: PathOrigin;
  readonly parts: readonly string[];
  /** The original spelling. */
  readonly text: string;
  /**
   * The name in the data: `items[].price`; `''` is all of the data, and null is not part of the data
   * (`@index`).
   */
  readonly name: string | null;
  readonly place: Place;
};

export type PathOrigin =
  /** `depth` counts the `../`. */
  | { readonly kind: 'context'; readonly depth: number }
  /** `@index` and the like; the name is the first part. */
  | { readonly kind: 'loop'; readonly depth: number }
  /** A block parameter: the number of blocks with parameters outwards, and the index among its parameters. */
  | { readonly kind: 'param'; readonly level: number; readonly index: number };

export type Literal = {
  readonly kind: 'literal';
  readonly value: string | number | boolean | null | undefined;
  readonly place: Place;
};

export type Call = {
  readonly kind: 'call';
  readonly helper: HelperName;
  readonly args: readonly Expression[];
  readonly place: Place;
};

export const EMPTY_BODY: Body = { nodes: [], params: [] };
