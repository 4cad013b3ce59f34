/** Computes the changes from an organization's present state to the file's. Pure. */
import { isDeepStrictEqual } from 'node:util';
import {
  ENTRY_KINDS,
  type EntryFields,
  type EntryKind,
  type PresentEntry,
  type WantedEntry,
  type WantedState,
} from './entry.ts';

export interface PlannedChange {
  readonly action: 'create' | 'change' | 'remove';
  readonly kind: EntryKind;
  readonly name: string;
  /** The id of an existing entry. */
  readonly id: string | null;
  /** All fields of a new entry, or the differing ones of a change. */
  readonly fields: EntryFields;
}

export interface EntryPlan {
  /** In the order of execution. */
  readonly changes: readonly PlannedChange[];
  /** Entries that the file omits, and that are kept although others of their kind are removed. */
  readonly kept: readonly { readonly entry: PresentEntry; readonly why: string }[];
  /** Entries that the file omits, and that stay because pruning was not requested. */
  readonly extra: readonly PresentEntry[];
}

export interface PruneOptions {
  readonly prune: boolean;
  /** Also removes entries with recent use. */
  readonly pruneUsed: boolean;
}

export function planChanges(
  present: readonly PresentEntry[],
  wanted: WantedState,
  { prune, pruneUsed }: PruneOptions,
): EntryPlan {
  const { steps, matched } = stepsTowards(present, wanted.entries);
  const extra = present.filter((entry) => mayBeExtra(entry, wanted) && !matched.has(entry));
  if (!prune) return { changes: steps, kept: [], extra: extra.filter(({ owner }) => owner === null) };
  const removed = new Set<PresentEntry>();
  const kept: EntryPlan['kept'][number][] = [];
  // In reverse order, because removing a domain depends on which keys are removed.
  for (const entry of ENTRY_KINDS.toReversed().flatMap((kind) => extra.filter((one) => one.kind === kind))) {
    const staying = [...wanted.entries, ...present.filter((one) => !removed.has(one))];
    const why = reasonToKeep(entry, wanted.entries, staying, pruneUsed);
    if (why === null) removed.add(entry);
    else kept.push({ entry, why });
  }
  return { changes: [...steps, ...[...removed].map(removal)], kept, extra: [] };
}

/** Settings cannot be removed. */
function mayBeExtra({ kind }: PresentEntry, { kinds }: WantedState): boolean {
  return kind !== 'setting' && kinds.has(kind);
}

function stepsTowards(present: readonly PresentEntry[], wanted: readonly WantedEntry[]) {
  const matched = new Set<PresentEntry>();
  const steps: PlannedChange[] = [];
  for (const entry of ENTRY_KINDS.flatMap((kind) => wanted.filter((one) => one.kind === kind))) {
    const { kind, name, fields } = entry;
    const named = present.filter((one) => one.kind === kind && one.name === name);
    const equal = named.find((one) => Object.keys(differing(one, entry)).length === 0);
    // Keys cannot be changed: one that differs stays, and a new one is created beside it.
    const found = equal ?? (kind === 'key' ? undefined : named[0]);
    if (found !== undefined) matched.add(found);
    if (equal !== undefined) continue;
    steps.push(
      found === undefined
        ? { action: 'create', kind, name, id: null, fields }
        : { action: 'change', kind, name, id: found.id, fields: differing(found, entry) },
    );
  }
  return { steps, matched };
}

function differing(present: PresentEntry, wanted: WantedEntry): EntryFields {
  return Object.fromEntries(
    Object.entries(wanted.fields).filter(
      ([field, value]) => !isDeepStrictEqual(present.fields[field], value),
    ),
  );
}

function reasonToKeep(
  entry: PresentEntry,
  wanted: readonly WantedEntry[],
  staying: readonly WantedEntry[],
  pruneUsed: boolean,
): string | null {
  if (entry.owner !== null) return entry.owner;
  if (wanted.some(({ kind, name }) => kind === entry.kind && name === entry.name))
    return `the file names another ${entry.kind} of this name`;
  const tied = staying.find(
    ({ kind, fields }) => entry.kind === 'domain' && kind === 'key' && fields.domain === entry.name,
  );
  if (tied !== undefined) return `the key ${tied.name} is tied to it`;
  return pruneUsed ? null : entry.use;
}

function removal({ kind, name, id }: PresentEntry): PlannedChange {
  return { action: 'remove', kind, name, id, fields: {} };
}
