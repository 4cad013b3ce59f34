/**
 * Converts the parser's tree to ours by an allow-list. Unknown nodes are refused, all problems are reported
 * together, and the result contains only nodes that can be rendered.
 */
import {
  type AstNode,
  type Block,
  type ContentNode,
  isPath,
  type Mustache,
  type PartialTag,
  type PathExpression,
  type Program,
} from './ast.ts';
import { CallChecker } from './check-call.ts';
import { CheckState } from './check-state.ts';
import { aboutUnknownBlock, isForeignWord } from './hints.ts';
import { type CheckAround, Inclusions, isSlot } from './inclusions.ts';
import type { Partials } from './pieces.ts';
import type {
  Body,
  EachNode,
  Expression,
  Literal,
  Node,
  PartName,
  Path,
  Place,
  TemplateProblem,
} from './tree.ts';
import { EMPTY_BODY } from './tree.ts';

export type Checked =
  | { readonly ok: true; readonly body: Body }
  | { readonly ok: false; readonly problems: readonly TemplateProblem[] };

export function checkProgram(part: PartName, program: Program, around: CheckAround): Checked {
  const { partials, reader, slot, source } = around;
  const state = new CheckState(part, { line: 1, column: 1, source });
  const inclusions = new Inclusions(state, reader);
  const checker = new Checker(state, inclusions, partials, slot);
  const body = checker.body(program);
  if (slot !== null) inclusions.requireSlot(program);
  return state.problems.length === 0 ? { ok: true, body } : { ok: false, problems: state.problems };
}

/** For a tag whose surroundings could not be parsed: its scope is unknown, so `../` may lead anywhere. */
export function checkLoneTag(
  part: PartName,
  program: Program,
  origin: Place,
  { partials, reader, source }: CheckAround,
): readonly TemplateProblem[] {
  const state = new CheckState(part, { ...origin, source });
  state.knowsSurroundings = false;
  new Checker(state, new Inclusions(state, reader), partials, null).body(program);
  return state.problems;
}

class Checker {
  readonly #state: CheckState;
  readonly #calls: CallChecker;
  readonly #inclusions: Inclusions;
  readonly #partials: Partials;
  readonly #slot: Body | null;

  constructor(state: CheckState, inclusions: Inclusions, partials: Partials, slot: Body | null) {
    this.#state = state;
    this.#calls = new CallChecker(state);
    this.#inclusions = inclusions;
    this.#partials = partials;
    this.#slot = slot;
  }

  body(program: Program | undefined, params: readonly string[] = []): Body {
    if (program === undefined) return EMPTY_BODY;
    const nodes: Node[] = [];
    for (const statement of program.body) {
      if (this.#state.isFull) break;
      for (const node of this.#nodesOf(statement)) {
        const last = nodes.at(-1);
        // A comment or a partial can leave two adjacent texts.
        if (node.kind === 'text' && last?.kind === 'text') {
          nodes[nodes.length - 1] = { kind: 'text', text: last.text + node.text };
        } else nodes.push(node);
      }
    }
    return { nodes, params };
  }

  /** The content of partials and of a layout's slot is inserted as if it had been written in place. */
  #nodesOf(statement: AstNode): readonly Node[] {
    if (!this.#inclusions.count(statement)) return [];
    if (statement.type === 'PartialStatement') {
      return this.#inclusions.include(statement as PartialTag, this.#partials, (program, partials) =>
        new Checker(this.#state, this.#inclusions, partials, null).body(program),
      );
    }
    if (this.#slot !== null && isSlot(statement)) return this.#inclusions.fillSlot(statement, this.#slot);
    const node = this.#statement(statement);
    return node === null ? [] : [node];
  }

  #statement(statement: AstNode): Node | null {
    switch (statement.type) {
      case 'ContentStatement':
        return this.#text(statement as ContentNode);
      case 'CommentStatement':
        return null;
      case 'MustacheStatement':
        return this.#value(statement as Mustache);
      case 'BlockStatement':
        return this.#block(statement as Block);
      case 'PartialBlockStatement':
        return this.#refuse(statement, 'Partials have no block form ({{#> name}}): write {{> name}}.');
      case 'Decorator':
      case 'DecoratorBlock':
        return this.#refuse(
          statement,
          'Decorators ({{* name}}) and inline partials are not supported: remove it.',
        );
      default:
        return this.#refuse(statement, 'This kind of tag is not supported.');
    }
  }

