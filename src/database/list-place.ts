/** Pages of lists, newest first, for clients that page by the ids of what they have seen. */

/** Behind one item of the list, before one, or at its beginning. */
export interface ListPlace {
  readonly after: string | null;
  readonly before: string | null;
  readonly limit: number;
}

export interface PlacedPage<Row> {
  readonly rows: Row[];
  /** In the direction that was asked for. */
  readonly hasMore: boolean;
}

/** `nearest`: from the place on, in its direction, and one more than asked for where there is one more. */
export function pageAt<Row>(nearest: readonly Row[], { before, limit }: ListPlace): PlacedPage<Row> {
  const shown = nearest.slice(0, limit);
  return { rows: before === null ? shown : shown.reverse(), hasMore: nearest.length > limit };
}
