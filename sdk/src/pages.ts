/** From pages to items, one request at a time and only as far as somebody reads. */

export interface Page<T> {
  readonly data: readonly T[];
  readonly pagination: { readonly page: number; readonly total_pages: number };
}

export interface CursorPage<T> {
  readonly data: readonly T[];
  readonly pagination: { readonly next_cursor: string | null };
}

/** The most the API gives at a time. */
export const MAX_PER_PAGE = 100;

/**
 * What is new moves everything back while we read, so that an item comes again at the head of the next page; it is
 * left out there.
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
