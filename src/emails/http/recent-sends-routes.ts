/**
 * `/templates/:id/sends`: not for keys of scope `send` or keys restricted to a domain, because it shows mail of other senders.
 */
import { Type } from 'typebox';
import type { Sql } from '../../database/sql.ts';
import type { ApiRoutes } from '../../http/api-routes.ts';
import { dataOf } from '../../http/envelope.ts';
import { anyObject, nullable, timestamp } from '../../http/schema.ts';
import type { TemplateService } from '../../templates/service.ts';
import type { MovedContents } from '../moved/moved-contents.ts';
import { MAX_EMAILS_SCANNED, type RecentSendRow, recentSendsOf } from '../recent-sends.ts';

const recentSend = Type.Object(
  {
    email_id: Type.String(),
    to: Type.Array(Type.String()),
    subject: Type.String(),
    template_version: Type.Integer(),
    template_data: nullable(
      anyObject({
        description:
          'Values that the template was rendered with. Null if they are not available, for example while the content store does not answer.',
      }),
    ),
    created_at: timestamp(),
  },
  { $id: 'TemplateSend' },
);

export function recentSendRoutes(
  db: Sql,
  moved: MovedContents,
  templates: Pick<TemplateService, 'idOf'>,
): ApiRoutes {
  return async (app) => {
    app.get(
      '/templates/:id/sends',
      {
        config: { confidential: true, errors: ['NOT_FOUND'] },
        schema: {
          tags: ['Templates'],
          summary: 'List the newest emails sent with a template, with their data',
          description: `Returns up to ten emails. Only the newest ${MAX_EMAILS_SCANNED.toLocaleString('en')} emails of the organization are searched.`,
          params: Type.Object({ id: Type.String({ description: 'Id or alias of the template.' }) }),
          response: { 200: dataOf(Type.Array(recentSend)) },
        },
      },
      async ({ principal: { organizationId }, params }) => {
        const id = await templates.idOf(organizationId, params.id);
        return { data: (await recentSendsOf(db, moved, organizationId, id)).map(sendView) };
      },
    );
  };
}

function sendView(row: RecentSendRow) {
  return {
    email_id: row.id,
    to: row.addresses.to.map(({ email }) => email),
    subject: row.subject,
    template_version: row.template_version,
    template_data: row.template_data && { ...row.template_data },
    created_at: row.created_at,
  };
}
