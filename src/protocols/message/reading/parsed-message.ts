/** A captured message as a reader sees it. Parsed on request, by a parser independent of our composer. */

import type { Address, Attachment, Email } from 'postal-mime';
import { c1AsWindows1252 } from './charset.ts';
import { MessageParser, type MimeNode } from './message-parser.ts';

/** The sender's text, which need not be an address. */
interface Mailbox {
  readonly email: string;
  readonly name: string | null;
}

export interface ParsedAttachment {
  readonly filename: string | null;
  readonly content_type: string;
  readonly content_id: string | null;
  readonly size: number;
  readonly content: Buffer;
}

export interface ParsedMessage {
  /** In order, unfolded, otherwise unchanged. */
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

const LF = 0x0a;

export async function parseMessage(raw: Buffer): Promise<ParsedMessage> {
  const parser = new MessageParser();
  const email = await parser.parseInTurns(raw);
  const inLines = contentsInLines(parser.root);
  return {
    headers: email.headers.map(({ originalKey, value }) => ({ name: originalKey, value })),
    addresses: addressesOf(email),
    subject: c1AsWindows1252(email.subject ?? ''),
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
    .map(({ address, name }) => ({ email: address ?? '', name: name === '' ? null : c1AsWindows1252(name) }));
}

/** Contents without base64, which the parser reads by lines and terminates with a line end. */
function contentsInLines(root: MimeNode): ReadonlySet<unknown> {
  const found = new Set<unknown>();
  const visit = (node: MimeNode) => {
    if (node.contentTransferEncoding.encoding !== 'base64') found.add(node.content);
    node.childNodes.forEach(visit);
  };
  visit(root);
  return found;
}

function attachmentOf(attachment: Attachment, isInLines: boolean): ParsedAttachment {
  const parsed = bytesOf(attachment.content);
  const content = isInLines && parsed.at(-1) === LF ? parsed.subarray(0, -1) : parsed;
  return {
    filename: attachment.filename === null ? null : c1AsWindows1252(attachment.filename),
    content_type: attachment.mimeType,
    content_id: attachment.contentId?.replace(/^<|>$/g, '') ?? null,
    size: content.length,
    content,
  };
}

function bytesOf(content: Attachment['content']): Buffer {
  if (typeof content === 'string') return Buffer.from(content);
  return content instanceof Uint8Array
    ? Buffer.from(content.buffer, content.byteOffset, content.byteLength)
    : Buffer.from(content);
}
