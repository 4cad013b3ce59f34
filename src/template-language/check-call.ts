/** Names, literals and helper calls: the expressions inside a tag. */
import { type AstNode, type Caller, isPath, type LiteralNode, type PathExpression } from './ast.ts';
import type { CheckState } from './check-state.ts';
import { offsetMinutes } from './format-date.ts';
import { type HelperName, helper, INSERT_PREFIX, isHelperName } from './helpers.ts';
import { aboutUnknownHelper, RESERVED_NAMES, shown } from './hints.ts';
import { PART_LIMITS } from './limits.ts';
import type { Call, Expression, Literal, Path, PathOrigin } from './tree.ts';

const FORBIDDEN = new Set(['__proto__', 'prototype', 'constructor']);
const LOOP_NAMES = ['index', 'key', 'first', 'last', 'root'];
/** Handlebars' own test for "not a block parameter"; it also matches `this` at the end of any other name. */
const SCOPED = /^\.|this\b/;

export class CallChecker {
  readonly #state: CheckState;

  constructor(state: CheckState) {
    this.#state = state;
  }

  isReserved(name: string): boolean {
    return RESERVED_NAMES.has(name);
  }

  isCondition(name: string): boolean {
    return isHelperName(name) && helper(name).isCondition;
  }

  checkParamName(name: string, node: AstNode): void {
    this.#checkSegment(name, node);
    if (isHelperName(name) || RESERVED_NAMES.has(name) || name === 'this') {
      this.#state.add('forbidden_name', `${name} has a meaning of its own: choose another name.`, node);
    }
  }

  call(node: Caller): Call | null {
    const state = this.#state;
    if (node.hash) state.addHash(node.hash);
    const name = isPath(node.path) ? node.path.original : '';
    if (!isHelperName(name)) return this.#unknownHelper(name, node);
    if (node.hash) return null;
    const { usage, least, most } = helper(name);
    const args = this.args(name, usage, least, most, node);
    if (args.length < least) return null;
    this.#checkLiteralArguments(name, args, node);
    return { kind: 'call', helper: name, args, place: state.placeOf(node) };
  }

