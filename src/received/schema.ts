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
  route: Type.Optional(
    Type.String({ maxLength: 64, description: 'Only mail that was received by this route, by its id.' }),
  ),
  from: Type.Optional(Type.String({ maxLength: 320, description: 'Only mail from this address.' })),
  to: Type.Optional(Type.String({ maxLength: 320, description: 'Only mail to this address of yours.' })),
  conversation: Type.Optional(
    uuidText('Only mail of this conversation, by the `conversation_id` of a mail.'),
  ),
  search: Type.Optional(
    Type.String({
      minLength: 2,
      maxLength: 200,
      description: 'Only mail with this text in the subject, or in the name or address of the sender.',
    }),
  ),
});

const MESSAGE_ID = '<01a1dd1c-a292-7088-82d5-cb934f4f4126@sandbox.test>';

const writtenAddress = Type.Object({ email: Type.String(), name: nullable(Type.String()) });

const itemFields = {
  id: Type.String({ description: 'Id of the received mail, a UUID.' }),
  status: stringEnum(['waiting', 'read', 'unreadable'], {
    description:
      '`waiting`: received, but not read yet, which takes moments. `read`: parsed. `unreadable`: the mail could not be parsed and only its source is available.',
  }),
  from: nullable(writtenAddress),
  to: Type.Array(Type.String(), { description: 'Your addresses that the mail was sent to.' }),
  subject: Type.String(),
  is_automatic: Type.Boolean({
    description:
      'Whether a machine wrote the mail, such as an automatic reply, a bounce or a mailing list. Never reply to it automatically.',
  }),
  has_attachments: Type.Boolean(),
  conversation_id: Type.String({
    description: 'Id of the conversation. All mail that belongs together has the same id.',
    examples: ['01a1dd1c-a292-7088-82d5-cb934f4f4126'],
  }),
  in_reply_to_email_id: nullable(
    Type.String({
      description: 'Id of your email that the mail replies to. Null if it is not a reply to one.',
      examples: ['01a1dd1c-a292-7088-82d5-cb934f4f4126'],
    }),
  ),
  route_ids: Type.Array(Type.String({ examples: ['rte_7k2m9x4c8v1b5n3z6q0w'] })),
  size: Type.Integer({ description: 'Size of the whole message in bytes.' }),
  received_at: timestamp(),
};

export const receivedItem = Type.Object(itemFields, { $id: 'ReceivedEmailItem' });

const scanResult = stringEnum(SCAN_RESULTS, {
  description:
    'Result of the scanner of this server. `not_checked`: there is no scanner. `unavailable`: the scanner did not respond.',
});

const authentication = nullable(
  Type.Object(
    {
      spf: Type.Object({ result: stringEnum(SPF_RESULTS), domain: nullable(Type.String()) }),
      dkim: Type.Object({
        result: stringEnum(DKIM_RESULTS, { description: 'Result of the best DKIM signature.' }),
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
          description:
            'Result of DMARC. `pass`: the sender in From is authentic. `none`: the domain has no DMARC record.',
        }),
        domain: nullable(Type.String()),
        policy: nullable(
          Type.String({
            description:
              'Policy of the domain for mail that fails DMARC. Null if the domain has no DMARC record.',
          }),
        ),
      }),
    },
    { $id: 'MailAuthentication' },
  ),
);

const receivedAttachment = Type.Object(
  {
    filename: Type.String(),
    content_type: Type.String({
      description: 'MIME type as the sender states it. The file is always served as a download.',
    }),
    content_id: nullable(
      Type.String({
        description:
          'Content id of an inline image, which the html refers to as `cid:…`. Null if the attachment has none.',
      }),
    ),
    size: Type.Integer(),
    dangerous: Type.Boolean({ description: 'Whether the file name is that of a program.' }),
    download_url: Type.String({
      description: 'URL of the file. It works without an API key for seven days.',
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
        'How the mail was matched to your email: `token`, by its unique reply address; `headers`, by the header fields of the reply. Null if it was not matched.',
    }),
  ),
  message_id: nullable(Type.String()),
  in_reply_to: nullable(
    Type.String({
      description:
        'Message-ID in the header `In-Reply-To`, as the sender’s program wrote it. Null if the mail has none.',
      examples: [MESSAGE_ID],
    }),
  ),
  references: Type.Array(Type.String({ examples: [MESSAGE_ID] })),
  date: nullable(
    Type.String({
      description: 'Header `Date`, as the sender’s program wrote it. Null if the mail has none.',
    }),
  ),
  header_to: Type.Array(writtenAddress, { description: 'Recipients in the header `To`.' }),
  cc: Type.Array(writtenAddress),
  reply_to: Type.Array(writtenAddress),
  text: nullable(Type.String()),
  html: nullable(
    Type.String({
      description:
        'Original html from an untrusted sender. Show it only in a sandbox. Null if the mail has no html.',
    }),
  ),
  stripped_reply: nullable(
    Type.String({
      description:
        'Text without quotes and signature, as far as they can be detected. Null if the mail has no text.',
      examples: ['Thank you!'],
    }),
  ),
  is_truncated: Type.Boolean({
    description: 'Whether content is missing here because the mail is too large. The source is complete.',
  }),
  headers: Type.Array(Type.Object({ name: Type.String(), value: Type.String() })),
  attachments: Type.Array(receivedAttachment),
  envelope: Type.Object({
    mail_from: Type.String({
      description: 'Envelope sender. Empty for bounces and most automatic replies.',
      examples: ['ada@example.org'],
    }),
    remote_address: Type.String({
      description: 'IP address of the server that delivered the mail.',
      examples: ['192.0.2.25'],
    }),
    helo: Type.String({ examples: ['mx1.example.org'] }),
    tls: Type.Boolean(),
  }),
  authentication,
  spam: Type.Object({
    result: scanResult,
    score: nullable(Type.Number({ description: 'Score of the spam scanner. Null if it gave none.' })),
    symbols: Type.Array(Type.String({ examples: ['DKIM_VALID'] }), {
      description: 'Names of the scanner’s rules that matched.',
    }),
  }),
  virus: Type.Object({
    result: scanResult,
    name: nullable(Type.String({ description: 'Name of the virus. Null if none was found.' })),
  }),
  problem: nullable(Type.String({ description: 'Why the mail is unreadable. Null otherwise.' })),
  has_source: Type.Boolean({
    description: 'Whether the source is still stored. False after the retention period of the content.',
  }),
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
          'Whether this installation receives the replies, as in a send. The default is true, so that replies belong to the same conversation.',
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
      { description: 'The newest 100 messages of the conversation, oldest first.' },
    ),
  },
  { $id: 'ReceivedEmail' },
);
