/** What every list shows: what went wrong, that it is being asked for, what stands there instead of rows, or the rows. */
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { PostriderError } from '../app/api.ts';
import { Button } from './button.tsx';
import type { ExportedRows } from './csv.ts';
import { ErrorNote } from './error-note.tsx';
import { ExportButton } from './export-button.tsx';
import { Empty, Loading } from './page.tsx';

interface Asked {
  readonly error: unknown;
  readonly isPending: boolean;
  readonly refetch: () => unknown;
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
  /** The name of a file with these rows, where they are all there are. */
  readonly csv?: string;
}

export function List<Row extends object>({ of, rows, empty, lines, csv, children }: ListProps<Row>) {
  return (
    <>
      {isOfFilters(of.error) ? (
        <InvalidFilters error={of.error} />
      ) : (
        <ErrorNote error={of.error} onRetry={of.refetch} />
      )}
      {of.isPending ? <Loading lines={lines} /> : null}
      {rows === undefined ? null : rows.length === 0 ? empty : children(rows)}
      {csv && rows?.length ? (
        <div className="card-body row row-end">
          <ExportButton name={csv} rows={() => rows} />
        </div>
      ) : null}
    </>
  );
}

/** The address of a list may be edited by hand, or belong to an older version of the dashboard. */
function isOfFilters(error: unknown): error is PostriderError {
  return error instanceof PostriderError && error.status === 400;
}

function InvalidFilters({ error }: { readonly error: PostriderError }) {
  return (
    <Empty icon="search" title="A filter in the address is invalid">
      <ul className="plain-list">
        {error.details.map(({ field, message }) => (
          <li key={`${field} ${message}`}>
            <code>{field}</code> {message}
          </li>
        ))}
      </ul>
      <Link to="." search={{}} className="button">
        Show the list without filters
      </Link>
    </Empty>
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
  /** All of its rows, for a file. */
  readonly csv?: { readonly name: string; readonly rows: () => ExportedRows };
}

/** One whose pages have numbers. */
export function PagedList<Row extends object>({
  of,
  nouns,
  onPage,
  csv,
  children,
  ...shown
}: PagedListProps<Row>) {
  return (
    <List of={of} rows={of.data?.data} {...shown} {...beyond(of.data, nouns, onPage)}>
      {(rows) => (
        <>
          {children(rows)}
          {of.data ? (
            <Pager {...of.data.pagination} nouns={nouns} onPage={onPage}>
              {csv ? <ExportButton {...csv} /> : null}
            </Pager>
          ) : null}
        </>
      )}
    </List>
  );
}

/** What stands there instead of rows on a page that there is not. */
function beyond(
  data: Page<unknown> | undefined,
  [, several]: readonly [string, string],
  onPage: (page: number) => void,
): { empty?: ReactNode } {
  if (data === undefined || data.data.length > 0) return {};
  const { page, total_pages: pages } = data.pagination;
  if (pages === 0 || page <= pages) return {};
  return {
    empty: (
      <Empty icon="search" title={`There is no page ${page.toLocaleString()}`}>
        <p>
          These {several} end on page {pages.toLocaleString()}.
        </p>
        <Button onClick={() => onPage(pages)}>Go to page {pages.toLocaleString()}</Button>
      </Empty>
    ),
  };
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

interface Props {
  readonly page: number;
  readonly total_pages: number;
  readonly total_count: number;
  readonly nouns: readonly [one: string, several: string];
  readonly onPage: (page: number) => void;
  /** What else can be done with the list. */
  readonly children?: ReactNode;
}

function Pager({ page, total_pages: pages, total_count: total, nouns, onPage, children }: Props) {
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
