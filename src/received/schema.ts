/** The request and response schemas of received mail. */
import { Type } from 'typebox';
import { attachments, bodyText, subject } from '../emails/fields-schema.ts';
import { recipients, senderMailbox } from '../emails/mailbox-schema.ts';
import { cursorFields } from '../http/pagination.ts';
import { checked, nullable, strictObject, stringEnum, timestamp } from '../http/schema.ts';
import { isUuid } from '../runtime/ids.ts';
import { DKIM_RESULTS, DMARC_RESULTS, SCAN_RESULTS, SPF_RESULTS } from './received-email.ts';

export const receivedParams = Type.Object({ id: Type.String() });
export const receivedFileParams = Type.Object({ id: Type.String(), number: Type.String() });

const uuidText = (description: string) =>
  checked(Type.String({ description, maxLength: 36 }), (text, problems) => {
    if (!isUuid(text)) problems.add('', 'is not an id');
  });

export const receivedQuery = strictObject({
  ...cursorFields,
  cursor: Type.Optional(
    checked(cursorFields.cursor, (text, problems) => {
      if (!isUuid(text))
        problems.add('', 'is not a cursor of this list: use a next_cursor that this list returned');
    }),
  ),
  route: Type.Optional(Type.String({ maxLength: 64, description: 'The id of a route.' })),
  from: Type.Optional(Type.String({ maxLength: 320, description: 'The author.' })),
  to: Type.Optional(Type.String({ maxLength: 320, description: 'The address it was sent to.' })),
  conversation: Type.Optional(uuidText('The `conversation_id` of a mail.')),
  search: Type.Optional(
    Type.String({ minLength: 2, maxLength: 200, description: 'In the subject, or in who wrote it.' }),
  ),
});

const MESSAGE_ID = '<01a1dd1c-a292-7088-82d5-cb934f4f4126@sandbox.test>';

const writtenAddress = Type.Object({ email: Type.String(), name: nullable(Type.String()) });

const itemFields = {
  id: Type.String({ description: 'A UUID.' }),
  status: stringEnum(['waiting', 'read', 'unreadable'], {
    description: '`waiting` for a moment, until it is read. `unreadable`: only its source is there.',
  }),
  from: nullable(writtenAddress),
  to: Type.Array(Type.String(), { description: 'Addresses of yours that it was sent to.' }),
  subject: Type.String(),
  is_automatic: Type.Boolean({
    description: 'Written by a machine: an automatic reply, a bounce, a list. Never answer it automatically.',
  }),
  has_attachments: Type.Boolean(),
  conversation_id: Type.String({
    description: 'The same for all mail that belongs together.',
    examples: ['01a1dd1c-a292-7088-82d5-cb934f4f4126'],
  }),
  in_reply_to_email_id: nullable(
    Type.String({
      description: 'The email of yours that it answers.',
      examples: ['01a1dd1c-a292-7088-82d5-cb934f4f4126'],
    }),
  ),
  route_ids: Type.Array(Type.String({ examples: ['rte_7k2m9x4c8v1b5n3z6q0w'] })),
  size: Type.Integer({ description: 'Bytes of the whole message.' }),
  received_at: timestamp(),
};

export const receivedItem = Type.Object(itemFields, { $id: 'ReceivedEmailItem' });

const authentication = nullable(
  Type.Object(
    {
      spf: Type.Object({ result: stringEnum(SPF_RESULTS), domain: nullable(Type.String()) }),
      dkim: Type.Object({
        result: stringEnum(DKIM_RESULTS, { description: 'The best of its signatures.' }),
        signatures: Type.Array(
          Type.Object({
            domain: Type.String(),
            selector: Type.String(),
            result: stringEnum(DKIM_RESULTS),
            reason: nullable(Type.String()),
          }),
        ),
      }),
      dmarc: Type.Object({
        result: stringEnum(DMARC_RESULTS, {
          description: '`pass`: the sender in From is authentic. `none`: the domain has no DMARC record.',
        }),
        domain: nullable(Type.String()),
        policy: nullable(Type.String({ description: 'The policy of the domain for mail that fails.' })),
      }),
    },
    { $id: 'MailAuthentication' },
  ),
);

