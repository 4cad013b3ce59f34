/** What a list is filtered by: it stands in the address, so that a search can be sent to somebody. */
export type ListSearch<Name extends string> = { readonly page?: number } & {
  readonly [name in Name]?: string;
};

/** The filters that change; `undefined` takes one away. */
export type SearchChanges<Search> = { readonly [name in keyof Search]?: Search[name] | undefined };

export function listSearch<Name extends string>(names: readonly Name[]) {
  return (search: Record<string, unknown>): ListSearch<Name> => {
    const kept: Record<string, unknown> = {};
    for (const name of names) {
      const value = search[name];
      if (value !== undefined && value !== null && value !== '') kept[name] = String(value);
    }
    if (Number.isInteger(search.page) && Number(search.page) > 1) kept.page = search.page;
    return kept as ListSearch<Name>;
  };
}

/** Another filter begins at the first page. */
export function changed<Search extends object>(search: Search, changes: SearchChanges<Search>): Search {
  const next = Object.entries({ ...search, page: undefined, ...changes }).filter(
    ([name, value]) => value !== undefined && !(name === 'page' && value === 1),
  );
  return Object.fromEntries(next) as Search;
}
