/** Detects the data that a template needs, so that variables need not be listed by hand. */
import { type ArgumentUse, helper } from './helpers.ts';
import type { Body, Expression, Node, PartName, Path, Place } from './tree.ts';
import type { VariableType } from './variable-schema.ts';

export type DetectedVariable = {
  /** `user.name`; list items are `items[]` and `items[].price`. */
  readonly name: string;
  readonly type: VariableType;
  /** False where the variable is only tested, or only used under a condition. */
  readonly required: boolean;
  readonly places: readonly (Place & { readonly part: PartName })[];
};

export type VariableUse = {
  readonly variables: readonly DetectedVariable[];
  /** First names, for reporting unused data; null when all of the data is used as a whole. */
  readonly topLevel: ReadonlySet<string> | null;
};

export function findVariables(parts: ReadonlyMap<PartName, Body>): VariableUse {
  const finder = new Finder();
  for (const [part, body] of parts) finder.visitPart(part, body);
  return { variables: finder.list(), topLevel: finder.topLevel() };
}

type Sighting = {
  strength: number;
  type: VariableType;
  required: boolean;
  places: DetectedVariable['places'];
};

/** The type that a use implies; the strongest use of a name decides. */
const USES = {
  test: ['boolean', 0],
  any: ['string', 1],
  text: ['string', 2],
  length: ['array', 3],
  number: ['number', 4],
  date: ['date', 5],
  object: ['object', 6],
  list: ['array', 7],
} as const satisfies Record<string, readonly [VariableType, number]>;

type Use = keyof typeof USES;

const USE_OF_ARGUMENT: Readonly<Record<ArgumentUse, Use>> = {
  any: 'any',
  text: 'text',
  number: 'number',
  date: 'date',
  list: 'length',
};
const MAX_PLACES = 50;

class Finder {
  readonly #found = new Map<string, Sighting>();
  #part: PartName = 'html';
  #wholeData = false;

  visitPart(part: PartName, body: Body): void {
    this.#part = part;
    this.#body(body, false);
  }

  list(): DetectedVariable[] {
    const names = [...this.#found.keys()];
    const lists = new Set(names.filter((name) => this.#found.get(name)?.type === 'array'));
    const shown = names.filter(
      (name) => !(name.endsWith('.length') && lists.has(name.slice(0, -'.length'.length))),
    );
    const byFields = typesByFields(names);
    return shown.map((name) => {
      const { type, required, places } = this.#found.get(name) as Sighting;
      const final = byFields.get(name) ?? type;
      return { name, type: final, required, places };
    });
  }

  topLevel(): ReadonlySet<string> | null {
    if (this.#wholeData) return null;
    return new Set(
      [...this.#found.keys()].map((name) => /^(?:\[(.*?)\]|([^.[]*))/.exec(name)).map(firstGroup),
    );
  }

  #body({ nodes }: Body, conditional: boolean): void {
    for (const node of nodes) this.#node(node, conditional);
  }

  #node(node: Node, conditional: boolean): void {
    switch (node.kind) {
      case 'text':
        return;
      case 'value':
        this.#expression(node.value, 'text', conditional);
        return;
      case 'if':
        this.#expression(node.test, 'test', true);
        this.#body(node.body, true);
        this.#body(node.otherwise, true);
        return;
      case 'each':
        this.#path(node.list, 'list', conditional);
        this.#body(node.body, conditional);
        this.#body(node.otherwise, true);
        return;
      case 'with':
        this.#expression(node.subject, 'object', conditional);
        this.#body(node.body, conditional);
        this.#body(node.otherwise, true);
        return;
    }
  }

  #expression(expression: Expression, use: Use, conditional: boolean): void {
    if (expression.kind === 'path') this.#path(expression, use, conditional);
    if (expression.kind !== 'call') return;
    const called = helper(expression.helper);
    const isLogic = ['and', 'or', 'not'].includes(expression.helper);
    const inner = isLogic ? 'test' : USE_OF_ARGUMENT[called.use];
    for (const [i, arg] of expression.args.entries()) {
      // Only comparisons take two values of one type; for other helpers the first argument counts.
      const argUse = i === 0 || called.isCondition ? inner : 'text';
      this.#expression(arg, argUse, conditional || called.acceptsMissing);
    }
  }

  #path({ name, place }: Path, use: Use, conditional: boolean): void {
    if (name === null) return;
    if (name === '') {
      this.#wholeData ||= use !== 'test' && use !== 'object';
      return;
    }
    const [type, strength] = USES[use];
    const before = this.#found.get(name) ?? { type, strength: -1, required: false, places: [] };
    const stronger = strength > before.strength ? { type, strength } : before;
    const here = { part: this.#part, ...place };
    this.#found.set(name, {
      type: stronger.type,
      strength: stronger.strength,
      required: before.required || !conditional,
      places: before.places.length < MAX_PLACES ? [...before.places, here] : before.places,
    });
  }
}

/**
 * A name with used fields is an object, and one with used items a list, regardless of other uses. Each name
 * updates its prefixes, so that thousands of names are not compared with each other.
 */
function typesByFields(names: readonly string[]): ReadonlyMap<string, VariableType> {
  const types = new Map<string, VariableType>();
  for (const name of names) {
    for (let at = name.search(/[.[]/); at >= 0; at = nextBoundary(name, at)) {
      const owner = name.slice(0, at);
      if (name.startsWith('[]', at)) types.set(owner, 'array');
      else if (name[at] === '.' && name.slice(at) !== '.length' && types.get(owner) !== 'array')
        types.set(owner, 'object');
    }
  }
  return types;
}

function nextBoundary(name: string, after: number): number {
  const found = name.slice(after + 1).search(/[.[]/);
  return found < 0 ? -1 : after + 1 + found;
}

function firstGroup(match: RegExpExecArray | null): string {
  return match?.[1] ?? match?.[2] ?? '';
}
