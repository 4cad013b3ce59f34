/** Lists of templates. */
import type { ListPlace } from '../database/list-place.ts';
import { adHoc, likeText, type Sql, Where } from '../database/sql.ts';
import type { TemplateKind } from './kind.ts';
import { OF_CURRENT_VERSION, TEMPLATE_COLUMNS, type TemplateRow } from './store.ts';

export interface TemplateFilter {
  readonly isActive: boolean | null;
  /** Matches any part of the name, alias or subject, ignoring case. */
  readonly search: string | null;
  readonly kind: TemplateKind | null;
}

export async function listTemplates(
  db: Sql,
  organizationId: string,
  filter: TemplateFilter,
  window: { readonly limit: number; readonly offset: number },
): Promise<{ rows: TemplateRow[]; total: number }> {
  const counting = conditions(organizationId, filter);
  const listing = conditions(organizationId, filter);
  // Skipped rows need no join with versions.
  const page = `SELECT t.* FROM templates t ${listing} ORDER BY t.created_at DESC, t.id DESC
    LIMIT ${listing.param(window.limit)} OFFSET ${listing.param(window.offset)}`;
  const text = `SELECT ${TEMPLATE_COLUMNS} FROM (${page}) AS t ${OF_CURRENT_VERSION} ORDER BY t.created_at DESC, t.id DESC`;
  const [rows, { count }] = await Promise.all([
    db.many(adHoc<TemplateRow>(text, { home: 'cell', organization: '$1' }), listing.params),
    db.one(
      adHoc<{ count: number }>(`SELECT count(*) AS count FROM templates t ${counting}`, {
        home: 'cell',
        organization: '$1',
      }),
      counting.params,
    ),
  ]);
  return { rows, total: count };
}

export type TemplateItemRow = Pick<TemplateRow, 'id' | 'name' | 'alias' | 'created_at' | 'updated_at'>;

/**
 * Active templates of the sendable kind, from a given one on, nearest first. Returns one more than requested when the
 * list continues.
 */
export function templatesFrom(
  db: Sql,
  organizationId: string,
  { after, before, limit }: ListPlace,
): Promise<TemplateItemRow[]> {
  const where = new Where()
    .add('t.organization_id = ?', organizationId)
    .add("t.is_active AND t.kind = 'template'");
  const [than, order] = before === null ? ['<', 'DESC'] : ['>', 'ASC'];
  if (after !== null || before !== null) {
    const place = 'SELECT created_at, id FROM templates WHERE organization_id = ? AND id = ?';
    where.add(`(t.created_at, t.id) ${than} (${place})`, organizationId, before ?? after);
  }
  const text = `SELECT t.id, t.name, t.alias, t.created_at, t.updated_at FROM templates t ${where}
    ORDER BY t.created_at ${order}, t.id ${order} LIMIT ${where.param(limit + 1)}`;
  return db.many(adHoc<TemplateItemRow>(text, { home: 'cell', organization: '$1' }), where.params);
}

function conditions(organizationId: string, { isActive, search, kind }: TemplateFilter): Where {
  const where = new Where().add('t.organization_id = ?', organizationId);
  if (isActive !== null) where.add('t.is_active = ?', isActive);
  if (kind !== null) where.add('t.kind = ?', kind);
  if (search !== null) {
    const like = `%${likeText(search)}%`;
    where.add('t.name ILIKE ? OR t.alias ILIKE ? OR t.subject ILIKE ?', like, like, like);
  }
  return where;
}
