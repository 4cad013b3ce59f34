/** The request and response schemas of the email routes. */
import { type Static, Type } from 'typebox';
import { addressField } from '../http/address-field.ts';
import { anyObject, checked, nullable, strictObject, stringEnum, timestamp } from '../http/schema.ts';
import type { Clock } from '../runtime/clock.ts';
import { MODES } from '../runtime/config.ts';
import type { Problems } from '../runtime/problems.ts';
import { RECIPIENT_KINDS } from './email.ts';
import { event } from './event-schema.ts';
import { attachments, bodyText, emailHold, heldFields, mailLocale, subject } from './fields-schema.ts';
import { atLeastOneRecipient, MAX_RECIPIENTS, mailbox, recipients, senderMailbox } from './mailbox-schema.ts';
import {
  checkReplies,
  checkStream,
  checkUnsubscribe,
  letterheadFields,
  priority,
  scheduledAt,
  shownOptions,
} from './options-schema.ts';
import { EMAIL_STATES, RECIPIENT_STATES, STATUSES } from './status.ts';

const EXAMPLE = {
  from: { email: 'hello@sandbox.test', name: 'The Shop' },
  to: [{ email: 'ada@example.org', name: 'Ada' }],
  subject: 'Your receipt',
  html: '<p>Thank you, Ada.</p>',
  text: 'Thank you, Ada.',
};

/** The fields alone; `sendBody` adds the rules between them. */
function sendFields(clock: Clock) {
  return strictObject(
    {
      to: atLeastOneRecipient,
      cc: Type.Optional(recipients),
      bcc: Type.Optional(recipients),
      subject,
      html: Type.Optional(bodyText),
      text: Type.Optional(bodyText),
      template_id: Type.Optional(
        Type.String({ description: 'Id or alias of a saved template, instead of html and text.' }),
      ),
      template_data: Type.Optional(anyObject({ description: 'Values for the variables of the template.' })),
      locale: Type.Optional(mailLocale),
      attachments: Type.Optional(attachments),
      ...letterheadFields(clock),
    },
    { $id: 'SendEmail', examples: [EXAMPLE], oneNeeded: ['html', 'text', 'template_id'] },
  );
}

export type SendBody = Static<ReturnType<typeof sendFields>>;

export function sendBody(clock: Clock) {
  return checked(sendFields(clock), checkTogether);
}

const NO_CONTENT = 'at least one of html, text or template_id is required, and must not be empty';

function isNothing(content: string | undefined): boolean {
  return content === undefined || content === '';
}

/** The rules across several fields. Each checks types first, because a field may itself be invalid. */
function checkTogether(body: Partial<SendBody>, problems: Problems): void {
  const hasTemplate = body.template_id !== undefined;
  if (!hasTemplate && isNothing(body.html) && isNothing(body.text)) {
    problems.add(body.text === '' ? 'text' : 'html', NO_CONTENT, 'one_missing');
  }
  for (const field of ['html', 'text'] as const) {
    if (hasTemplate && body[field] !== undefined)
      problems.add(field, 'must not be given together with template_id');
  }
  if (!hasTemplate && body.template_data !== undefined) {
    problems.add('template_data', 'needs a template_id');
  }
  if (!hasTemplate && body.locale !== undefined) problems.add('locale', 'needs a template_id');
  checkUnsubscribe(body, problems);
  checkReplies(body, problems);
  checkStream(body, problems);
  const lengths = [body.to, body.cc, body.bcc].map((given) =>
    Array.isArray(given) ? given.length : given === undefined ? 0 : 1,
  );
  const count = lengths.reduce((sum, length) => sum + length, 0);
  // A list that is too long on its own has been reported already.
  if (count > MAX_RECIPIENTS && lengths.every((length) => length <= MAX_RECIPIENTS)) {
    problems.add(
      'to',
      `to, cc and bcc together must not have more than ${MAX_RECIPIENTS} recipients, these are ${count}`,
    );
  }
}

export const templateTestBody = strictObject(
  {
    to: mailbox,
    from: senderMailbox,
    data: Type.Optional(anyObject({ description: 'Values for the variables of the template.' })),
    locale: Type.Optional(mailLocale),
    draft: Type.Optional(
      Type.Boolean({
        description:
          'Whether to send the draft of the template, if it has one, instead of the published version.',
      }),
    ),
  },
  {
    $id: 'TestTemplate',
    examples: [{ to: { email: 'ada@example.org' }, from: { email: 'hello@sandbox.test' } }],
  },
);

export type TemplateTestBody = Static<typeof templateTestBody>;

export function rescheduleBody(clock: Clock) {
  return strictObject({ scheduled_at: scheduledAt(clock) }, { $id: 'RescheduleEmail' });
}

const status = stringEnum(STATUSES, {
  description:
    'Status of the whole email: `queued` while any recipient has no final status, then the worst outcome of all recipients.',
});

export const resendEmailBody = strictObject(
  {
    recipients: Type.Optional(
      Type.Array(
        addressField({ description: 'Address of a recipient of the email.', examples: ['ada@example.org'] }),
        {
          minItems: 1,
          maxItems: MAX_RECIPIENTS,
          description:
            'Recipients of the new email, all of them recipients of this email. The default is all recipients. If none of them is in `to`, those in `cc` become `to`.',
        },
      ),
    ),
  },
  { $id: 'ResendEmail' },
);

