/** The request and response schemas of the email routes. */
import { type Static, Type } from 'typebox';
import { EVENT_TYPES } from '../events/append.ts';
import { anyObject, checked, nullable, strictObject, stringEnum, timestamp } from '../http/schema.ts';
import { TLS_POLICIES } from '../protocols/smtp/facts.ts';
import type { Clock } from '../runtime/clock.ts';
import { MODES } from '../runtime/config.ts';
import type { Problems } from '../runtime/problems.ts';
import { RECIPIENT_KINDS } from './email.ts';
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
        Type.String({ description: 'A saved template instead of html and text: its id or its alias.' }),
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
      Type.Boolean({ description: 'Its draft, where it has one, rather than what is sent.' }),
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
  description: '`queued` while any recipient has no final status, then the worst of their outcomes.',
});

export const sendResult = Type.Object(
  {
    message_id: Type.String({ description: 'The id of the email.' }),
    status: stringEnum(['queued']),
    queued_at: timestamp({ description: 'When it was stored.' }),
    ...heldFields,
  },
  { $id: 'SendResult' },
);

const listFields = {
  id: Type.String({ description: 'A UUID.' }),
  message_id: Type.String({ description: 'The same as `id`.' }),
  subject: Type.String(),
  status,
  state: stringEnum(EMAIL_STATES, {
    description:
      'The status, told apart further: `scheduled`, `held` and `retrying` of `queued`, `withdrawn` of `failed`, and `complained`.',
  }),
  next_attempt_at: nullable(timestamp({ description: 'Of mail that is `retrying`.' })),
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
      Type.Array(namedAddress, { description: 'With `from`: only when asked to include addresses.' }),
    ),
  },
  { $id: 'EmailItem' },
);

/** How the identity of the server was verified on an encrypted connection. */
export const tlsCertificate = nullable(
  Type.Object(
    {
      verified: Type.Boolean({
        description:
          'Valid, from a trusted authority, and for the name of the host; with `dane`, the one that DNS vouches for.',
      }),
      policy: stringEnum(TLS_POLICIES, {
        description:
          "The origin of the TLS requirement: the mail host by its TLSA records (DANE) or the recipient's domain (MTA-STS), whose certificate must be verified, the provider's own rules, your relay, or nothing but the server's offer.",
      }),
      issuer: nullable(Type.String({ description: 'Who issued it.' })),
      problem: nullable(Type.String({ description: 'Why it is not verified.' })),
      sha256: Type.Optional(
        nullable(Type.String({ description: 'SHA-256 of the certificate, in hexadecimal.' })),
      ),
    },
    { $id: 'TlsCertificate', description: 'Of the server; null without TLS.' },
  ),
);

export const event = Type.Object(
  {
    id: Type.String(),
    type: stringEnum(EVENT_TYPES, { examples: ['delivered'] }),
    recipient: Type.String(),
    mx_host: nullable(Type.String({ description: 'The mail server.' })),
    smtp_code: nullable(Type.Integer({ description: 'Its answer.' })),
    smtp_message: nullable(Type.String({ description: 'Its words.' })),
    enhanced_code: nullable(Type.String({ description: 'Such as `5.1.1`.' })),
    reason: nullable(
      Type.String({ description: 'Why, from a closed list: `unknown_recipient`, `greylisted`, …' }),
    ),
    attempt: nullable(Type.Integer({ description: 'From 1.' })),
    tls: nullable(Type.String({ description: 'What the connection was secured with.' })),
    tls_certificate: tlsCertificate,
    next_attempt_at: nullable(timestamp({ description: 'When a deferred delivery is tried again.' })),
    user_agent: nullable(
      Type.String({
        description: 'Of `opened` and `clicked`: the program that fetched the pixel or followed the link.',
      }),
    ),
    machine: nullable(
      Type.Boolean({
        description:
          'Of `opened` and `clicked`: whether it was a prefetch, scanner, bot or preview, not a person; `reason` says which.',
      }),
    ),
    url: nullable(Type.String({ description: 'Of `clicked`: the link, as it is in the mail.' })),
    hold: nullable(emailHold),
    created_at: timestamp({ description: 'When it happened.' }),
  },
  { $id: 'Event' },
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
      description: 'Everybody who gets the answers; `reply_to` is the first of them.',
    }),
    template_id: nullable(Type.String()),
    locale: nullable(
      Type.String({
        description: 'The translation of the template that it is in; null for the template itself.',
      }),
    ),
    batch_id: nullable(Type.String()),
    api_key_id: nullable(
      Type.String({ description: 'The API key it was sent with; null where a person sent it.' }),
    ),
    request_id: nullable(
      Type.String({
        description: 'The `X-Request-Id` of the request that sent it; null where it came over SMTP.',
      }),
    ),
    mode: nullable(
      stringEnum(MODES, {
        description: 'The mode it was accepted in. Mail of the sandbox never leaves it.',
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
  content_id: nullable(Type.String({ description: 'What html refers to as cid:…' })),
  size: Type.Integer({ description: 'Bytes of the content.' }),
};

/** With the file's content. */
export const emailAttachment = Type.Object(
  {
    ...attachmentFields,
    content: Type.String({ description: 'Base64.' }),
  },
  { $id: 'EmailAttachment' },
);

export const emailContent = Type.Object(
  {
    subject: Type.String(),
    html: nullable(Type.String()),
    text: nullable(Type.String()),
    headers: Type.Record(Type.String(), Type.String(), {
      description: 'Those that were given with the email.',
    }),
    attachments: Type.Array(Type.Object(attachmentFields), {
      description: 'What was attached, without the content: `GET /emails/{id}/attachments/{number}` has it.',
    }),
    template_data: nullable(
      anyObject({ description: 'The values that its template was rendered with; null without a template.' }),
    ),
    has_raw: Type.Boolean({
      description:
        'Whether it was submitted as a whole message, which `GET /emails/{id}/raw` answers byte for byte.',
    }),
  },
  { $id: 'EmailContent' },
);
