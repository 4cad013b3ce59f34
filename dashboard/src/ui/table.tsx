import { type ReactNode, useLayoutEffect, useRef } from 'react';

interface Props {
  readonly columns: readonly string[];
  /** Whether the first column has boxes that select rows. */
  readonly selects?: boolean;
  /** The name of a last column that needs none for those who see it. */
  readonly actions?: string | undefined;
  /** Cells that stand below each other on a phone; figures that are compared stay side by side. */
  readonly stacking?: boolean;
  readonly children: ReactNode;
}

export function Table({ columns, selects = false, actions, stacking = true, children }: Props) {
  const body = useRef<HTMLTableSectionElement>(null);
  // On a phone the head is gone, so every cell says what it is; the first is what the row is about.
  useLayoutEffect(() => {
    if (!stacking) return;
    for (const row of body.current?.rows ?? [])
      for (const [place, cell] of [...row.cells].entries()) {
        const column = selects ? place - 1 : place;
        const name = columns[column];
        if (column > 0 && name && cell.colSpan === 1) cell.dataset.label ??= name;
      }
  });
  return (
    <div className="table-scroll">
      <table className={stacking ? 'table stacking' : 'table'}>
        <thead>
          <tr>
            {selects ? (
              <th scope="col" className="tick">
                <span className="visually-hidden">Select</span>
              </th>
            ) : null}
            {columns.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
            {actions ? (
              <th scope="col">
                <span className="visually-hidden">{actions}</span>
              </th>
            ) : null}
          </tr>
        </thead>
        <tbody ref={body}>{children}</tbody>
      </table>
    </div>
  );
}
