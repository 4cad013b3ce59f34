import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ENTRY_KINDS, type PresentEntry, type WantedEntry, type WantedState } from './entry.ts';
import { type PlannedChange, planChanges } from './plan.ts';

const LEAVE = { prune: false, pruneUsed: false };
const PRUNE = { prune: true, pruneUsed: false };
const PRUNE_ALL = { prune: true, pruneUsed: true };

function present(kind: PresentEntry['kind'], name: string, more: Partial<PresentEntry> = {}): PresentEntry {
  return { kind, name, id: `${kind} ${name}`, fields: {}, owner: null, use: null, ...more };
}

function wanting(...entries: WantedEntry[]): WantedState {
  return { kinds: new Set(entries.map(({ kind }) => kind)), entries };
}

const names = ({ changes }: { readonly changes: readonly PlannedChange[] }) =>
  changes.map(({ action, kind, name }) => `${action} ${kind} ${name}`);

describe('a plan', () => {
  it('has only the fields that differ', () => {
    const template = present('template', 'welcome', { fields: { subject: 'Hi', html: 'a', text: '' } });
    const wanted = { ...template, fields: { subject: 'Hello', html: 'a' } };
    expect(planChanges([template], wanting(wanted), LEAVE).changes).toEqual([
      { action: 'change', kind: 'template', name: 'welcome', id: template.id, fields: { subject: 'Hello' } },
    ]);
  });

  it('creates domains before the keys that are tied to them, and removes them after', () => {
    const entries = [
      { kind: 'key', name: 'new', fields: { domain: 'new.example' } },
      { kind: 'domain', name: 'new.example', fields: {} },
    ] as const;
    const old = [
      present('domain', 'old.example'),
      present('key', 'old', { fields: { domain: 'old.example' } }),
    ];
    expect(names(planChanges(old, wanting(...entries), PRUNE))).toEqual([
      'create domain new.example',
      'create key new',
      'remove key old',
      'remove domain old.example',
    ]);
  });

  it('creates another key when the existing one of that name has other rights, and keeps that one', () => {
    const wide = present('key', 'shop', { fields: { scope: 'full' } });
    const plan = planChanges(
      [wide],
      wanting({ kind: 'key', name: 'shop', fields: { scope: 'send' } }),
      PRUNE_ALL,
    );
    expect(names(plan)).toEqual(['create key shop']);
    expect(plan.kept).toEqual([{ entry: wide, why: 'the file names another key of this name' }]);
  });

  it('does not touch kinds without a section in the file', () => {
    const there = [present('webhook', 'https://a.example'), present('template', 'old')];
    const plan = planChanges(there, { kinds: new Set(['template']), entries: [] }, PRUNE);
    expect(names(plan)).toEqual(['remove template old']);
  });

  it('removes nothing by default, and lists what pruning would remove', () => {
    const old = present('template', 'old');
    const plan = planChanges([old], { kinds: new Set(['template']), entries: [] }, LEAVE);
    expect(plan).toEqual({ changes: [], kept: [], extra: [old] });
  });

  it('never removes an entry with another owner', () => {
    const there = [present('domain', 'sandbox.test', { owner: 'it belongs to the sandbox' })];
    const plan = planChanges(there, { kinds: new Set(['domain']), entries: [] }, PRUNE_ALL);
    expect(plan.changes).toEqual([]);
    expect(plan.kept.map(({ why }) => why)).toEqual(['it belongs to the sandbox']);
    expect(planChanges(there, { kinds: new Set(['domain']), entries: [] }, LEAVE).extra).toEqual([]);
  });

  it('removes recently used entries only on request', () => {
    const there = [present('domain', 'old.example', { use: 'it sent mail today' })];
    const nothing = { kinds: new Set(['domain'] as const), entries: [] };
    expect(planChanges(there, nothing, PRUNE).kept).toEqual([{ entry: there[0], why: 'it sent mail today' }]);
    expect(names(planChanges(there, nothing, PRUNE_ALL))).toEqual(['remove domain old.example']);
  });

  it('keeps a domain while a kept key is tied to it', () => {
    const there = [
      present('domain', 'a.example'),
      present('key', 'shop', { fields: { domain: 'a.example' } }),
    ];
    const plan = planChanges(there, { kinds: new Set(['domain']), entries: [] }, PRUNE_ALL);
    expect(plan.changes).toEqual([]);
    expect(plan.kept[0]?.why).toBe('the key shop is tied to it');
  });
});

