import type { ReactNode } from 'react';

interface Props {
  readonly columns: readonly string[];
  /** The name of a last column that needs none for those who see it. */
  readonly actions?: string | undefined;
  /** Cells that stand below each other on a phone; figures that are compared stay side by side. */
  readonly stacking?: boolean;
  readonly children: ReactNode;
}

export function Table({ columns, actions, stacking = true, children }: Props) {
  return (
    <div className="table-scroll">
      <table className={stacking ? 'table stacking' : 'table'}>
        <thead>
          <tr>
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
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
