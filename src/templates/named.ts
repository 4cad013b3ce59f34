/** Finds templates by name or alias. Reads only. */
import { hasSpelling, patternsFor } from '../database/spellings.ts';
import { adHoc, likeText, type Sql, sql, Where } from '../database/sql.ts';
import type { TemplateRow } from './store.ts';

/** More matches would make the search too unspecific. */
const MAX_NAMED = 20;
/** Shorter texts match almost every name. */
const LEAST_CHARS = 3;

const selectNamed = sql<{ index: number; id: string }>(
  'templates.named',
  `SELECT (word.index - 1)::int AS index, named.id
   FROM unnest($2::text[], $3::text[]) WITH ORDINALITY AS word(whole, part, index)
   CROSS JOIN LATERAL (
     SELECT id FROM templates t
     WHERE t.organization_id = $1 AND (t.alias = word.whole OR t.name ILIKE word.part)
     ORDER BY t.id LIMIT $4
   ) AS named`,
  { home: 'cell', organization: '$1' },
);

const selectAnywhere = sql<TemplatePlace>(
  'templates.anywhere',
  'SELECT DISTINCT organization_id, id FROM templates WHERE id = $1 OR alias = $1',
  { home: 'cell' },
);

interface TemplatePlace {
  readonly organization_id: string;
  readonly id: string;
}

/** Templates with this id or alias in any organization of the cell. */
export function templatesAnywhere(cell: Sql, idOrAlias: string): Promise<TemplatePlace[]> {
  return cell.many(selectAnywhere, [idOrAlias]);
}

/**
 * For each text, the ids of templates whose name contains it or whose alias equals it. Includes deleted templates,
 * because mail was sent with them.
 */
export async function templatesNamed(
  db: Sql,
  organizationId: string,
  texts: readonly string[],
): Promise<string[][]> {
  const parts = texts.map((text) => (Array.from(text).length < LEAST_CHARS ? null : `%${likeText(text)}%`));
  const rows = await db.many(selectNamed, [organizationId, texts, parts, MAX_NAMED]);
  return texts.map((_, index) => rows.filter((row) => row.index === index).map(({ id }) => id));
}

type FoundTemplate = Pick<TemplateRow, 'id' | 'name' | 'kind' | 'subject' | 'updated_at'>;

/** Templates that have all the words in their name, alias or subject, or one of them as their id; newest first. */
export function templatesWith(
  db: Sql,
  organizationId: string,
  words: readonly string[],
  limit: number,
): Promise<FoundTemplate[]> {
  const where = new Where().add('t.organization_id = ?', organizationId).add('t.is_active');
  const texts = "concat_ws(' ', t.name, t.alias, t.subject)";
  for (const word of words) {
    const has = hasSpelling(texts, `${where.param(patternsFor(word))}::text[]`);
    where.add(`t.id = ? OR ${has}`, word);
  }
  const text = `SELECT t.id, t.name, t.kind, t.subject, t.updated_at FROM templates t ${where}
    ORDER BY t.created_at DESC, t.id DESC LIMIT ${where.param(limit)}`;
  return db.many(adHoc<FoundTemplate>(text, { home: 'cell', organization: '$1' }), where.params);
}
