/** What every list shows: what went wrong, that it is being asked for, what stands there instead of rows, or the rows. */
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { ErrorNote } from './error-note.tsx';
import { Loading } from './page.tsx';
import { Pager } from './pager.tsx';

interface Asked {
  readonly error: unknown;
  readonly isPending: boolean;
}

interface Shown<Row> {
  /** Instead of rows. */
  readonly empty: ReactNode;
  /** How long it looks while it is asked for. */
  readonly lines?: number | undefined;
  readonly children: (rows: readonly Row[]) => ReactNode;
}

interface ListProps<Row> extends Shown<Row> {
  readonly of: Asked;
  readonly rows: readonly Row[] | undefined;
}

export function List<Row>({ of, rows, empty, lines, children }: ListProps<Row>) {
  return (
    <>
      <ErrorNote error={of.error} />
      {of.isPending ? <Loading lines={lines} /> : null}
      {rows === undefined ? null : rows.length === 0 ? empty : children(rows)}
    </>
  );
}

interface Page<Row> {
  readonly data: readonly Row[];
  readonly pagination: {
    readonly page: number;
    readonly total_pages: number;
    readonly total_count: number;
  };
}

interface PagedListProps<Row> extends Shown<Row> {
  readonly of: Asked & { readonly data: Page<Row> | undefined };
  /** What one row is, and what several are. */
  readonly nouns: readonly [one: string, several: string];
  readonly onPage: (page: number) => void;
}

/** One whose pages have numbers. */
export function PagedList<Row>({ of, nouns, onPage, children, ...shown }: PagedListProps<Row>) {
  return (
    <List of={of} rows={of.data?.data} {...shown}>
      {(rows) => (
        <>
          {children(rows)}
          {of.data ? <Pager {...of.data.pagination} nouns={nouns} onPage={onPage} /> : null}
        </>
      )}
    </List>
  );
}

interface Continued {
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly fetchNextPage: () => Promise<unknown>;
}

/** For a list that goes on where it ends, as long as there is more. */
export function OlderOnes({ of }: { readonly of: Continued }) {
  if (!of.hasNextPage) return null;
  return (
    <Button busy={of.isFetchingNextPage} onClick={() => void of.fetchNextPage()}>
      Show older
    </Button>
  );
}
