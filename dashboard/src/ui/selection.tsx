/** Rows of a page that are selected, to do the same to all of them. */
import { type ReactNode, useId, useState } from 'react';
import { Button } from './button.tsx';

export interface Selection {
  /** Only rows that are shown: nothing happens to a row that nobody sees. */
  readonly ids: readonly string[];
  /** The rows of the page that can be selected. */
  readonly all: readonly string[];
  readonly has: (id: string) => boolean;
  readonly set: (ids: readonly string[], isSelected: boolean) => void;
}

export function useSelection(all: readonly string[]): Selection {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const set = (ids: readonly string[], isSelected: boolean) =>
    setSelected((before) => {
      const next = new Set(before);
      for (const id of ids) {
        if (isSelected) next.add(id);
        else next.delete(id);
      }
      return next;
    });
  return { ids: all.filter((id) => selected.has(id)), all, has: (id) => selected.has(id), set };
}

/** Above the rows: selects all of the page, and has the actions for what is selected. */
export function SelectionBar({ of, children }: { readonly of: Selection; readonly children: ReactNode }) {
  const id = useId();
  const count = of.ids.length;
  const isAll = count > 0 && count === of.all.length;
  return (
    <div className="selection-bar row">
      <span className="tick">
        <input
          id={id}
          type="checkbox"
          checked={isAll}
          disabled={of.all.length === 0}
          ref={(box) => {
            if (box) box.indeterminate = count > 0 && !isAll;
          }}
          onChange={() => of.set(of.all, !isAll)}
        />
      </span>
      <label htmlFor={id}>Select all on this page</label>
      {count > 0 ? (
        <>
          <span className="strong" role="status">
            {count.toLocaleString()} selected
          </span>
          {children}
          <Button size="small" kind="ghost" onClick={() => of.set(of.all, false)}>
            Clear the selection
          </Button>
        </>
      ) : null}
    </div>
  );
}

/** The first cell of a row. `name`: what the row is about. Without an id the row cannot be selected. */
export function SelectCell({
  of,
  id,
  name,
}: {
  readonly of: Selection;
  readonly id: string | null;
  readonly name: string;
}) {
  return (
    <td className="tick">
      {id === null ? null : (
        <input
          type="checkbox"
          aria-label={`Select ${name}`}
          checked={of.has(id)}
          onChange={(event) => of.set([id], event.target.checked)}
        />
      )}
    </td>
  );
}
