/** Streams the whole list as CSV page by page at the reader's speed, so that memory use does not depend on its size. */
import { Readable } from 'node:stream';
import type { Sql } from '../database/sql.ts';
import { csvLine } from './csv.ts';
import { nextSuppressions } from './store-read.ts';
import { publicId, type SuppressionRow } from './suppression.ts';

const PAGE = 2_000;
const HEADING = ['id', 'email', 'reason', 'source', 'created_at', 'unsubscribe_group'];

export function exportCsv(db: Sql, organizationId: string): Readable {
  return Readable.from(pages(db, organizationId), { objectMode: false });
}

async function* pages(db: Sql, organizationId: string): AsyncGenerator<string> {
  yield csvLine(HEADING);
  for (let lastId: string | null = null; ; ) {
    const rows: SuppressionRow[] = await nextSuppressions(db, organizationId, lastId, PAGE);
    if (rows.length > 0) yield rows.map(line).join('');
    if (rows.length < PAGE) return;
    lastId = rows.at(-1)?.id ?? null;
  }
}

function line({ id, email, reason, source, created_at, unsubscribe_group }: SuppressionRow): string {
  return csvLine([publicId(id), email, reason, source, created_at.toISOString(), unsubscribe_group ?? '']);
}
