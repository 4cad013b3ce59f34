/** Numbered pages: `page` from 1, `limit` from 1 to 100, with totals. */
import { type TSchema, Type } from 'typebox';
import { nullable, strictObject } from './schema.ts';

/** Spread into a list's query schema: `strictObject({ ...pageFields, status: … })`. */
export const pageFields = {
  page: Type.Integer({ minimum: 1, maximum: 1_000_000_000, default: 1, description: 'Page number, from 1.' }),
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'Items per page, at most 100.' }),
};

export const pageQuery = strictObject(pageFields);

interface Pagination {
  readonly page: number;
  readonly limit: number;
  readonly total_count: number;
  readonly total_pages: number;
}

export const paginationSchema = Type.Object(
  {
    page: Type.Integer(),
    limit: Type.Integer(),
    total_count: Type.Integer(),
    total_pages: Type.Integer({ description: 'Number of pages. 0 if there are no items.' }),
  },
  { $id: 'Pagination' },
);

interface PageOf<T> {
  readonly data: T[];
  readonly pagination: Pagination;
}

export function paginated<T>(
  data: T[],
  { page, limit, total }: { page: number; limit: number; total: number },
): PageOf<T> {
  return {
    data,
    pagination: { page, limit, total_count: total, total_pages: Math.ceil(total / limit) },
  };
}

/** Spread into a list's query schema. Each list defines the format of its cursor. */
export const cursorFields = {
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'Items per page, at most 100.' }),
  cursor: Type.Optional(
    Type.String({
      description: 'The `next_cursor` of the previous page. Omit it for the first page.',
      maxLength: 200,
    }),
  ),
};

/**
 * Pages of lists that grow at their head: the next page begins after the last item of this one, regardless of
 * new items.
 */
export function cursorPageOf<T extends TSchema>(item: T) {
  return Type.Object(
    {
      data: Type.Array(item),
      pagination: Type.Object({
        limit: Type.Integer(),
        next_cursor: nullable(
          Type.String({ description: 'Value of `cursor` for the next page. Null on the last page.' }),
        ),
      }),
    },
    { description: 'A page of results' },
  );
}

/** `rows` holds one row more than the page when another page follows. */
export function cursorPage<Row, Item>(
  rows: readonly Row[],
  limit: number,
  { view, cursor }: { readonly view: (row: Row) => Item; readonly cursor: (row: Row) => string },
) {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const next_cursor = rows.length > limit && last !== undefined ? cursor(last) : null;
  return { data: shown.map(view), pagination: { limit, next_cursor } };
}
