/** `/settings/retention`: how long the caller's mail is kept. */
import { type Static, Type } from 'typebox';
import type { Database } from '../../kit/database/database.ts';
import type { ApiRoutes } from '../../kit/http/api-routes.ts';
import { dataOf } from '../../kit/http/envelope.ts';
import { strictObject } from '../../kit/http/schema.ts';
import { Problems } from '../../kit/problems.ts';
import type { Clock } from '../../kit/runtime/clock.ts';
import { holdOrganization } from '../store.ts';
import {
  DEFAULT_RETENTION,
  MAX_DAYS,
  type RetentionSettings,
  readRetention,
  writeRetention,
} from './retention.ts';

const tags = ['Settings'];

const days = (description: string, example: number) =>
  Type.Integer({ minimum: 0, maximum: MAX_DAYS, description, examples: [example] });

const fields = {
  content_days: days(
    'Days for which html, text and attachments are kept; 0 keeps them as long as the email.',
    DEFAULT_RETENTION.content_days,
  ),
  email_days: days(
    'Days for which emails and their events are kept; 0 keeps them for ever.',
    DEFAULT_RETENTION.email_days,
  ),
};

const retentionSchema = Type.Object(fields, { $id: 'Retention' });

const retentionBody = strictObject(
  { content_days: Type.Optional(fields.content_days), email_days: Type.Optional(fields.email_days) },
  { $id: 'UpdateRetention' },
);

export function retentionRoutes({ db, clock }: { readonly db: Database; readonly clock: Clock }): ApiRoutes {
  return async (app) => {
    app.get(
      '/settings/retention',
      {
        schema: {
          tags,
          summary: 'Read how long your mail is kept',
          response: { 200: dataOf(retentionSchema) },
        },
      },
      async ({ principal }) => ({ data: await readRetention(db, principal.organizationId) }),
    );

    app.put(
      '/settings/retention',
      {
        config: { audit: { action: 'settings.retention_changed', show: ['content_days', 'email_days'] } },
        schema: {
          tags,
          summary: 'Change how long your mail is kept',
          description:
            'A field that is left out stays as it is. Mail is removed by the week: at the latest seven days after its time. Mail that is still to be delivered is never removed.',
          body: retentionBody,
          response: { 200: dataOf(retentionSchema) },
        },
      },
      async ({ principal, body }) => {
        const { organizationId } = principal;
        // One change after the other: what is not given stays, and both together must make sense.
        const data = await db.transaction(async (tx) => {
          await holdOrganization(tx, organizationId);
          const wanted = merged(await readRetention(tx, organizationId), body);
          return writeRetention(tx, organizationId, wanted, new Date(clock.nowMs()));
        });
        return { data };
      },
    );
  };
}

function merged(current: RetentionSettings, changes: Static<typeof retentionBody>): RetentionSettings {
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
