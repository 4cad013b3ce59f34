/**
 * One render of one part. Owns the output so far and the remaining budget. When a limit is exceeded it throws
 * RenderLimitExceeded, which render.ts turns into a result.
 */
import type { RenderBudget, Spent } from './budget.ts';
import { RENDER_LIMITS } from './limits.ts';
import type { Call, EachNode, Path, Place, ValueNode } from './tree.ts';
import { type Meter, paidText, textCost } from './values.ts';

export type RenderLimit = 'items_per_loop' | 'loop_iterations' | 'output_size' | Spent;

export class RenderLimitExceeded extends Error {
  readonly limit: RenderLimit;
  readonly place: Place;

  constructor(limit: RenderLimit, place: Place) {
    super(limit);
    this.limit = limit;
    this.place = place;
  }
}

/** Receives doubtful values during a render. */
export interface Watcher {
  printed(node: ValueNode, value: unknown, scope: RenderScope): void;
  repeated(node: EachNode, value: unknown, scope: RenderScope): void;
  called(call: Call, values: readonly unknown[], scope: RenderScope): void;
  missing(path: Path, scope: RenderScope): void;
}

export class RenderRun implements Meter {
  out = '';
  /** The innermost running loop. */
  loop: Place | null = null;
  /** Null in a plain render. */
  readonly watcher: Watcher | null;
  readonly #mostChars: number;
  readonly #budget: RenderBudget;
  #iterations = 0;

  constructor(mostChars: number, watcher: Watcher | null, budget: RenderBudget) {
    this.#mostChars = mostChars;
    this.watcher = watcher;
    this.#budget = budget;
  }

  spend(steps: number): void {
    const spent = this.#budget.spend(steps);
    if (spent !== null) this.stop(spent);
  }

  startLoop(items: number, place: Place): void {
    this.loop = place;
    if (items > RENDER_LIMITS.itemsPerLoop) this.stop('items_per_loop');
    this.#iterations += items;
    if (this.#iterations > RENDER_LIMITS.iterations) this.stop('loop_iterations');
  }

  /** Counts characters, which are never more than bytes; the exact size is checked once at the end. */
  checkOutput(place: Place | null): void {
    if (this.out.length > this.#mostChars) this.stop('output_size', place);
  }

  stop(limit: RenderLimit, place: Place | null = null): never {
    throw new RenderLimitExceeded(limit, this.loop ?? place ?? { line: 1, column: 1 });
  }
}

/** The values of `@index` and the like. */
export type Frame = {
  readonly root: unknown;
  key: unknown;
  index: unknown;
  first: unknown;
  last: unknown;
  readonly parent: Frame | null;
};

/** The values that `../` refers to. */
type Depths = { readonly value: unknown; readonly parent: Depths | null };

type Params = { readonly values: readonly unknown[]; readonly parent: Params | null };

/** The scope in which names are looked up. */
export class RenderScope {
  context: unknown;
  depths: Depths;
  readonly frame: Frame;
  params: Params | null;
  readonly run: RenderRun;

  constructor(context: unknown, depths: Depths, frame: Frame, params: Params | null, run: RenderRun) {
    this.context = context;
    this.depths = depths;
    this.frame = frame;
    this.params = params;
    this.run = run;
  }
}

export function rootScope(data: unknown, run: RenderRun): RenderScope {
  const frame = {
    root: data,
    key: undefined,
    index: undefined,
    first: undefined,
    last: undefined,
    parent: null,
  };
  return new RenderScope(data, { value: data, parent: null }, frame, null, run);
}

/** In a block, Handlebars replaces a null context by an empty object. */
const NO_CONTEXT = Object.freeze({});

/** The scope inside a block that keeps the context. */
export function sameContext(scope: RenderScope): RenderScope {
  if (scope.context != null) return scope;
  const depths = scope.depths.value === null ? scope.depths : { value: NO_CONTEXT, parent: scope.depths };
  return new RenderScope(NO_CONTEXT, depths, scope.frame, scope.params, scope.run);
}

/**
 * Entering a value adds a `../` level, unless Handlebars considers it the same context: it compares with
 * `!=`.
 */
export function deeper(value: unknown, { depths, run }: RenderScope): Depths {
  return looksSame(value, depths.value, run) ? depths : { value, parent: depths };
}

function looksSame(a: unknown, b: unknown, run: RenderRun): boolean {
  if (a == null || b == null) return a == null && b == null;
  const [aIsObject, bIsObject] = [typeof a === 'object', typeof b === 'object'];
  if (aIsObject && bIsObject) return a === b;
  const x = aIsObject ? primitive(a, run) : a;
  const y = bIsObject ? primitive(b, run) : b;
  payForComparing(x, y, run);
  // biome-ignore lint/suspicious/noDoubleEquals: 1 and "1" are the same context to Handlebars
  return x == y;
}

/** Comparing two texts of one length reads both; comparing a text with a number parses all of it. */
function payForComparing(x: unknown, y: unknown, run: RenderRun): void {
  if (typeof x === 'string' && typeof y === 'string') {
    if (x.length === y.length) run.spend(textCost(x.length));
  } else if (typeof x === 'string') run.spend(1 + x.length);
  else if (typeof y === 'string') run.spend(1 + y.length);
}

function primitive(value: unknown, run: RenderRun): string {
  return Array.isArray(value) ? paidText(run, value) : '[object Object]';
}
