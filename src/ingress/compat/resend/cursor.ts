/** Paging of Resend's lists: `limit`, and `after` or `before` an item. */
import { type ListPlace, type PlacedPage, pageAt } from '../../../database/list-place.ts';
import { Problems } from '../../../runtime/problems.ts';

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;

/** `isCursor` tests an id for the list's format, where that is known. */
export function placeIn(query: unknown, isCursor: (text: string) => boolean = () => true): ListPlace {
  const { limit, after, before } = query as Readonly<Record<string, unknown>>;
  const problems = new Problems();
  const asked = limit === undefined ? DEFAULT_LIMIT : Number(limit);
  if (!Number.isInteger(asked) || asked < 1 || asked > MAX_LIMIT)
    problems.add('limit', `must be a number from 1 to ${MAX_LIMIT}`);
  for (const [name, cursor] of Object.entries({ after, before })) {
    if (cursor !== undefined && !(typeof cursor === 'string' && isCursor(cursor)))
      problems.add(name, 'must be the id of an item of this list');
  }
  if (after !== undefined && before !== undefined)
    problems.add('before', 'must not be given together with `after`');
  problems.throwIfAny();
  return { limit: asked, after: (after as string) ?? null, before: (before as string) ?? null };
}

/** For lists short enough to be read as a whole. */
export function pageOfAll<Row extends { readonly id: string }>(
  all: readonly Row[],
  place: ListPlace,
): PlacedPage<Row> {
  if (place.before !== null)
    return pageAt(all.slice(0, indexIn(all, place.before, 'before')).reverse(), place);
  return pageAt(place.after === null ? all : all.slice(indexIn(all, place.after, 'after') + 1), place);
}

function indexIn(all: readonly { readonly id: string }[], id: string, field: string): number {
  const index = all.findIndex((row) => row.id === id);
  if (index < 0) throw new Problems().add(field, 'must be the id of an item of this list').toError();
  return index;
}

export function resendList<Row, Item>({ rows, hasMore }: PlacedPage<Row>, view: (row: Row) => Item) {
  return { object: 'list', has_more: hasMore, data: rows.map(view) };
}
