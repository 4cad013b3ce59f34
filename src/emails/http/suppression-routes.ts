/** `GET /emails/:id/suppressions`: which recipients of an email are suppressed. */
import { Type } from 'typebox';
import { outcomeReachOf } from '../../http/access.ts';
import type { ApiRoutes } from '../../http/api-routes.ts';
import { dataOf } from '../../http/envelope.ts';
import { suppressionSchema } from '../../suppressions/schema.ts';
import {
  type SuppressionDeps,
  suppressionsOfRecipients,
  suppressionView,
} from '../../suppressions/service.ts';
import type { EmailService } from '../service.ts';
import { recipientsOf } from '../store-read.ts';

const recipientSuppression = Type.Object(
  {
    recipient: Type.String({
      description: 'Recipient of the email, as the email has it.',
      examples: ['gone@example.org'],
    }),
    suppression: suppressionSchema,
  },
  { $id: 'RecipientSuppression' },
);

export function emailSuppressionRoutes(
  service: Pick<EmailService, 'find'>,
  suppressions: SuppressionDeps,
): ApiRoutes {
  return async (app) => {
    app.get(
      '/emails/:id/suppressions',
      {
        config: { scope: 'agent', ofAllMail: true, errors: ['NOT_FOUND'] },
        schema: {
          tags: ['Emails'],
          summary: 'List the suppressed recipients of an email',
          description:
            'Returns the suppressions that stop this email now: those of all mail, and those of its unsubscribe group.',
          params: Type.Object({ id: Type.String() }),
          response: { 200: dataOf(Type.Array(recipientSuppression)) },
        },
      },
      async ({ principal, params: { id } }) => {
        const { organizationId } = principal;
        const email = await service.find(outcomeReachOf(principal), id);
        const recipients = await recipientsOf(suppressions.db, organizationId, email.id);
        const found = await suppressionsOfRecipients(
          suppressions,
          organizationId,
          recipients.map(({ address }) => address),
          email.unsubscribe_group,
        );
        const data = found.map(({ recipient, entry }) => ({
          recipient,
          suppression: suppressionView(entry),
        }));
        return { data };
      },
    );
  };
}