/** What a run of the plan would leave behind. */
function carriedOut(there: readonly PresentEntry[], changes: readonly PlannedChange[]): PresentEntry[] {
  const state = new Map(there.map((one) => [one.id, one]));
  for (const { action, kind, name, id, fields } of changes) {
    const before = state.get(id ?? '');
    if (action === 'create') state.set(`${kind} ${name}`, present(kind, name, { fields }));
    else if (before === undefined) throw new Error(`There is no ${id}.`);
    else if (action === 'remove') state.delete(before.id);
    else state.set(before.id, { ...before, fields: { ...before.fields, ...fields } });
  }
  return [...state.values()];
}

const kind = fc.constantFrom(...ENTRY_KINDS);
const name = fc.constantFrom('a', 'b', 'c');
const value = fc.constantFrom<unknown>('x', 'y', null, ['x'], { x: 1 });
const fields = fc.dictionary(fc.constantFrom('domain', 'scope', 'html'), fc.oneof(value, name), {
  maxKeys: 3,
  noNullPrototype: true,
});
const maybe = (words: string) => fc.option(fc.constant(words), { nil: null });
const presentState = fc
  .array(fc.record({ kind, name, fields, owner: maybe('somebody'), use: maybe('today') }), { maxLength: 12 })
  .map((list) => list.map((one, index): PresentEntry => ({ ...one, id: `${index}` })));
const wantedState = fc
  .record({
    kinds: fc.uniqueArray(kind),
    entries: fc.uniqueArray(fc.record({ kind, name, fields }), {
      selector: (one) => `${one.kind} ${one.name}`,
    }),
  })
  .map(({ kinds, entries }): WantedState => {
    const all = new Set(kinds);
    return { kinds: all, entries: entries.filter((one) => all.has(one.kind)) };
  });
const options = fc.record({ prune: fc.boolean(), pruneUsed: fc.boolean() });

describe('for any present and any wanted state', () => {
  it('an executed plan leaves nothing to do', () => {
    fc.assert(
      fc.property(presentState, wantedState, options, (there, wanted, how) => {
        const { changes } = planChanges(there, wanted, how);
        expect(planChanges(carriedOut(there, changes), wanted, how).changes).toEqual([]);
      }),
    );
  });

  it('it leaves all wanted entries as they are wanted', () => {
    fc.assert(
      fc.property(presentState, wantedState, options, (there, wanted, how) => {
        const after = carriedOut(there, planChanges(there, wanted, how).changes);
        for (const entry of wanted.entries)
          expect(after).toContainEqual(
            expect.objectContaining({ ...entry, fields: expect.objectContaining(entry.fields) }),
          );
      }),
    );
  });

  it('only entries in its sections without an owner or recent use are removed', () => {
    fc.assert(
      fc.property(presentState, wantedState, (there, wanted) => {
        const { changes, kept } = planChanges(there, wanted, PRUNE);
        const gone = there.filter(({ id }) =>
          changes.some((one) => one.action === 'remove' && one.id === id),
        );
        for (const entry of gone) {
          expect(wanted.kinds).toContain(entry.kind);
          expect(entry).toMatchObject({ owner: null, use: null });
          expect(entry.kind).not.toBe('setting');
        }
        const after = carriedOut(there, changes).filter(
          (one) => one.kind !== 'setting' && wanted.kinds.has(one.kind),
        );
        expect(after).toHaveLength(
          kept.length + wanted.entries.filter((one) => one.kind !== 'setting').length,
        );
      }),
    );
  });
});
