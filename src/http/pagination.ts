/** Numbered pages: `page` from 1, `limit` from 1 to 100, with totals. */
import { Type } from 'typebox';
import { strictObject } from './schema.ts';

/** Spread into a list's query schema: `strictObject({ ...pageFields, status: … })`. */
export const pageFields = {
  page: Type.Integer({ minimum: 1, maximum: 1_000_000_000, default: 1, description: 'Page number, from 1.' }),
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'Items per page, at most 100.' }),
};

export const pageQuery = strictObject(pageFields);

export interface Pagination {
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
    total_pages: Type.Integer({ description: '0 when there is nothing.' }),
  },
  { $id: 'Pagination' },
);

export interface PageOf<T> {
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
