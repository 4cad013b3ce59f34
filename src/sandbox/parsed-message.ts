/** A captured message as a reader sees it. Parsed on request, by a parser that shares nothing with our composer. */

import PostalMime, { type Address, type Attachment, type Email } from 'postal-mime';

/** What a sender wrote, which need not be an address. */
interface Mailbox {
  readonly email: string;
  readonly name: string | null;
}

export interface ParsedAttachment {
  readonly filename: string | null;
  readonly content_type: string;
  readonly content_id: string | null;
  readonly size: number;
  readonly content: string;
}

export interface ParsedMessage {
  /** In their order, unfolded, otherwise as they were sent. */
  readonly headers: { readonly name: string; readonly value: string }[];
  readonly addresses: {
    readonly from: Mailbox[];
    readonly to: Mailbox[];
    readonly cc: Mailbox[];
    readonly reply_to: Mailbox[];
  };
  readonly subject: string;
  readonly html: string | null;
  readonly text: string | null;
  readonly attachments: ParsedAttachment[];
}

/** The receiver's limit on the whole message is the only one that applies; the parser must not have a smaller one. */
const MAX_HEADERS_BYTES = 64 * 1024 * 1024;
const LF = 0x0a;

export async function parseMessage(raw: Buffer): Promise<ParsedMessage> {
  const parser = new PostalMime({
    attachmentEncoding: 'arraybuffer',
    // A forwarded message is shown as the file it is, not mixed into the text around it.
    forceRfc822Attachments: true,
    maxHeadersSize: MAX_HEADERS_BYTES,
  });
  const email = await parser.parse(raw);
  const inLines = contentsInLines(parser);
  return {
    headers: email.headers.map(({ originalKey, value }) => ({ name: originalKey, value })),
    addresses: addressesOf(email),
    subject: email.subject ?? '',
    html: email.html ?? null,
    text: email.text ?? null,
    attachments: email.attachments.map((one) => attachmentOf(one, inLines.has(one.content))),
  };
}

function addressesOf(email: Email): ParsedMessage['addresses'] {
  return {
    from: mailboxes(email.from === undefined ? [] : [email.from]),
    to: mailboxes(email.to),
    cc: mailboxes(email.cc),
    reply_to: mailboxes(email.replyTo),
  };
}

function mailboxes(addresses: readonly Address[] = []): Mailbox[] {
  return addresses
    .flatMap((address) => address.group ?? [address])
    .map(({ address, name }) => ({ email: address ?? '', name: name === '' ? null : name }));
}

interface ParsedNode {
  readonly content: unknown;
  readonly contentTransferEncoding?: { readonly encoding?: string };
  readonly childNodes: readonly ParsedNode[];
}

/** The contents that were not in base64: the parser reads those by the line, and ends the last one too. */
function contentsInLines(parser: PostalMime): ReadonlySet<unknown> {
  const found = new Set<unknown>();
  const visit = (node: ParsedNode) => {
    if (node.contentTransferEncoding?.encoding !== 'base64') found.add(node.content);
    node.childNodes.forEach(visit);
  };
  const { root } = parser as unknown as { readonly root?: ParsedNode };
  if (root !== undefined) visit(root);
  return found;
}

function attachmentOf(attachment: Attachment, isInLines: boolean): ParsedAttachment {
  const parsed = bytesOf(attachment.content);
  const content = isInLines && parsed.at(-1) === LF ? parsed.subarray(0, -1) : parsed;
  return {
    filename: attachment.filename,
    content_type: attachment.mimeType,
    content_id: attachment.contentId?.replace(/^<|>$/g, '') ?? null,
    size: content.length,
    content: content.toString('base64'),
  };
}

function bytesOf(content: Attachment['content']): Buffer {
  if (typeof content === 'string') return Buffer.from(content);
  return content instanceof Uint8Array
    ? Buffer.from(content.buffer, content.byteOffset, content.byteLength)
    : Buffer.from(content);
}