  #unknownHelper(name: string, node: Caller): null {
    const [first] = node.params;
    const nameEnd = node.path.loc.start.column + name.length;
    // {{foo..bar}} is parsed as foo with the argument ..bar
    if (first && isPath(first) && first.original.startsWith('..') && first.loc.start.column === nameEnd) {
      const message = `A path has one dot between names: did you mean {{${shown(name)}.name}}?`;
      this.#state.add('invalid_path', message, node);
      return null;
    }
    const couldBeName = node.params.length > 0 && node.params.every((param) => isPath(param));
    const words = couldBeName
      ? [node.path, ...node.params].map((one) => (isPath(one) ? one.original : ''))
      : null;
    this.#state.add('unknown_helper', aboutUnknownHelper(name, words?.join(' ') ?? null), node);
    for (const param of node.params) this.#expression(param);
    return null;
  }

  /** Null when the number of arguments or one of them is wrong. */
  args(name: string, usage: string, least: number, most: number, node: Caller): readonly Expression[] {
    const { params } = node;
    const args = params.map((param) => this.#expression(param)).filter((arg) => arg !== null);
    if (params.length < least || params.length > most) {
      const wanted = least === most ? String(least) : `${least} to ${most}`;
      const plural = most === 1 ? 'value' : 'values';
      const hint = most === 1 && params.length > 1 ? ' To test several, write {{#if (and a b)}}.' : '';
      const given = `${['none is', '1 is'][params.length] ?? `${params.length} are`} given`;
      const message = `${name} takes ${wanted} ${plural}, ${given}: write {{${usage}}}.${hint}`;
      this.#state.add('wrong_arguments', message, node);
      return [];
    }
    return args.length === params.length ? args : [];
  }

  path(path: PathExpression): Path | null {
    const parts = path.parts.filter((part) => typeof part === 'string');
    if (parts.length !== path.parts.length) {
      this.#state.add(
        'not_supported',
        'A name cannot follow parentheses: use a path like {{user.name}}.',
        path,
      );
      return null;
    }
    if (!this.#checkParts(path, parts)) return null;
    const param =
      path.depth === 0 && !SCOPED.test(path.original) ? this.#state.findParam(parts[0] ?? '') : null;
    const from = param ?? this.#origin(path, parts);
    if (from === null) return null;
    const place = this.#state.placeOf(path);
    return { kind: 'path', from, parts, text: path.original, name: this.#name(from, parts), place };
  }

  #expression(node: AstNode): Expression | null {
    switch (node.type) {
      case 'PathExpression':
        return this.path(node as PathExpression);
      case 'SubExpression':
        return this.call(node as Caller);
      case 'StringLiteral':
      case 'NumberLiteral':
      case 'BooleanLiteral':
        return this.#literal(node, (node as LiteralNode).value);
      case 'NullLiteral':
        return this.#literal(node, null);
      case 'UndefinedLiteral':
        return this.#literal(node, undefined);
      default:
        this.#state.add('not_supported', 'Only names, texts, numbers and helpers may be given here.', node);
        return null;
    }
  }

  #literal(node: AstNode, value: Literal['value']): Literal {
    return { kind: 'literal', value, place: this.#state.placeOf(node) };
  }

  #checkParts(path: PathExpression, parts: readonly string[]): boolean {
    const before = this.#state.problems.length;
    if (parts.length > PART_LIMITS.pathSegments) {
      const message = `A path may have ${PART_LIMITS.pathSegments} names, this one has ${parts.length}.`;
      this.#state.add('invalid_path', message, path);
    }
    for (const part of parts) this.#checkSegment(part, path);
    return this.#state.problems.length === before;
  }

  #checkSegment(part: string, node: AstNode): void {
    if (FORBIDDEN.has(part)) {
      this.#state.add('forbidden_name', `${part} cannot be used as a name: call it something else.`, node);
    } else if (part.length > PART_LIMITS.nameLength) {
      const message = `The name ${shown(part)} is longer than ${PART_LIMITS.nameLength} characters.`;
      this.#state.add('invalid_path', message, node);
    } else if (part.startsWith('#')) {
      this.#state.add('invalid_path', `The name ${shown(part)} cannot begin with #.`, node);
    }
  }

  #origin(path: PathExpression, parts: readonly string[]): PathOrigin | null {
    const state = this.#state;
    const { depth } = path;
    if (path.data) {
      if (!LOOP_NAMES.includes(parts[0] ?? '')) {
        const known = LOOP_NAMES.map((name) => `@${name}`).join(', ');
        state.add('invalid_path', `There is no ${shown(path.original)}. There are ${known}.`, path);
        return null;
      }
      return this.#reaches(path, state.loops) ? { kind: 'loop', depth } : null;
    }
    return this.#reaches(path, state.depth) ? { kind: 'context', depth } : null;
  }

  #reaches(path: PathExpression, deepest: number): boolean {
    if (path.depth <= deepest || !this.#state.knowsSurroundings) return true;
    const inside = deepest === 0 ? 'no {{#each}} or {{#with}}' : `only ${deepest} {{#each}} or {{#with}}`;
    const message = `${shown(path.original)} goes out of more blocks than there are: it is inside ${inside}; {{#if}} does not count.`;
    this.#state.add('invalid_path', message, path);
    return false;
  }

  #name(from: PathOrigin & { base?: string | null }, parts: readonly string[]): Path['name'] {
    if (from.kind === 'param') return this.#state.nameOf(from.base ?? null, parts.slice(1));
    if (from.kind === 'loop') return parts[0] === 'root' ? this.#state.nameOf('', parts.slice(1)) : null;
    return this.#state.nameOf(this.#state.baseAt(from.depth), parts);
  }

  #checkLiteralArguments(name: HelperName, args: readonly Expression[], node: AstNode): void {
    if (name === 'insert' && args[1] !== undefined) {
      const value = args[1].kind === 'literal' ? args[1].value : undefined;
      if (typeof value !== 'string' || !value.startsWith(INSERT_PREFIX)) {
        const usage = helper(name).usage;
        this.#state.add(
          'wrong_arguments',
          `The second value of insert is a default: write {{${usage}}}.`,
          node,
        );
      }
    }
    const offset = name === 'formatDate' && args[2]?.kind === 'literal' ? args[2].value : 'Z';
    if (offsetMinutes(String(offset)) === null) {
      const message = `${JSON.stringify(offset)} is no offset from UTC: write "+0100", "-08:00" or "Z".`;
      this.#state.add('wrong_arguments', message, node);
    }
  }
}
