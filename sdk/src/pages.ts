/** Iterates over the items of a list. Fetches one page at a time, when the caller has read the previous one. */

export interface Page<T> {
  readonly data: readonly T[];
  readonly pagination: { readonly page: number; readonly total_pages: number };
}

export interface CursorPage<T> {
  readonly data: readonly T[];
  readonly pagination: { readonly next_cursor: string | null };
}

/** The maximum number of items of a page. */
export const MAX_PER_PAGE = 100;

/**
 * New entries move the others back while the caller reads, so the next page can repeat an item. Repeated items are left
 * out.
 */
export async function* itemsOfPages<T>(
  load: (page: number) => Promise<Page<T>>,
  keyOf: (item: T) => unknown,
): AsyncGenerator<T, void, undefined> {
  let before = new Set<unknown>();
  for (let number = 1; ; number += 1) {
    const { data, pagination } = await load(number);
    for (const item of data) if (!before.has(keyOf(item))) yield item;
    if (number >= pagination.total_pages) return;
    before = new Set(data.map(keyOf));
  }
}

export async function* itemsOfCursor<T>(
  load: (cursor: string | undefined) => Promise<CursorPage<T>>,
): AsyncGenerator<T, void, undefined> {
  let cursor: string | undefined;
  do {
    const { data, pagination } = await load(cursor);
    yield* data;
    cursor = pagination.next_cursor ?? undefined;
  } while (cursor !== undefined);
}
