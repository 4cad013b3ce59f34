/** How long an organization's mail is kept. The one writer of `retention_settings`. */
import { type Sql, sql } from '../../kit/database/sql.ts';

export interface RetentionSettings {
  /** How long html, text and attachments are kept; 0: as long as the email itself. */
  readonly content_days: number;
  /** How long emails and their events are kept; 0: for ever. */
  readonly email_days: number;
}

export const DEFAULT_RETENTION: RetentionSettings = { content_days: 30, email_days: 90 };
/** Ten years; whoever wants more wants 0. */
export const MAX_DAYS = 3_650;

const select = sql<RetentionSettings>(
  'retention_settings.of',
  'SELECT content_days, email_days FROM retention_settings WHERE organization_id = $1',
);

const upsert = sql<RetentionSettings>(
  'retention_settings.put',
  `INSERT INTO retention_settings (organization_id, content_days, email_days, updated_at) VALUES ($1, $2, $3, $4)
   ON CONFLICT (organization_id) DO UPDATE SET
     content_days = excluded.content_days, email_days = excluded.email_days, updated_at = excluded.updated_at
   RETURNING content_days, email_days`,
);

const selectAll = sql<RetentionSettings & { organization_id: string }>(
  'retention_settings.all',
  'SELECT organization_id, content_days, email_days FROM retention_settings',
);

export async function readRetention(db: Sql, organizationId: string): Promise<RetentionSettings> {
  return (await db.maybeOne(select, [organizationId])) ?? DEFAULT_RETENTION;
}

export function writeRetention(
  db: Sql,
  organizationId: string,
  { content_days, email_days }: RetentionSettings,
  now: Date,
): Promise<RetentionSettings> {
  return db.one(upsert, [organizationId, content_days, email_days, now]);
}

/** What holds for each organization. */
export async function readAllRetention(db: Sql): Promise<(organizationId: string) => RetentionSettings> {
  const rows = await db.many(selectAll);
  const settings = new Map(rows.map((row) => [row.organization_id, row]));
  return (organizationId) => settings.get(organizationId) ?? DEFAULT_RETENTION;
}
