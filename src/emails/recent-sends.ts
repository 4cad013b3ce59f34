/** The newest emails sent with a template, with their data, for previews in the template editor. Reads only. */
import { type Sql, sql } from '../database/sql.ts';
import { ServiceError } from '../runtime/service-error.ts';
import type { Addresses } from './email.ts';
import type { MovedContents } from './moved/moved-contents.ts';
import type { KeptContent } from './moved/packed-content.ts';

/** How many of the organization's newest emails are searched, so that the cost is bounded. */
export const MAX_EMAILS_SCANNED = 5_000;
const MAX_SHOWN = 10;

export interface RecentSendRow {
  id: string;
  subject: string;
  addresses: Pick<Addresses, 'to'>;
  created_at: Date;
  template_version: number;
  template_data: Readonly<Record<string, unknown>> | null;
}

interface FoundRow extends RecentSendRow {
  /** The object that holds moved data. */
  object_id: string | null;
  seal_key: Buffer;
}

const newest = sql<FoundRow>(
  'emails.newest_of_template',
  `SELECT e.id, e.subject, e.addresses, e.created_at, e.template_version, c.template_data, m.object_id, m.seal_key
   FROM (SELECT * FROM (SELECT organization_id, id, subject, addresses, created_at, template_id, template_version
                        FROM emails WHERE organization_id = $1 ORDER BY id DESC LIMIT ${MAX_EMAILS_SCANNED}) AS newest
         WHERE template_id = $2 ORDER BY id DESC LIMIT ${MAX_SHOWN}) AS e
   LEFT JOIN email_contents c ON c.organization_id = e.organization_id AND c.email_id = e.id
   LEFT JOIN moved_contents m ON m.organization_id = e.organization_id AND m.email_id = e.id
   WHERE c.email_id IS NOT NULL OR m.email_id IS NOT NULL
   ORDER BY e.id DESC`,
  { home: 'cell', organization: '$1' },
);

/** Data is null if it is in the content store and the store does not answer; the other fields are returned. */
export async function recentSendsOf(
  db: Sql,
  moved: MovedContents,
  organizationId: string,
  templateId: string,
): Promise<RecentSendRow[]> {
  const rows = await db.many(newest, [organizationId, templateId]);
  return Promise.all(
    rows.map(async ({ object_id, seal_key, ...row }) => {
      if (object_id === null) return row;
      const content = await orNull(moved.open(organizationId, { email_id: row.id, object_id, seal_key }));
      const data = content?.template_data ?? null;
      return { ...row, template_data: data === null ? null : JSON.parse(data) };
    }),
  );
}

async function orNull(opening: Promise<KeptContent | null>): Promise<KeptContent | null> {
  try {
    return await opening;
  } catch (error) {
    if (error instanceof ServiceError) return null;
    throw error;
  }
}
