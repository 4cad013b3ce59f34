/** The content of one email, wherever it is stored. */
import type { Sql } from '../../database/sql.ts';
import type { Reach } from '../../runtime/permissions.ts';
import { type ContentRow, type FileRow, findContent } from '../store-read.ts';
import type { MovedContents } from './moved-contents.ts';
import type { KeptContent } from './packed-content.ts';

export interface WholeContent extends ContentRow {
  /** The email's own files; null if PostgreSQL has them. Files of a batch are never moved. */
  readonly files: readonly FileRow[] | null;
}

/** Undefined if the content was removed. */
export async function wholeContent(
  db: Sql,
  moved: MovedContents,
  reach: Reach,
  id: string,
): Promise<WholeContent | undefined> {
  const row = await findContent(db, reach, id);
  if (row === undefined) return undefined;
  if (row.moved === null) return { ...row, files: null };
  const opened = await moved.open(reach.organizationId, row.moved);
  if (opened !== null) return put(row, opened);
  // The content may have been restored in between.
  const again = await findContent(db, reach, id);
  return again === undefined || again.moved !== null ? undefined : { ...again, files: null };
}

function put(
  row: ContentRow,
  { html, text, mime, headers, template_data, files }: KeptContent,
): WholeContent {
  const content = { html, text, mime, headers: parsed(headers), template_data: parsed(template_data) };
  return { ...row, ...content, files: files.length === 0 ? null : files };
}

// biome-ignore lint/suspicious/noExplicitAny: as the columns of PostgreSQL are read
function parsed(json: string | null): any {
  return json === null ? null : JSON.parse(json);
}
