/**
 * Compiles a checked template to closures: one function per node, created once and called for every mail. No
 * code is generated, so a template can only run functions from this file.
 */
import { escapeHtml } from '../runtime/escape-html.ts';
import { helper } from './helpers.ts';
import { deeper, type Frame, type RenderScope, RenderScope as ScopeClass, sameContext } from './run.ts';
import type {
  Body,
  Call,
  EachNode,
  Expression,
  IfNode,
  Node,
  PartName,
  Path,
  ValueNode,
  WithNode,
} from './tree.ts';
import { isEmpty, KEY_COST, NUMBER_COST, ownProperty, paidText } from './values.ts';

type Step = (scope: RenderScope) => void;

/** `cost` is charged for the body's direct steps at each run. */
export type CompiledBody = { readonly run: Step; readonly cost: number };

/** With `watched`, every doubtful value is passed to the run's watcher. */
export function compileBody(part: PartName, body: Body, watched: boolean): CompiledBody {
  return new Compiler(part, watched).body(body);
}

class Compiler {
  readonly #escapes: boolean;
  readonly #watched: boolean;

  constructor(part: PartName, watched: boolean) {
    this.#escapes = part === 'html';
    this.#watched = watched;
  }

  body({ nodes }: Body): CompiledBody {
    const steps: Step[] = [];
    let text = '';
    let cost = 1;
    for (const node of nodes) {
      cost += costOf(node);
      if (node.kind === 'text') {
        text = node.text;
        continue;
      }
      // A text and the following value form one step, which halves the calls of an ordinary template.
      if (node.kind === 'value') steps.push(this.#value(text, node));
      else {
        if (text !== '') steps.push(writeText(text));
        steps.push(this.#block(node));
      }
      text = '';
    }
    if (text !== '') steps.push(writeText(text));
    return { run: inSequence(steps), cost };
  }

  #block(node: IfNode | EachNode | WithNode): Step {
    if (node.kind === 'if') return this.#if(node);
    return node.kind === 'each' ? this.#each(node) : this.#with(node);
  }

  #value(before: string, node: ValueNode): Step {
    const read = this.#watched ? this.#watchedValue(node) : this.#read(node.value);
    const { place } = node;
    if (this.#escapes && node.escaped) {
      return (scope) => {
        const value = read(scope);
        const { run } = scope;
        run.out += before;
        if (typeof value === 'string') run.out += escapeHtml(value);
        else if (typeof value === 'number') {
          run.spend(NUMBER_COST);
          run.out += value;
        } else if (value != null) run.out += escapeHtml(paidText(run, value));
        run.checkOutput(place);
      };
    }
    return (scope) => {
      const value = read(scope);
      const { run } = scope;
      run.out += before + (typeof value === 'string' ? value : paidText(run, value));
      run.checkOutput(place);
    };
  }

  #if({ test, negated, body, otherwise }: IfNode): Step {
    const holds = this.#read(test);
    const chosen = this.body(negated ? otherwise : body);
    const other = this.body(negated ? body : otherwise);
    return (scope) => {
      const branch = isEmpty(holds(scope)) ? other : chosen;
      scope.run.spend(branch.cost);
      branch.run(sameContext(scope));
    };
  }

  #with({ subject, body, otherwise }: WithNode): Step {
    const read = this.#read(subject);
    const inside = this.body(body);
    const outside = this.body(otherwise);
    const hasParams = body.params.length > 0;
    return (scope) => {
      const value = read(scope);
      const { run } = scope;
      // Unlike `if`, `with` enters a 0.
      if (isEmpty(value) && value !== 0) {
        run.spend(outside.cost);
        outside.run(sameContext(scope));
        return;
      }
      run.spend(inside.cost);
      const params = hasParams ? { values: [value], parent: scope.params } : scope.params;
      inside.run(new ScopeClass(value, deeper(value, scope), scope.frame, params, run));
    };
  }

  #each(node: EachNode): Step {
    const read = this.#watched ? this.#watchedList(node) : this.#read(node.list);
    const iteration = this.body(node.body);
    const outside = this.body(node.otherwise);
    return (scope) => {
      const list = read(scope);
      if (repeat(node, list, scope, iteration)) return;
      scope.run.spend(outside.cost);
      outside.run(sameContext(scope));
    };
  }

  #read(expression: Expression): Read {
    switch (expression.kind) {
      case 'path':
        return compilePath(expression);
      case 'literal': {
        const { value } = expression;
        return () => value;
      }
      case 'call':
        return this.#call(expression);
    }
  }

  #call(call: Call): Read {
    const args = call.args.map((arg) => this.#argument(call, arg));
    if (call.helper === 'and' || call.helper === 'or') return inTurn(args, call.helper === 'or');
    const { apply } = helper(call.helper);
    const [a = nothing, b = nothing, c = nothing] = args;
    if (!this.#watched) return (scope) => apply(scope.run, a(scope), b(scope), c(scope));
    return (scope) => {
      const values = [a(scope), b(scope), c(scope)] as const;
      scope.run.watcher?.called(call, values, scope);
      return apply(scope.run, ...values);
    };
  }

  #argument(call: Call, arg: Expression): Read {
    const read = this.#read(arg);
    if (!this.#watched || arg.kind !== 'path' || helper(call.helper).acceptsMissing) return read;
    return (scope) => {
      const value = read(scope);
      if (value == null) scope.run.watcher?.missing(arg, scope);
      return value;
    };
  }

  #watchedValue(node: ValueNode): Read {
    const read = this.#read(node.value);
    return (scope) => {
      const value = read(scope);
      scope.run.watcher?.printed(node, value, scope);
      return value;
    };
  }

  #watchedList(node: EachNode): Read {
    const read = this.#read(node.list);
    return (scope) => {
      const value = read(scope);
      scope.run.watcher?.repeated(node, value, scope);
      return value;
    };
  }
}

