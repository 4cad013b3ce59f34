/** Schemas of the sandbox inbox. */
import { type Static, Type } from 'typebox';
import { pageFields } from '../http/pagination.ts';
import { nullable, strictObject, stringEnum, timestamp } from '../http/schema.ts';
import { AUTHENTICATION_RESULTS } from './authentication.ts';
import { RECIPIENT_ACTIONS } from './recipient-actions.ts';

export const capturedTo = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 1_000,
    description: 'Only messages to this address, regardless of case.',
  }),
);

export const inboxQuery = strictObject({
  ...pageFields,
  to: capturedTo,
  q: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description:
        'Words that all stand in the message, regardless of case: in its subject, its addresses or its body (the first 128 KB of the message). At most ten.',
    }),
  ),
  unread: Type.Optional(Type.Boolean({ description: 'Only messages that nobody looked at.' })),
});
export type InboxQuery = Static<typeof inboxQuery>;

export const messageParams = strictObject({ id: Type.String() });

const mailbox = Type.Object({ email: Type.String(), name: nullable(Type.String()) });

const itemFields = {
  id: Type.String(),
  email_id: Type.String({ description: 'The email this is a delivery of.' }),
  account_mail: Type.Boolean({
    description:
      'Whether it is mail of the installation to its users, which is in no list of emails. Never shown to keys.',
  }),
  from: mailbox,
  to: Type.String({ description: 'The recipient of this delivery (the envelope, so bcc is shown too).' }),
  subject: Type.String(),
  size: Type.Integer({ description: 'Bytes of the whole message.' }),
  is_read: Type.Boolean({ description: 'Whether somebody looked at it in the dashboard, or said so.' }),
  received_at: timestamp(),
};

export const itemSchema = Type.Object(itemFields, { $id: 'SandboxMessageItem' });
export type Item = Static<typeof itemSchema>;

const attachment = Type.Object({
  filename: nullable(Type.String()),
  content_type: Type.String(),
  content_id: nullable(Type.String({ description: 'What html refers to as cid:…' })),
  size: Type.Integer({ description: 'Bytes of the content.' }),
  content: Type.String({ description: 'The content, in base64.' }),
});

const result = stringEnum(AUTHENTICATION_RESULTS);
const why = nullable(Type.String({ description: 'In words, where it does not pass.' }));

const authentication = Type.Object(
  {
    dkim: Type.Object({
      result,
      domain: nullable(Type.String({ description: 'That signed it.' })),
      selector: nullable(Type.String()),
      reason: why,
    }),
    spf: Type.Object({ result, domain: Type.String({ description: 'Of the sender.' }), reason: why }),
  },
  { description: 'What a receiver would make of it.' },
);

export const messageSchema = Type.Object(
  {
    ...itemFields,
    return_path: Type.String({ description: 'The envelope sender: where a bounce would have gone.' }),
    authentication,
    addresses: Type.Object(
      {
        from: Type.Array(mailbox),
        to: Type.Array(mailbox),
        cc: Type.Array(mailbox),
        reply_to: Type.Array(mailbox),
      },
      { description: 'The address headers as a reader sees them.' },
    ),
    headers: Type.Array(Type.Object({ name: Type.String(), value: Type.String() }), {
      description: 'Every header in order, unfolded, otherwise as sent.',
    }),
    html: nullable(Type.String()),
    text: nullable(Type.String()),
    attachments: Type.Array(attachment, { description: 'Attachments and inline images.' }),
    links: Type.Array(
      Type.Object({
        url: Type.String(),
        text: nullable(Type.String({ description: 'What is clicked on; null in plain text.' })),
      }),
      { description: 'Each link once, in their order; at most 100.' },
    ),
    codes: Type.Array(Type.String(), {
      description:
        'What looks like a code to type: digits without the spaces between them, or digits and capital letters. Those near a word such as “code” first; at most 20.',
    }),
  },
  { $id: 'SandboxMessage' },
);
export type SandboxMessage = Static<typeof messageSchema>;

export const actionBody = strictObject(
  {
    action: stringEnum(RECIPIENT_ACTIONS, {
      description:
        '`open` loads its pixel, `click` follows a link, `unsubscribe` presses the button of the mail program, `complain` the one for spam, and `bounce` is what a server says that took it and then found no mailbox. `reply` answers it, to its Reply-To or its sender, where that is received here.',
    }),
    link: Type.Optional(
      Type.String({
        ...{ minLength: 1, maxLength: 4_096 },
        description: 'Which of its `links` to click; the first one when not given.',
      }),
    ),
    text: Type.Optional(
      Type.String({
        ...{ minLength: 1, maxLength: 100_000 },
        description: 'Of a `reply`: what its recipient writes above what they quote.',
      }),
    ),
  },
  { $id: 'SandboxAction' },
);

export const actedSchema = Type.Object({
  action: stringEnum(RECIPIENT_ACTIONS),
  leads_to: nullable(Type.String({ description: 'Where the link leads.' })),
});

export const markBody = strictObject({ is_read: Type.Boolean() }, { $id: 'MarkSandboxMessage' });

export const markedSchema = Type.Object({ changed: Type.Integer({ description: 'How many messages.' }) });

export const sampleReportsSchema = Type.Object({
  sent: Type.Integer({ description: 'How many reports the inbound receiver took.' }),
});

export const deletedMessagesSchema = Type.Object({
  deleted: Type.Integer({ description: 'How many messages there were.' }),
});
