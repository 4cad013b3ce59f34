/** Templates by what people call them. Reads only. */
import { likeText, type Sql, sql } from '../database/sql.ts';

/** More of them would say little about what is looked for. */
const MAX_NAMED = 20;
/** Fewer characters are in every name. */
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

export interface TemplatePlace {
  readonly organization_id: string;
  readonly id: string;
}

/** In whatever organization of this cell a template has this id or alias. */
export function templatesAnywhere(cell: Sql, idOrAlias: string): Promise<TemplatePlace[]> {
  return cell.many(selectAnywhere, [idOrAlias]);
}

/** For each text, the ids of those that have it in their name, or for their alias. Deleted ones were used, too. */
export async function templatesNamed(
  db: Sql,
  organizationId: string,
  texts: readonly string[],
): Promise<string[][]> {
  const parts = texts.map((text) => (Array.from(text).length < LEAST_CHARS ? null : `%${likeText(text)}%`));
  const rows = await db.many(selectNamed, [organizationId, texts, parts, MAX_NAMED]);
  return texts.map((_, index) => rows.filter((row) => row.index === index).map(({ id }) => id));
}