/** False when there is nothing to iterate over. */
function repeat(node: EachNode, list: unknown, scope: RenderScope, iteration: CompiledBody): boolean {
  if (list === null || typeof list !== 'object') return false;
  const { run } = scope;
  const keys = Array.isArray(list) ? null : Object.keys(list);
  if (keys !== null) run.spend(keys.length * KEY_COST);
  const count = (keys ?? (list as readonly unknown[])).length;
  if (count === 0) return false;
  const outerLoop = run.loop;
  run.startLoop(count, node.place);
  const frame = { root: scope.frame.root, key: 0, index: 0, first: true, last: false, parent: scope.frame };
  const inner = new ScopeClass(null, scope.depths, frame as RenderScope['frame'], scope.params, run);
  const hasParams = node.body.params.length > 0;
  for (let i = 0; i < count; i += 1) {
    const key = keys === null ? i : (keys[i] as string);
    const value = (list as Record<string | number, unknown>)[key];
    (frame as { key: unknown }).key = key;
    frame.index = i;
    frame.first = i === 0;
    frame.last = i === count - 1;
    inner.context = value;
    inner.depths = deeper(value, scope);
    if (hasParams) inner.params = { values: [value, key], parent: scope.params };
    run.spend(iteration.cost);
    iteration.run(inner);
    run.checkOutput(node.place);
  }
  run.loop = outerLoop;
  return true;
}

/**
 * `and` returns the first empty value or the last one; `or` the first value that is not empty, or the last
 * one.
 */
function inTurn(args: readonly Read[], stopsAtFull: boolean): Read {
  return (scope) => {
    let value: unknown;
    for (const read of args) {
      value = read(scope);
      if (isEmpty(value) !== stopsAtFull) return value;
    }
    return value;
  };
}

function nothing(): undefined {
  return undefined;
}

function writeText(text: string): Step {
  return ({ run }) => {
    run.out += text;
  };
}

function inSequence(steps: readonly Step[]): Step {
  const [first, second, third] = steps;
  if (first === undefined) return () => {};
  if (second === undefined) return first;
  if (third === undefined) {
    return (scope) => {
      first(scope);
      second(scope);
    };
  }
  return (scope) => {
    for (let i = 0; i < steps.length; i += 1) (steps[i] as Step)(scope);
  };
}

function costOf(node: Node): number {
  switch (node.kind) {
    case 'text':
      return 1;
    case 'value':
      return costOfExpression(node.value);
    case 'if':
      return costOfExpression(node.test);
    case 'each':
      return costOfExpression(node.list);
    case 'with':
      return costOfExpression(node.subject);
  }
}

function costOfExpression(expression: Expression): number {
  if (expression.kind === 'literal') return 1;
  if (expression.kind === 'path') return 1 + expression.parts.length;
  return expression.args.reduce((sum, arg) => sum + costOfExpression(arg), 1);
}

type Read = (scope: RenderScope) => unknown;

function compilePath(path: Path): Read {
  const { from, parts } = path;
  switch (from.kind) {
    case 'context':
      return from.depth === 0 ? readContext(parts) : readOuter(from.depth, parts);
    case 'param':
      return readParam(from.level, from.index, parts.slice(1));
    case 'loop':
      return readLoop(from.depth, parts);
  }
}

/** Paths of one or two names are by far the most common, so they have functions without a loop. */
function readContext(parts: readonly string[]): Read {
  const [first, second] = parts;
  if (first === undefined) return (scope) => scope.context;
  if (second === undefined) return (scope) => property(scope.context, first);
  if (parts.length === 2) return (scope) => property(property(scope.context, first), second);
  return (scope) => follow(scope.context, parts);
}

function readOuter(depth: number, parts: readonly string[]): Read {
  return ({ depths }) => {
    let outer: RenderScope['depths'] | null = depths;
    for (let i = 0; i < depth && outer !== null; i += 1) outer = outer.parent;
    return follow(outer?.value, parts);
  };
}

function readParam(level: number, index: number, rest: readonly string[]): Read {
  return ({ params }) => {
    let holder = params;
    for (let i = 0; i < level && holder !== null; i += 1) holder = holder.parent;
    return follow(holder?.values[index], rest);
  };
}

function readLoop(depth: number, parts: readonly string[]): Read {
  const [name, ...rest] = parts as [keyof Omit<Frame, 'parent'>, ...string[]];
  return (scope) => {
    let frame: Frame | null = scope.frame;
    for (let i = 0; i < depth && frame !== null; i += 1) frame = frame.parent;
    let value = frame?.[name];
    // For these paths Handlebars stops at a falsy value and returns it: {{@index.x}} is 0 for the first item.
    for (let i = 0; i < rest.length && value; i += 1) value = ownProperty(value, rest[i] as string);
    return value;
  };
}

function follow(start: unknown, parts: readonly string[]): unknown {
  let value = start;
  for (let i = 0; i < parts.length; i += 1) value = property(value, parts[i] as string);
  return value;
}

function property(owner: unknown, name: string): unknown {
  if (typeof owner === 'object') {
    if (owner === null) return null;
    return Object.hasOwn(owner, name) ? (owner as Record<string, unknown>)[name] : undefined;
  }
  return ownProperty(owner, name);
}