const receivedAttachment = Type.Object(
  {
    filename: Type.String(),
    content_type: Type.String({ description: 'As its sender says; it is always served as a download.' }),
    content_id: nullable(Type.String({ description: 'What html refers to as cid:…' })),
    size: Type.Integer(),
    dangerous: Type.Boolean({ description: 'The file name is that of a program.' }),
    download_url: Type.String({
      description: 'Works without a key, for seven days.',
      examples: ['https://mail.example.org/received/org_99289pn4fcap7.01a1dd1c'],
    }),
  },
  { $id: 'ReceivedAttachment' },
);

export const receivedFields = {
  ...itemFields,
  matched_by: nullable(
    stringEnum(['token', 'headers'], {
      description:
        'How the answered email was determined: by its reply address, or by the header fields of the reply.',
    }),
  ),
  message_id: nullable(Type.String()),
  in_reply_to: nullable(
    Type.String({ description: 'As its sender’s program wrote it.', examples: [MESSAGE_ID] }),
  ),
  references: Type.Array(Type.String({ examples: [MESSAGE_ID] })),
  date: nullable(Type.String({ description: 'As its sender’s program wrote it.' })),
  header_to: Type.Array(writtenAddress, { description: 'The recipients in its header.' }),
  cc: Type.Array(writtenAddress),
  reply_to: Type.Array(writtenAddress),
  text: nullable(Type.String()),
  html: nullable(
    Type.String({ description: 'The original HTML from an untrusted sender: show it only in a sandbox.' }),
  ),
  stripped_reply: nullable(
    Type.String({
      description: 'The text without quotes and signature, as far as they can be detected.',
      examples: ['Thank you!'],
    }),
  ),
  is_truncated: Type.Boolean({ description: 'There was more; the source has all of it.' }),
  headers: Type.Array(Type.Object({ name: Type.String(), value: Type.String() })),
  attachments: Type.Array(receivedAttachment),
  envelope: Type.Object({
    mail_from: Type.String({
      description: 'Empty for bounces and most automatic replies.',
      examples: ['ada@example.org'],
    }),
    remote_address: Type.String({
      description: 'Of the server that brought it.',
      examples: ['192.0.2.25'],
    }),
    helo: Type.String({ examples: ['mx1.example.org'] }),
    tls: Type.Boolean(),
  }),
  authentication,
  spam: Type.Object({
    result: stringEnum(SCAN_RESULTS),
    score: nullable(Type.Number()),
    symbols: Type.Array(Type.String({ examples: ['DKIM_VALID'] })),
  }),
  virus: Type.Object({ result: stringEnum(SCAN_RESULTS), name: nullable(Type.String()) }),
  problem: nullable(Type.String({ description: 'Why it is unreadable.' })),
  has_source: Type.Boolean({ description: 'False once its content was kept long enough.' }),
};

/** As in a send, which validates the fields again together with those taken from the mail. */
export const replyBody = strictObject(
  {
    text: Type.Optional(bodyText),
    html: Type.Optional(bodyText),
    from: Type.Optional(senderMailbox),
    cc: Type.Optional(recipients),
    subject: Type.Optional(subject),
    attachments: Type.Optional(attachments),
    receive_replies: Type.Optional(
      Type.Boolean({
        description:
          'As of a send. True if left out: what its recipient answers belongs to the same conversation.',
      }),
    ),
  },
  { $id: 'ReplyToReceived', examples: [{ text: 'Thank you, we look into it.' }] },
);

export const receivedDetail = Type.Object(
  {
    ...receivedFields,
    conversation: Type.Array(
      Type.Object({
        id: Type.String(),
        kind: stringEnum(['received', 'sent']),
        subject: Type.String(),
        from: nullable(Type.String({ examples: ['ada@example.org'] })),
        at: timestamp(),
      }),
      { description: 'The newest 100 of it, oldest first.' },
    ),
  },
  { $id: 'ReceivedEmail' },
);
