/** The schema of a message that waits for approval. */
import { Type } from 'typebox';
import { nullable } from '../../http/schema.ts';

const fields = (description: string) =>
  Type.Array(
    Type.Object({
      name: Type.String({
        description: 'As it is written; empty for a line that is no field.',
        examples: ['Subject'],
      }),
      value: Type.String({
        description: 'In one line, with encoded words decoded.',
        examples: ['Your receipt'],
      }),
    }),
    { description },
  );

const part = Type.Object(
  {
    number: Type.Integer({
      description: 'To download it by: `GET /approvals/{id}/parts/{number}`.',
      examples: [0],
    }),
    content_type: Type.String({ examples: ['text/html'] }),
    disposition: Type.String({ description: '`attachment`, `inline`, or empty.', examples: ['attachment'] }),
    filename: nullable(Type.String({ examples: ['receipt.pdf'] })),
    content_id: nullable(Type.String({ description: 'What html refers to as cid:…', examples: ['logo'] })),
    is_container: Type.Boolean({ description: 'It holds nothing but the parts that follow it.' }),
    size: Type.Integer({ description: 'Bytes, decoded.', examples: [1024] }),
    headers: fields('Every field of the header of the part, in order.'),
    text: nullable(
      Type.String({
        description: 'All of it, decoded, where it is text or an included message; html as its source.',
        examples: ['<p>Thank you, Ada.</p>'],
      }),
    ),
    hidden_text: Type.Array(Type.String({ examples: ['Read this first'] }), {
      description:
        'Of html: text that most mail clients do not show, in comments and in elements that hide themselves. Style sheets can hide more.',
    }),
  },
  { $id: 'ApprovalPart' },
);

export const approvalMessage = Type.Object(
  {
    size: Type.Integer({ description: 'Bytes of the message.', examples: [2048] }),
    headers: fields(
      'Every header field that leaves, in order. `Date` and the reference for bounces are set anew when it is sent; a signature (DKIM) is added.',
    ),
    parts: Type.Array(part, {
      description: 'Every MIME part, however deep, in order: alternatives that few mail clients show, too.',
    }),
    outside: Type.Array(Type.String({ examples: ['This is a message in MIME format.'] }), {
      description: 'Text that stands before, between or behind the parts. Most mail clients do not show it.',
    }),
    tracked_links: Type.Array(Type.String({ examples: ['https://example.org/receipt'] }), {
      description: 'The links that are replaced by tracked ones, as they were written.',
    }),
  },
  { $id: 'ApprovalMessage' },
);
