/** The request and response schemas of a batch send: one template, many recipients, data for each. */
import { type Static, Type } from 'typebox';
import { anyObject, checked, strictObject } from '../../http/schema.ts';
import type { Clock } from '../../runtime/clock.ts';
import { attachments, emailHold, mailLocale, subject } from '../fields-schema.ts';
import { uncheckedMailbox } from '../mailbox-schema.ts';
import { checkReplies, checkStream, checkUnsubscribe, letterheadFields } from '../options-schema.ts';
import { STATUSES } from '../status.ts';

export const MAX_BATCH_RECIPIENTS = 1000;

/**
 * The schema does not check a recipient's address and name: an invalid recipient is rejected alone, by its index, and the
 * others are accepted.
 */
const batchRecipient = strictObject(
  {
    to: uncheckedMailbox,
    data: Type.Optional(anyObject({ description: 'Values for the variables of the template.' })),
    locale: Type.Optional(mailLocale),
  },
  { $id: 'BatchRecipient' },
);

export function batchBody(clock: Clock) {
  return checked(batchFields(clock), (body, problems) => {
    checkUnsubscribe(body, problems);
    checkReplies(body, problems);
    checkStream(body, problems);
  });
}

/** The fields alone; `batchBody` adds the rules between them. */
function batchFields(clock: Clock) {
  return strictObject(
    {
      template_id: Type.String({ description: 'Its id or its alias.' }),
      subject: Type.Optional(subject),
      locale: Type.Optional(mailLocale),
      attachments: Type.Optional(attachments),
      recipients: Type.Array(batchRecipient, { minItems: 1, maxItems: MAX_BATCH_RECIPIENTS }),
      ...letterheadFields(clock),
    },
    {
      $id: 'SendBatch',
      examples: [
        {
          template_id: 'tmpl_1',
          from: { email: 'hello@sandbox.test' },
          recipients: [{ to: { email: 'ada@example.org' }, data: { name: 'Ada' } }],
        },
      ],
    },
  );
}

export type BatchBody = Static<ReturnType<typeof batchFields>>;

export const batchResult = Type.Object(
  {
    batch_id: Type.String(),
    total: Type.Integer(),
    accepted: Type.Integer(),
    rejected: Type.Array(
      Type.Object({
        index: Type.Integer({ description: 'The position in `recipients`, from 0.' }),
        error: Type.String(),
      }),
    ),
    held: Type.Optional(
      Type.Integer({
        description: 'How many of the accepted emails a hold keeps from being sent; missing if none.',
      }),
    ),
    hold: Type.Optional(emailHold),
  },
  { $id: 'BatchResult' },
);

export const batchStatus = Type.Object(
  {
    batch_id: Type.String(),
    total: Type.Integer(),
    counts: Type.Object(Object.fromEntries(STATUSES.map((status) => [status, Type.Integer()]))),
  },
  { $id: 'BatchStatus' },
);
