/** The request and response schemas of a batch send: one template, many recipients, data for each. */
import { type Static, Type } from 'typebox';
import { errorSchema } from '../../http/envelope.ts';
import { anyObject, checked, judgedApart, strictObject } from '../../http/schema.ts';
import type { Clock } from '../../runtime/clock.ts';
import { attachments, emailHold, heldFields, mailLocale, subject } from '../fields-schema.ts';
import { uncheckedMailbox } from '../mailbox-schema.ts';
import { checkReplies, checkStream, checkUnsubscribe, letterheadFields } from '../options-schema.ts';
import { sendBody } from '../schema.ts';
import { STATUSES } from '../status.ts';

const MAX_BATCH_RECIPIENTS = 1000;

/**
 * The schema does not check a recipient's address and name: an invalid recipient is rejected alone, by its index, and the
 * others are accepted.
 */
const batchRecipient = strictObject(
  {
    to: uncheckedMailbox,
    data: Type.Optional(
      anyObject({ description: 'Values for the variables of the template, for this recipient.' }),
    ),
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
      template_id: Type.String({ description: 'Id or alias of the template.' }),
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
    total: Type.Integer({ description: 'Number of recipients in the request.' }),
    accepted: Type.Integer({ description: 'Number of accepted emails, one for each accepted recipient.' }),
    rejected: Type.Array(
      Type.Object({
        index: Type.Integer({ description: 'Position of the recipient in `recipients`, from 0.' }),
        error: Type.String(),
      }),
    ),
    held: Type.Optional(
      Type.Integer({
        description:
          'Number of accepted emails that a hold keeps from being sent. Missing if there are none.',
      }),
    ),
    hold: Type.Optional(emailHold),
  },
  { $id: 'BatchResult' },
);

export const batchStatus = Type.Object(
  {
    batch_id: Type.String(),
    total: Type.Integer({ description: 'Number of emails of the batch.' }),
    counts: Type.Object(Object.fromEntries(STATUSES.map((status) => [status, Type.Integer()])), {
      description: 'Number of emails with each status.',
    }),
  },
  { $id: 'BatchStatus' },
);

export const MAX_MIXED = 100;

/** The request and response schemas of a mixed batch: unrelated emails, each with a result of its own. */
export function mixedBody(clock: Clock) {
  return strictObject(
    {
      emails: Type.Array(judgedApart(sendBody(clock)), {
        minItems: 1,
        maxItems: MAX_MIXED,
        description: 'The emails. Each has the fields of the body of `POST /emails/send`.',
      }),
      all_or_none: Type.Optional(
        Type.Boolean({
          description:
            'Whether all emails are refused if one is refused. By default only the invalid emails are refused.',
        }),
      ),
    },
    { $id: 'SendMixedBatch', examples: [{ emails: [EXAMPLE, { ...EXAMPLE, ...FOR_GRACE }] }] },
  );
}

const EXAMPLE = {
  from: { email: 'hello@sandbox.test' },
  to: [{ email: 'ada@example.org' }],
  subject: 'Your receipt',
  text: 'Thank you, Ada.',
};

const FOR_GRACE = {
  to: [{ email: 'grace@example.org' }],
  subject: 'Your invoice',
  text: 'Dear Grace, your invoice.',
};

export const mixedResult = Type.Object(
  {
    batch_id: Type.String(),
    total: Type.Integer({ description: 'Number of emails in the request.' }),
    accepted: Type.Integer({ description: 'Number of accepted emails.' }),
    results: Type.Array(
      Type.Object({
        index: Type.Integer({ description: 'Position of the email in `emails`, from 0.' }),
        message_id: Type.Optional(Type.String({ description: 'Id of the email, if it was accepted.' })),
        ...heldFields,
        error: Type.Optional(errorSchema.properties.error),
      }),
      { description: 'One result for each email, in the order of `emails`.' },
    ),
  },
  { $id: 'MixedBatchResult' },
);
