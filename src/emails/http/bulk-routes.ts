/** `POST /emails/cancel`: cancels several scheduled emails. */
import { reachOf } from '../../http/access.ts';
import type { ApiRoutes } from '../../http/api-routes.ts';
import { bulkBody, forEachId, plainBulkResult } from '../../http/bulk.ts';
import { dataOf } from '../../http/envelope.ts';
import type { EmailService } from '../service.ts';

export function bulkEmailRoutes(service: Pick<EmailService, 'cancel'>): ApiRoutes {
  return async (app) => {
    app.post(
      '/emails/cancel',
      {
        config: { tied: true, audit: { action: 'email.cancelled' } },
        schema: {
          tags: ['Emails'],
          summary: 'Cancel several scheduled emails',
          description:
            'Cancels each email as `POST /emails/{id}/cancel` does. An email that is already being sent has an `error`, and does not affect the others.',
          body: bulkBody('CancelEmails', 'Ids of the emails.', '01a1dd1c-a292-7088-82d5-cb934f4f4126'),
          response: { 200: dataOf(plainBulkResult) },
        },
      },
      async (request) => ({
        data: await forEachId(request, request.body.ids, {}, async (id) => {
          await service.cancel(reachOf(request.principal), id);
          return { fields: {} };
        }),
      }),
    );
  };
}
