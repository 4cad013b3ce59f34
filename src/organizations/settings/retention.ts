/** The retention of an organization's mail. The one writer of `retention_settings`. */
import { type Static, Type } from 'typebox';
import type { Database } from '../../database/database.ts';
import { type Sql, sql } from '../../database/sql.ts';
import { strictObject } from '../../http/schema.ts';
import type { Clock } from '../../runtime/clock.ts';
import { Problems } from '../../runtime/problems.ts';
import { lockOrganization } from '../store.ts';
import { defineSetting } from './setting.ts';

export interface RetentionSettings {
  /** The days for which html, text and attachments are kept; 0: as long as the email itself. */
  readonly content_days: number;
  /** The days for which emails and their events are kept; 0: forever. */
  readonly email_days: number;
}

const DEFAULT_RETENTION: RetentionSettings = { content_days: 30, email_days: 90 };
/** Ten years. For longer retention, 0 keeps mail forever. */
const MAX_DAYS = 3_650;

const select = sql<RetentionSettings>(
  'retention_settings.of',
  'SELECT content_days, email_days FROM retention_settings WHERE organization_id = $1',
  { home: 'cell', organization: '$1' },
);

const upsert = sql<RetentionSettings>(
  'retention_settings.put',
  `INSERT INTO retention_settings (organization_id, content_days, email_days, updated_at) VALUES ($1, $2, $3, $4)
   ON CONFLICT (organization_id) DO UPDATE SET
     content_days = excluded.content_days, email_days = excluded.email_days, updated_at = excluded.updated_at
   RETURNING content_days, email_days`,
  { home: 'cell', organization: '$1' },
);

const selectAll = sql<RetentionSettings & { organization_id: string }>(
  'retention_settings.all',
  'SELECT organization_id, content_days, email_days FROM retention_settings',
  { home: 'cell' },
);

async function readRetention(db: Sql, organizationId: string): Promise<RetentionSettings> {
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

/** A function that returns the effective retention of each organization. */
export async function readAllRetention(db: Sql): Promise<(organizationId: string) => RetentionSettings> {
  const rows = await db.many(selectAll);
  const settings = new Map(rows.map((row) => [row.organization_id, row]));
  return (organizationId) => settings.get(organizationId) ?? DEFAULT_RETENTION;
}

const days = (description: string, example: number) =>
  Type.Integer({ minimum: 0, maximum: MAX_DAYS, description, examples: [example] });

const fields = {
  content_days: days(
    'Number of days for which html, text and attachments are kept. 0 keeps them as long as the email.',
    DEFAULT_RETENTION.content_days,
  ),
  email_days: days(
    'Number of days for which emails and their events are kept. 0 keeps them forever.',
    DEFAULT_RETENTION.email_days,
  ),
};

export const updateRetentionBody = strictObject(
  { content_days: Type.Optional(fields.content_days), email_days: Type.Optional(fields.email_days) },
  { $id: 'UpdateRetention' },
);

export function retentionSetting(db: Database, clock: Clock) {
  return defineSetting({
    name: 'retention',
    toRead: 'Get the retention periods of your mail',
    toChange: 'Change the retention periods of your mail',
    description:
      'Omitted fields do not change. Mail is removed a week at a time, so at most seven days late. Mail that is still to be delivered is never removed.',
    shown: Type.Object(fields, { $id: 'Retention' }),
    taken: updateRetentionBody,
    audit: { action: 'settings.retention_changed', show: ['content_days', 'email_days'] },
    read: (organizationId) => readRetention(db, organizationId),
    // Serialized, because the change is validated together with the fields that it leaves out.
    change: (organizationId, asked) =>
      db.transaction(async (tx) => {
        await lockOrganization(tx, organizationId);
        const wanted = merged(await readRetention(tx, organizationId), asked);
        return writeRetention(tx, organizationId, wanted, new Date(clock.nowMs()));
      }),
  });
}

function merged(current: RetentionSettings, changes: Static<typeof updateRetentionBody>): RetentionSettings {
  const problems = new Problems();
  if (Object.keys(changes).length === 0) problems.add('body', 'must hold content_days, email_days or both');
  const { content_days, email_days } = { ...current, ...changes };
  if (email_days > 0 && content_days > email_days) {
    problems.add(
      'content_days',
      `must not be more than email_days (${email_days}): content goes with its email`,
    );
  }
  problems.throwIfAny();
  return { content_days, email_days };
}