export const sendResult = Type.Object(
  {
    message_id: Type.String({ description: 'Id of the email, a UUID.' }),
    status: stringEnum(['queued']),
    queued_at: timestamp({ description: 'Time at which the email was stored.' }),
    ...heldFields,
  },
  { $id: 'SendResult' },
);

const listFields = {
  id: Type.String({ description: 'Id of the email, a UUID.' }),
  message_id: Type.String({ description: 'Same as `id`.' }),
  subject: Type.String(),
  status,
  state: stringEnum(EMAIL_STATES, {
    description:
      'Refined status. `scheduled`, `awaiting_approval`, `held` and `retrying` have the status `queued`; `withdrawn` and `superseded` have the status `failed`; `partly_delivered` has the status `bounced` or `failed`, and some of the recipients got the email. `complained`: a recipient reported the email as spam. Other states are the same as the status.',
  }),
  recipient_count: Type.Integer({
    description: 'Number of addresses in `to`, `cc` and `bcc`, each counted once.',
  }),
  delivered_count: Type.Integer({ description: 'Number of recipients whose servers accepted the email.' }),
  next_attempt_at: nullable(
    timestamp({ description: 'Time of the next attempt, if the state is `retrying`. Null otherwise.' }),
  ),
  hold: nullable(emailHold),
  priority,
  created_at: timestamp(),
  updated_at: timestamp(),
};

const namedAddress = Type.Object(
  { email: Type.String(), name: nullable(Type.String()) },
  { $id: 'NamedAddress' },
);

export const emailItem = Type.Object(
  {
    ...listFields,
    from: Type.Optional(namedAddress),
    to: Type.Optional(
      Type.Array(namedAddress, {
        description: 'Recipients. `from` and `to` are present only with `include=addresses`.',
      }),
    ),
  },
  { $id: 'EmailItem' },
);

export const emailDetail = Type.Object(
  {
    ...listFields,
    scheduled_at: nullable(timestamp()),
    from: namedAddress,
    to: Type.Array(namedAddress),
    cc: Type.Array(namedAddress),
    bcc: Type.Array(namedAddress),
    reply_to: nullable(namedAddress),
    reply_to_list: Type.Array(namedAddress, {
      description: 'All addresses that replies go to. `reply_to` is the first of them.',
    }),
    template_id: nullable(Type.String()),
    locale: nullable(
      Type.String({
        description:
          'Language of the translation that was sent, such as `pt-BR`. Null if the template itself was sent, or if there was no template.',
      }),
    ),
    batch_id: nullable(Type.String()),
    resent_from: nullable(
      Type.String({
        description:
          'Id of the email that this one sends again. Null if it is not a resend. The email may be deleted.',
        examples: ['01a1dd1c-a292-7088-82d5-cb934f4f4126'],
      }),
    ),
    resends: Type.Array(Type.Object({ id: Type.String(), created_at: timestamp() }, { $id: 'Resend' }), {
      description: 'The newest 100 emails as which this one was sent again, oldest first.',
    }),
    api_key_id: nullable(
      Type.String({
        description: 'Id of the API key that the email was sent with. Null if a signed-in person sent it.',
      }),
    ),
    request_id: nullable(
      Type.String({
        description: '`X-Request-Id` of the request that sent the email. Null if it was submitted over SMTP.',
      }),
    ),
    mode: nullable(
      stringEnum(MODES, {
        description:
          'Mode in which the email was accepted. Mail that was accepted in the sandbox is never sent to the Internet.',
      }),
    ),
    ...shownOptions,
    recipients: Type.Array(
      Type.Object(
        {
          email: Type.String(),
          kind: stringEnum(RECIPIENT_KINDS),
          status: stringEnum(RECIPIENT_STATES),
          attempts: Type.Integer(),
          updated_at: timestamp(),
        },
        { $id: 'RecipientState' },
      ),
    ),
    events: Type.Array(event),
  },
  { $id: 'Email' },
);

const attachmentFields = {
  filename: Type.String(),
  content_type: Type.String(),
  content_id: nullable(
    Type.String({
      description:
        'Content id of an inline image, which the html refers to as `cid:…`. Null if the attachment has none.',
    }),
  ),
  size: Type.Integer({ description: 'Size of the content in bytes.' }),
};

/** With the file's content. */
export const emailAttachment = Type.Object(
  {
    ...attachmentFields,
    content: Type.String({ description: 'Content of the file in base64.' }),
  },
  { $id: 'EmailAttachment' },
);

export const emailContent = Type.Object(
  {
    subject: Type.String(),
    html: nullable(Type.String()),
    text: nullable(Type.String()),
    headers: Type.Record(Type.String(), Type.String(), {
      description: 'Custom headers that were given with the email.',
    }),
    attachments: Type.Array(Type.Object(attachmentFields), {
      description:
        'Attachments of the email, without their content. `GET /emails/{id}/attachments/{number}` returns the content.',
    }),
    template_data: nullable(
      anyObject({
        description: 'Values that the template was rendered with. Null if the email has no template.',
      }),
    ),
    has_raw: Type.Boolean({
      description:
        'Whether the email was submitted as a complete message, for example over SMTP. `GET /emails/{id}/raw` then returns its source byte for byte.',
    }),
  },
  { $id: 'EmailContent' },
);
