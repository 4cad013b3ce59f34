/** Compiles paths to functions that read them. */
import type { Frame, RenderScope } from './run.ts';
import type { Path } from './tree.ts';
import { ownProperty } from './values.ts';

export type Read = (scope: RenderScope) => unknown;

export function compilePath(path: Path): Read {
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
