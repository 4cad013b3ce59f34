import type { Data, Query } from '@postrider/sdk';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../app/api.ts';

export type View = Data<'GET /views'>[number];
export type ViewList = NonNullable<Query<'GET /views'>['list']>;
export type Filters = Readonly<Record<string, string>>;

export const viewsQuery = (list: ViewList) =>
  queryOptions({
    queryKey: ['views', list],
    queryFn: () => api.views.list({ list }),
    staleTime: 30_000,
  });

/** What the address of a list filters by: neither its page nor a dialog that is open. */
export function filtersOf(search: Readonly<Record<string, unknown>>): Filters {
  const { page: _page, open: _open, ...filters } = search;
  const given = Object.entries(filters).filter(([, value]) => value !== undefined && value !== '');
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
}

export function areEqual(some: Filters, others: Filters): boolean {
  const names = Object.keys(some);
  return names.length === Object.keys(others).length && names.every((name) => some[name] === others[name]);
}
