import type { ReactNode } from 'react';
import { Button } from './button.tsx';

interface Props {
  readonly page: number;
  readonly total_pages: number;
  readonly total_count: number;
  readonly nouns: readonly [one: string, several: string];
  readonly onPage: (page: number) => void;
  /** What else can be done with the list. */
  readonly children?: ReactNode;
}

export function Pager({ page, total_pages: pages, total_count: total, nouns, onPage, children }: Props) {
  return (
    <nav className="card-body spread" aria-label="Pages">
      <span className="quiet small number">
        {total.toLocaleString()} {total === 1 ? nouns[0] : nouns[1]}
        {pages > 1 ? `, page ${page.toLocaleString()} of ${pages.toLocaleString()}` : ''}
      </span>
      <span className="row">
        {children}
        {pages > 1 ? (
          <>
            <Button size="small" disabled={page <= 1} onClick={() => onPage(page - 1)}>
              Newer
            </Button>
            <Button size="small" disabled={page >= pages} onClick={() => onPage(page + 1)}>
              Older
            </Button>
          </>
        ) : null}
      </span>
    </nav>
  );
}
