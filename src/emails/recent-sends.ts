/** The newest emails that were sent with a template, with their data: what an editor shows a template with. Reads only. */
import { type Sql, sql } from '../kit/database/sql.ts';
import type { Addresses } from './email.ts';

/** How far back it is looked for, in emails of the organization: it costs the same however many there are. */
export const EMAILS_LOOKED_AT = 5_000;
const MAX_SHOWN = 10;

export interface RecentSendRow {
  id: string;
  subject: string;
  addresses: Pick<Addresses, 'to'>;
  created_at: Date;
  template_version: number;
  template_data: Readonly<Record<string, unknown>> | null;
}

const newest = sql<RecentSendRow>(
  'emails.newest_of_template',
  `SELECT e.id, e.subject, e.addresses, e.created_at, e.template_version, c.template_data
   FROM (SELECT * FROM (SELECT organization_id, id, subject, addresses, created_at, template_id, template_version
                        FROM emails WHERE organization_id = $1 ORDER BY id DESC LIMIT ${EMAILS_LOOKED_AT}) AS newest
         WHERE template_id = $2 ORDER BY id DESC LIMIT ${MAX_SHOWN}) AS e
   JOIN email_contents c ON c.organization_id = e.organization_id AND c.email_id = e.id
   ORDER BY e.id DESC`,
);

export function recentSendsOf(db: Sql, organizationId: string, templateId: string): Promise<RecentSendRow[]> {
  return db.many(newest, [organizationId, templateId]);
}
