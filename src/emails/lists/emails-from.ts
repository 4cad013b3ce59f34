/** The list of emails from a given one on: without totals, so nothing is counted. */
import { type ListPlace, type PlacedPage, pageAt } from '../../database/list-place.ts';
import type { Sql } from '../../database/sql.ts';
import type { Reach } from '../../runtime/permissions.ts';
import { type EmailFilter, type EmailItemRow, selectPage, withinReach } from './store-list.ts';

export const ALL: EmailFilter = {
  statuses: null,
  fromMs: null,
  toMs: null,
  to: null,
  from: null,
  subject: null,
  state: null,
  batchId: null,
  tag: null,
  stream: null,
  sentWith: null,
  search: null,
};
/** The whole time range of ids. */
const EVER = { fromMs: 0, beforeMs: 2 ** 48 - 1 };

export async function emailsFrom(db: Sql, reach: Reach, place: ListPlace): Promise<PlacedPage<EmailItemRow>> {
  const rows = await selectPage(db, reach.organizationId, withinReach(ALL, reach) ?? ALL, {
    ...EVER,
    beforeId: place.after,
    afterId: place.before,
    order: place.before === null ? 'newest first' : 'oldest first',
    offset: 0,
    limit: place.limit + 1,
    by: reach.domain === null ? 'walk' : 'index',
  });
  return pageAt(rows, place);
}
