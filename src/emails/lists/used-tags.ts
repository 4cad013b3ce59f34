/** Whether any mail of an organization has a tag. Reads only, through the search index. */
import { type Sql, sql } from '../../database/sql.ts';
import { parseTagFilter, tagsContaining } from '../tag-filter.ts';
import { searchTokens } from './search-tokens.ts';

/** Unsettled mail is in no index by tag. */
const selectUsed = sql<{ used: boolean }>(
  'emails.is_tag_used',
  `SELECT EXISTS (SELECT FROM emails e WHERE e.organization_id = $1 AND e.status <> 'queued'
                    AND e.search @> $2::int4[] AND e.tags @> $3::jsonb)
       OR EXISTS (SELECT FROM emails e WHERE e.organization_id = $1 AND (e.status = 'queued' OR e.search IS NULL)
                    AND e.tags @> $3::jsonb) AS used`,
  { home: 'cell', organization: '$1' },
);

/** `text`: a tag as `name` or `name:value`. */
export async function isTagUsed(db: Sql, organizationId: string, text: string): Promise<boolean> {
  const tag = parseTagFilter(text);
  const tokens = searchTokens(organizationId, { tag, to: null, from: null, subject: null });
  return (await db.one(selectUsed, [organizationId, `{${tokens.join(',')}}`, tagsContaining(tag)])).used;
}
