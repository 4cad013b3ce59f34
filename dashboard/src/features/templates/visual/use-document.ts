/**
 * The blocks of a template and what is typed into them. The blocks are those of the source at the last structural
 * change; typed text is laid over them. So a field is never replaced while somebody types in it.
 */
import { useState } from 'react';
import { type Field, type Splice, spliceOf, withSplices } from './fields.ts';
import { allBlocks, type Block, readBlocks } from './outline.ts';
import { deleted, duplicated, type NewBlock, type Restructured, swapped, withNewBlock } from './structure.ts';

export type Action = 'duplicate' | 'delete' | 'up' | 'down' | NewBlock;

export interface Document {
  /** Without what was typed since the last structural change. */
  readonly source: string;
  /** Null for a template that only the code editor can edit. */
  readonly blocks: readonly Block[] | null;
  /** Rises with every structural change. */
  readonly generation: number;
  /** The place of the last structural change. */
  readonly changedAt: { readonly at: number; readonly action: Action } | null;
  readonly canUndo: boolean;
  textOf(field: Field): string;
  type(field: Field, text: string): void;
  /** Without a block for the first one of an empty template. */
  act(action: Action, block: Block | null): void;
  undo(): void;
}

interface State {
  readonly source: string;
  readonly blocks: readonly Block[] | null;
  readonly generation: number;
  readonly typed: ReadonlyMap<Field, string>;
  readonly past: readonly string[];
  readonly changedAt: Document['changedAt'];
}

const MAX_UNDOS = 100;

export function useDocument(html: string, onChange: (html: string) => void): Document {
  const [state, setState] = useState<State>(() => ({ ...opened(html), generation: 0, past: [] }));
  const change = (next: State) => {
    setState(next);
    onChange(currentOf(next));
  };
  // The code was changed elsewhere: in the code editor, or by a colleague.
  if (currentOf(state) !== html)
    setState({ ...opened(html), generation: state.generation + 1, past: state.past });
  const { source, blocks, generation, changedAt } = state;
  return {
    source,
    blocks,
    generation,
    changedAt,
    canUndo: state.past.length > 0,
    textOf: (field) => state.typed.get(field) ?? field.shown,
    type: (field, text) => change(withTyped(state, field, text)),
    act(action, block) {
      const next = restructured(state, action, block);
      if (next) change(next);
    },
    undo() {
      const last = state.past.at(-1);
      if (last === undefined) return;
      change({ ...opened(last), generation: state.generation + 1, past: state.past.slice(0, -1) });
    },
  };
}

function opened(source: string): Omit<State, 'generation' | 'past'> {
  return { source, blocks: readBlocks(source), typed: new Map(), changedAt: null };
}

/** With everything that is typed. */
function currentOf({ source, typed }: State): string {
  return typed.size === 0 ? source : withSplices(source, splicesOf(source, typed));
}

function splicesOf(source: string, typed: State['typed']): Splice[] {
  return [...typed].flatMap(([field, text]) => spliceOf(field, text, source) ?? []);
}

/** Typing in one field is one step of undo. */
function withTyped(state: State, field: Field, text: string): State {
  const last = [...state.typed.keys()].at(-1);
  const typed = new Map(state.typed);
  typed.delete(field);
  typed.set(field, text);
  return { ...state, typed, past: last === field ? state.past : withUndo(state) };
}

function withUndo(state: State): readonly string[] {
  return [...state.past, currentOf(state)].slice(-MAX_UNDOS);
}

/** Null where the action is impossible. */
function restructured(state: State, action: Action, block: Block | null): State | null {
  const source = currentOf(state);
  const blocks = readBlocks(source);
  if (blocks === null) return null;
  const shift = splicesOf(state.source, state.typed)
    .filter(({ end }) => block !== null && end <= block.start)
    .reduce((sum, { start, end, text }) => sum + text.length - (end - start), 0);
  const place = block === null ? 0 : block.start + shift;
  const found = allBlocks(blocks).find(({ start, kind }) => start === place && kind === block?.kind) ?? null;
  if (block !== null && found === null) return null;
  const changed = applied(source, blocks, action, found);
  if (changed === null) return null;
  return {
    ...opened(changed.source),
    generation: state.generation + 1,
    past: withUndo(state),
    changedAt: { at: changed.at, action },
  };
}

function applied(
  source: string,
  blocks: readonly Block[],
  action: Action,
  block: Block | null,
): Restructured | null {
  if (action === 'text' || action === 'image' || action === 'button')
    return withNewBlock(source, action, block);
  if (block === null) return null;
  if (action === 'duplicate') return duplicated(source, block);
  if (action === 'delete') return deleted(source, block);
  const other = neighbourOf(blocks, block, action);
  if (other === null) return null;
  return action === 'down'
    ? swapped(source, block, other)
    : { ...swapped(source, other, block), at: other.start };
}

/** The block that another one can change places with. */
export function neighbourOf(blocks: readonly Block[], block: Block, way: 'up' | 'down'): Block | null {
  if (!block.isWhole) return null;
  const list = allBlocks(blocks).filter(({ parent, isWhole }) => isWhole && parent === block.parent);
  return list[list.indexOf(block) + (way === 'up' ? -1 : 1)] ?? null;
}