  #refuse(node: AstNode, message: string): null {
    this.#state.add('not_supported', message, node);
    return null;
  }

  #text({ value }: ContentNode): Node | null {
    if (value === '') return null;
    this.#state.textBefore = value.slice(-80);
    return { kind: 'text', text: value };
  }

  #value(mustache: Mustache): Node | null {
    const startsUrl = this.#state.inUrlStart();
    this.#state.textBefore = '';
    const value = this.#valueExpression(mustache);
    if (value === null) return null;
    return {
      kind: 'value',
      value,
      escaped: mustache.escaped,
      startsUrl,
      place: this.#state.placeOf(mustache),
    };
  }

  #valueExpression(mustache: Mustache): Expression | null {
    const { path, params } = mustache;
    if (path.type === 'SubExpression') {
      return this.#refuse(mustache, 'A tag cannot begin with parentheses: write {{upper name}}.');
    }
    if (!isPath(path)) {
      this.#state.add(
        'invalid_path',
        'A tag needs a name: {{name}}. Text is written without braces.',
        mustache,
      );
      return null;
    }
    const name = simpleName(path);
    const isCall =
      params.length > 0 || (name !== null && (this.#calls.isReserved(name) || isForeignWord(name)));
    if (isCall || mustache.hash !== undefined) return this.#calls.call(mustache);
    return this.#calls.path(path);
  }

  #block(block: Block): Node | null {
    const place = this.#state.placeOf(block);
    const name = isPath(block.path) ? simpleName(block.path) : null;
    if (block.hash !== undefined) this.#state.addHash(block.hash);
    switch (name) {
      case 'if':
      case 'unless': {
        this.#refuseParams(block, name);
        const [test] = this.#calls.args(name, `#${name} value`, 1, 1, block);
        return this.#conditional(block, test, name === 'unless', place);
      }
      case 'each':
      case 'with':
        return this.#contextBlock(name, block, place);
      default:
        return this.#helperBlock(name, block, place);
    }
  }

  #conditional(block: Block, test: Expression | undefined, negated: boolean, place: Place): Node | null {
    const body = this.body(block.program);
    const otherwise = this.body(block.inverse);
    return test === undefined ? null : { kind: 'if', test, negated, body, otherwise, place };
  }

  #helperBlock(name: string | null, block: Block, place: Place): Node | null {
    const isCondition = name !== null && this.#calls.isCondition(name);
    if (!isCondition) {
      const shown = name ?? (block.path as { original?: unknown }).original;
      const message = aboutUnknownBlock(String(shown), block.params.length > 0);
      this.#state.add('unknown_block', message, block);
      // The block's effect on the context is unknown.
      this.#state.guessing(() => this.#conditional(block, undefined, false, place));
      return null;
    }
    this.#refuseParams(block, name);
    const test = this.#calls.call(block) ?? undefined;
    return this.#conditional(block, test, false, place);
  }

  #contextBlock(name: 'each' | 'with', block: Block, place: Place): Node | null {
    const [subject] = this.#calls.args(name, `#${name} ${name === 'each' ? 'list' : 'object'}`, 1, 1, block);
    const params = this.#blockParams(name, block);
    const base = subject?.kind === 'path' ? subject.name : null;
    const inner = name === 'each' && base !== null ? `${base}[]` : base;
    const body = this.#state.inside({ base: inner, params, isLoop: name === 'each' }, () =>
      this.body(block.program, params),
    );
    const otherwise = this.body(block.inverse);
    if (subject === undefined) return null;
    if (subject.kind === 'call' || (name === 'each' && subject.kind === 'literal')) {
      const what = name === 'each' ? 'a list: {{#each items}}' : 'a variable: {{#with user}}';
      this.#state.add('wrong_arguments', `{{#${name}}} takes the name of ${what}.`, block);
      return null;
    }
    if (name === 'each')
      return { kind: 'each', list: subject as Path, body, otherwise, place } satisfies EachNode;
    return { kind: 'with', subject: subject as Path | Literal, body, otherwise, place };
  }

  #blockParams(name: 'each' | 'with', block: Block): readonly string[] {
    const params = block.program?.blockParams ?? [];
    if (block.inverse?.blockParams !== undefined && block.inverse.blockParams !== null) {
      this.#state.add('wrong_arguments', 'Names (as |…|) need {{#…}}, not {{^…}}.', block);
    }
    const most = name === 'each' ? 2 : 1;
    if (params.length > most) {
      const usage = name === 'each' ? 'as |item index|' : 'as |object|';
      this.#state.add('wrong_arguments', `{{#${name}}} gives at most ${most} names: ${usage}.`, block);
    }
    for (const [i, param] of params.entries()) {
      if (params.indexOf(param) !== i) {
        this.#state.add('wrong_arguments', `The name ${param} is given twice.`, block);
      }
      this.#calls.checkParamName(param, block);
    }
    return params;
  }

  #refuseParams(block: Block, name: string): void {
    const given = block.program?.blockParams ?? block.inverse?.blockParams;
    if (given === undefined || given === null) return;
    this.#state.add('wrong_arguments', `{{#${name}}} gives no names: remove "as |…|".`, block);
  }
}

/** The name of a plain variable: `foo`, but not `foo.bar`, `../foo`, `@foo` or `this.foo`. */
function simpleName(path: PathExpression): string | null {
  const [only] = path.parts;
  const isSimple = path.parts.length === 1 && path.depth === 0 && !path.data && path.original === only;
  return isSimple && typeof only === 'string' ? only : null;
}
