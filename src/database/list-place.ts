/** Pages of lists, newest first, for clients that page by item ids. */

/** A place after one item of the list, before one, or at the start. */
export interface ListPlace {
  readonly after: string | null;
  readonly before: string | null;
  readonly limit: number;
}

export interface PlacedPage<Row> {
  readonly rows: Row[];
  /** In the requested direction. */
  readonly hasMore: boolean;
}

/** `nearest`: the items from the place on, in its direction, plus one more if there are more. */
export function pageAt<Row>(nearest: readonly Row[], { before, limit }: ListPlace): PlacedPage<Row> {
  const shown = nearest.slice(0, limit);
  return { rows: before === null ? shown : shown.reverse(), hasMore: nearest.length > limit };
}
