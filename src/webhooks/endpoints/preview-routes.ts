/** Previews the webhook message of an event, for clients that forward events themselves. */
import { Type } from 'typebox';
import { parseEventId } from '../../events/read.ts';
import type { ApiRoutes } from '../../http/api-routes.ts';
import { dataOf } from '../../http/envelope.ts';
import { ApiError } from '../../http/errors.ts';
import { mapOf, strictObject, stringEnum } from '../../http/schema.ts';
import { isUuid } from '../../runtime/ids.ts';
import type { DescribeRequest } from './described-request.ts';
import { WEBHOOK_FORMATS } from './store.ts';

const preview = {
  tags: ['Webhooks'],
  summary: 'Read what a webhook would be told of an event',
  description:
    '404 also where the format has no word for it. `npx postrider listen` forwards events with it.',
  params: Type.Object({ id: Type.String(), event_id: Type.String() }),
  querystring: strictObject({
    format: Type.Optional(stringEnum(WEBHOOK_FORMATS, { default: 'postrider' })),
  }),
  response: {
    200: dataOf(
      Type.Object(
        {
          headers: mapOf(Type.String(), {
            description: 'Without time and signatures, which whoever sends it adds.',
          }),
          body: Type.String({ description: 'Exactly as it is sent.' }),
        },
        { $id: 'WebhookPreview' },
      ),
    ),
  },
};

export function webhookPreviewRoutes(describe: DescribeRequest): ApiRoutes {
  return async (app) => {
    app.get(
      '/emails/:id/events/:event_id/webhook',
      { config: { errors: ['NOT_FOUND'] }, schema: preview },
      async ({ principal: { organizationId }, params, query: { format = 'postrider' } }) => {
        const [emailId, eventId] = [params.id, parseEventId(params.event_id)];
        if (!isUuid(emailId) || eventId === null) throw new ApiError('NOT_FOUND');
        const mail = { organizationId, emailId, eventId, endpointId: '', eventType: '', tries: 0 };
        const told = await describe({ ...mail, createdAt: new Date(0), payload: null }, { format });
        if (told === null) throw new ApiError('NOT_FOUND');
        return { data: { headers: { ...told.headers }, body: told.body } };
      },
    );
  };
}
