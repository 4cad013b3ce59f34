import { count, searchOf, text } from './search-values.ts';

/** The filters of a list. The address contains them, so that a link shows the same list. */
export type ListSearch<Name extends string> = { readonly page?: number } & {
  readonly [name in Name]?: string;
};

/** The filters that change. `undefined` removes a filter. */
export type SearchChanges<Search> = { readonly [name in keyof Search]?: Search[name] | undefined };

export function listSearch<Name extends string>(names: readonly Name[]) {
  const filters = Object.fromEntries(names.map((name) => [name, text])) as Record<Name, typeof text>;
  return searchOf({ ...filters, page: count }) as (search: Record<string, unknown>) => ListSearch<Name>;
}

/** A change of the filters starts at the first page. */
export function changed<Search extends object>(search: Search, changes: SearchChanges<Search>): Search {
  const next = Object.entries({ ...search, page: undefined, ...changes }).filter(
    ([name, value]) => value !== undefined && !(name === 'page' && value === 1),
  );
  return Object.fromEntries(next) as Search;
}
