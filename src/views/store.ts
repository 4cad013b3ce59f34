/** The one writer of `saved_views`. A foreign key removes the own views of a member with the membership. */
import { patternInJson, patternOf } from '../database/renamed-address.ts';
import { type Sql, sql } from '../database/sql.ts';
import type { EmailAddress } from '../protocols/message/address.ts';
import type { ViewList, ViewQuery } from './view.ts';

export interface ViewRow {
  readonly id: string;
  readonly list: ViewList;
  readonly name: string;
  readonly query: ViewQuery;
  /** The member whose own view this is; null for a shared view. */
  readonly owner_id: string | null;
  readonly created_by: string;
  readonly created_by_name: string | null;
  readonly created_at: Date;
}

const COLUMNS = `id, list, name, query, owner_id, created_by, created_at,
  coalesce((SELECT coalesce(u.name, u.email) FROM users u WHERE u.id = created_by),
           (SELECT k.name FROM api_keys k WHERE k.id = created_by)) AS created_by_name`;

/** $3 is the caller, whose own views are added to the shared ones; null for an API key. */
const VISIBLE = 'organization_id = $1 AND (owner_id IS NULL OR owner_id = $3::text)';

const list = sql<ViewRow>(
  'saved_views.list',
  `SELECT ${COLUMNS} FROM saved_views WHERE ${VISIBLE} AND ($2::text IS NULL OR list = $2)
   ORDER BY list, lower(name), name, id`,
  { home: 'control' },
);

const find = sql<ViewRow>(
  'saved_views.find',
  `SELECT ${COLUMNS} FROM saved_views WHERE ${VISIBLE} AND id = $2`,
  { home: 'control' },
);

/** Concurrent requests do not see each other's views, so that the limit can be exceeded by a few. */
const count = sql<{ count: number }>(
  'saved_views.count',
  `SELECT count(*) AS count FROM saved_views
   WHERE organization_id = $1
     AND CASE WHEN $3::text IS NULL THEN owner_id IS NULL ELSE owner_id = $3 AND list = $2 END`,
  { home: 'control' },
);

const insert = sql<ViewRow>(
  'saved_views.insert',
  `INSERT INTO saved_views (organization_id, id, list, name, query, owner_id, created_by, created_at)
   VALUES ($1, $2, $3, $4, $5::jsonb, $6, $7, $8) RETURNING ${COLUMNS}`,
  { home: 'control' },
);

/** Only while the view is still shared, or still not, as it was when the caller's right was checked. */
const update = sql<ViewRow>(
  'saved_views.update',
  `UPDATE saved_views SET name = $4, query = $5::jsonb, owner_id = $6
   WHERE organization_id = $1 AND id = $2 AND owner_id IS NOT DISTINCT FROM $3::text RETURNING ${COLUMNS}`,
  { home: 'control' },
);

const remove = sql(
  'saved_views.delete',
  'DELETE FROM saved_views WHERE organization_id = $1 AND id = $2 AND owner_id IS NOT DISTINCT FROM $3::text',
  { home: 'control' },
);

/** A view that filters by an erased address finds nothing any more. */
const erase = sql(
  'saved_views.erase',
  'DELETE FROM saved_views WHERE organization_id = $1 AND (name ~* $2 OR query::text ~* $3)',
  { home: 'control' },
);

export function listViews(db: Sql, organizationId: string, of: ViewList | null, userId: string | null) {
  return db.many(list, [organizationId, of, userId]);
}

export function findView(db: Sql, organizationId: string, id: string, userId: string | null) {
  return db.maybeOne(find, [organizationId, id, userId]);
}

/** The shared views of the organization, or the own views of a member in a list. */
export async function countViews(db: Sql, organizationId: string, of: ViewList, ownerId: string | null) {
  return (await db.one(count, [organizationId, of, ownerId])).count;
}

export type NewView = Omit<ViewRow, 'created_by_name'>;

export function insertView(db: Sql, organizationId: string, view: NewView): Promise<ViewRow> {
  const { id, list: of, name, query, owner_id, created_by, created_at } = view;
  const values = [organizationId, id, of, name, JSON.stringify(query), owner_id, created_by, created_at];
  return db.one(insert, values);
}

type Changed = Pick<ViewRow, 'name' | 'query' | 'owner_id'>;

export function updateView(db: Sql, organizationId: string, before: ViewRow, changed: Changed) {
  const { name, query, owner_id } = changed;
  return db.maybeOne(update, [
    ...[organizationId, before.id, before.owner_id],
    ...[name, JSON.stringify(query), owner_id],
  ]);
}

export async function deleteView(db: Sql, organizationId: string, view: ViewRow): Promise<boolean> {
  return (await db.exec(remove, [organizationId, view.id, view.owner_id])) > 0;
}

export async function eraseFromViews(
  db: Sql,
  organizationId: string,
  address: { readonly email: EmailAddress },
): Promise<void> {
  await db.exec(erase, [organizationId, patternOf(address), patternInJson(address)]);
}
