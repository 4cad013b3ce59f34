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
    description: 'Only messages to this address. Case is ignored.',
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
        'Only messages that contain all these words, at most ten, in the subject, the addresses or the body (the first 128 KB of the message). Case is ignored.',
    }),
  ),
  unread: Type.Optional(Type.Boolean({ description: 'Only unread messages.' })),
});
export type InboxQuery = Static<typeof inboxQuery>;

export const messageParams = strictObject({ id: Type.String() });

const mailbox = Type.Object({ email: Type.String(), name: nullable(Type.String()) });

const itemFields = {
  id: Type.String(),
  email_id: Type.String({ description: 'Id of the email that the message is a delivery of.' }),
  account_mail: Type.Boolean({
    description:
      'Whether the message is account mail of the installation to its users. Account mail is in no list of emails and never shown to API keys.',
  }),
  from: mailbox,
  to: Type.String({
    description: 'Recipient of the delivery. It is the envelope recipient, so it can be a bcc address.',
  }),
  subject: Type.String(),
  size: Type.Integer({ description: 'Size of the whole message in bytes.' }),
  is_read: Type.Boolean({
    description: 'Whether the message was opened in the dashboard or marked as read.',
  }),
  received_at: timestamp(),
};

export const itemSchema = Type.Object(itemFields, { $id: 'SandboxMessageItem' });
export type Item = Static<typeof itemSchema>;

const attachment = Type.Object({
  filename: nullable(Type.String()),
  content_type: Type.String(),
  content_id: nullable(
    Type.String({
      description:
        'Content id of an inline image, which the html refers to as `cid:…`. Null if the attachment has none.',
    }),
  ),
  size: Type.Integer({ description: 'Size of the content in bytes.' }),
  content: Type.String({ description: 'Content of the file in base64.' }),
});

const result = stringEnum(AUTHENTICATION_RESULTS);
const why = nullable(
  Type.String({ description: 'Why the check does not pass, in words. Null if it passes.' }),
);

const authentication = Type.Object(
  {
    dkim: Type.Object({
      result,
      domain: nullable(
        Type.String({ description: 'Domain of the DKIM signature. Null if the message is not signed.' }),
      ),
      selector: nullable(Type.String()),
      reason: why,
    }),
    spf: Type.Object({
      result,
      domain: Type.String({ description: 'Domain of the envelope sender.' }),
      reason: why,
    }),
  },
  { description: 'Results of DKIM and SPF, as a receiver would find them.' },
);

export const messageSchema = Type.Object(
  {
    ...itemFields,
    return_path: Type.String({ description: 'Envelope sender: the address that a bounce would go to.' }),
    authentication,
    addresses: Type.Object(
      {
        from: Type.Array(mailbox),
        to: Type.Array(mailbox),
        cc: Type.Array(mailbox),
        reply_to: Type.Array(mailbox),
      },
      { description: 'Addresses in the header fields, as a reader sees them.' },
    ),
    headers: Type.Array(Type.Object({ name: Type.String(), value: Type.String() }), {
      description: 'All header fields in order. Folded lines are joined; otherwise as sent.',
    }),
    html: nullable(Type.String()),
    text: nullable(Type.String()),
    attachments: Type.Array(attachment, { description: 'Attachments and inline images of the message.' }),
    links: Type.Array(
      Type.Object({
        url: Type.String(),
        text: nullable(
          Type.String({ description: 'Text of the link in the html. Null for a link in plain text.' }),
        ),
      }),
      { description: 'Links of the message in order, each listed once. At most 100.' },
    ),
    codes: Type.Array(Type.String(), {
      description:
        'Texts that look like a code to type: digits without the spaces between them, or digits and capital letters. Codes near a word such as “code” come first. At most 20.',
    }),
  },
  { $id: 'SandboxMessage' },
);
export type SandboxMessage = Static<typeof messageSchema>;

export const actionBody = strictObject(
  {
    action: stringEnum(RECIPIENT_ACTIONS, {
      description:
        '`open`: load the pixel. `click`: follow a link. `unsubscribe`: use the unsubscribe button of the mail program. `complain`: report the message as spam. `bounce`: send a bounce, as a server that has accepted the message and then finds no mailbox. `reply`: reply to the Reply-To address or the sender, if this installation receives mail there.',
    }),
    link: Type.Optional(
      Type.String({
        ...{ minLength: 1, maxLength: 4_096 },
        description: 'Link to click, from `links` of the message. The default is the first link.',
      }),
    ),
    text: Type.Optional(
      Type.String({
        ...{ minLength: 1, maxLength: 100_000 },
        description: 'Text above the quoted message, for `reply`. The default is `Thank you.`',
      }),
    ),
  },
  { $id: 'SandboxAction' },
);

export const actedSchema = Type.Object({
  action: stringEnum(RECIPIENT_ACTIONS),
  leads_to: nullable(
    Type.String({ description: 'URL that the link leads to. Null if the action is not a click.' }),
  ),
});

export const markBody = strictObject({ is_read: Type.Boolean() }, { $id: 'MarkSandboxMessage' });

export const markedSchema = Type.Object({
  changed: Type.Integer({ description: 'Number of messages that were changed.' }),
});

export const sampleReportsSchema = Type.Object({
  sent: Type.Integer({ description: 'Number of reports that the inbound server accepted.' }),
});

export const deletedMessagesSchema = Type.Object({
  deleted: Type.Integer({ description: 'Number of messages that were deleted.' }),
});
