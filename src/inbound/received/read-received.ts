/**
 * What a received message says. Reads the bytes once, by the reader that is used for all mail from outside: 64 parts, six levels,
 * nothing inside included messages or archives, and of text and html so much. Pure.
 */
import { halvesOf } from '../../kit/message/address.ts';
import { textFromHtml } from '../../kit/message/plain-text/text-from-html.ts';
import { readAddressList } from '../../kit/message/reading/address-list.ts';
import { decodeHeaderText } from '../../kit/message/reading/encoded-words.ts';
import { type Fields, readFields } from '../../kit/message/reading/fields.ts';
import { decodeCharset, decodedBytes } from '../../kit/message/reading/part-text.ts';
import { readShown, type ShownFile, sizeOf } from '../../kit/message/reading/shown-message.ts';
import { MAX_PARTS, type MessagePart, splitMessage } from '../../kit/message/reading/split-message.ts';
import { htmlBeforeQuote, strippedReply } from '../../kit/message/reading/stripped-reply.ts';
import type { ReadMail, ReceivedFile, WrittenAddress } from '../../received/received-email.ts';
import { isAutoReply, isReceipt } from '../report/auto-reply.ts';

const MAX_TEXT_BYTES = 512 * 1024;
const MAX_HTML_BYTES = 1024 * 1024;
/** Html is turned into text for the reply alone. */
const MAX_TURNED_CHARS = 256 * 1024;
const MAX_SUBJECT_CHARS = 1_000;
const MAX_ADDRESSES = 100;
const MAX_ADDRESS_CHARS = 320;
const MAX_HEADERS = 100;
const MAX_HEADER_CHARS = 1_000;
const MAX_REFERENCES = 50;
const MAX_MESSAGE_ID_CHARS = 500;

/** `mailFrom`: of the envelope; empty where it wants no answer. */
export function readReceived(raw: Buffer, mailFrom: string): ReadMail {
  const { fields } = readFields(raw, 0, raw.length);
  const shown = readShown(raw);
  const text = bodyOf(shown.text, MAX_TEXT_BYTES);
  const html = bodyOf(shown.html, MAX_HTML_BYTES);
  const attachments = shown.files.map(fileOf);
  const isFull = shown.files.length + (shown.text ? 1 : 0) + (shown.html ? 1 : 0) >= MAX_PARTS;
  return {
    from: addresses(fields, 'from')[0] ?? null,
    subject: clean(decodeHeaderText(fields.get('subject') ?? '')).slice(0, MAX_SUBJECT_CHARS),
    text: text.content,
    html: html.content,
    reply: replyOf(text.content, html.content),
    messageId: messageIds(fields.get('message-id'))[0] ?? null,
    automatic: mailFrom === '' || isAutomatic(raw, fields),
    details: {
      to: addresses(fields, 'to'),
      cc: addresses(fields, 'cc'),
      reply_to: addresses(fields, 'reply-to'),
      in_reply_to: messageIds(fields.get('in-reply-to'))[0] ?? null,
      references: messageIds(fields.get('references')).slice(-MAX_REFERENCES),
      date: fields.get('date') === undefined ? null : clean(fields.get('date') as string).slice(0, 100),
      headers: headersOf(fields),
      attachments,
      truncated: text.isCut || html.isCut || isFull,
    },
  };
}

/** Message-IDs that it answers, the nearest first. */
export function answeredIds({ details }: ReadMail): readonly string[] {
  const { in_reply_to, references } = details;
  return [...(in_reply_to === null ? [] : [in_reply_to]), ...references.toReversed()];
}

function bodyOf(part: MessagePart | null, limit: number): { content: string | null; isCut: boolean } {
  if (part === null) return { content: null, isCut: false };
  const bytes = decodedBytes(part, limit + 1);
  const charset = part.content.parameters.get('charset') ?? '';
  const content = clean(decodeCharset(bytes.subarray(0, limit), charset)).replaceAll('\r\n', '\n');
  return { content, isCut: bytes.length > limit };
}

function replyOf(text: string | null, html: string | null): string | null {
  if (text !== null && text.trim() !== '') return strippedReply(text);
  if (html === null) return text === null ? null : '';
  return strippedReply(textFromHtml(htmlBeforeQuote(html).slice(0, MAX_TURNED_CHARS)));
}

function isAutomatic(raw: Buffer, fields: Fields): boolean {
  const isOfList = fields.has('list-id') || fields.has('list-unsubscribe');
  return isOfList || isAutoReply(fields) || isReceipt(splitMessage(raw));
}

function addresses(fields: Fields, name: string): WrittenAddress[] {
  const listed = readAddressList((fields.get(name) ?? '').slice(0, MAX_ADDRESSES * MAX_ADDRESS_CHARS));
  return listed
    .flatMap(({ address, name: given }) =>
      address.ok ? [{ email: clean(address.email), name: given === null ? null : clean(given) }] : [],
    )
    .slice(0, MAX_ADDRESSES);
}

function messageIds(value: string | undefined): string[] {
  const found = (value ?? '').match(/<[^<>\s]{1,498}>/g) ?? [];
  return found.map(clean).filter((id) => id.length <= MAX_MESSAGE_ID_CHARS);
}

function headersOf(fields: Fields): { name: string; value: string }[] {
  return [...fields]
    .slice(0, MAX_HEADERS)
    .map(([name, value]) => ({ name: clean(name), value: clean(value).slice(0, MAX_HEADER_CHARS) }));
}

function fileOf({ filename, contentType, contentId, part }: ShownFile): ReceivedFile {
  return {
    filename: clean(filename),
    content_type: clean(contentType).slice(0, 200),
    content_id: contentId === null ? null : clean(contentId).slice(0, 500),
    size: sizeOf(part),
  };
}

/** What PostgreSQL and JSON take. */
function clean(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}

/** The domain of the sender that a reader is shown, and whether From names nobody else. */
export function shownDomain(raw: Buffer): { readonly domain: string | null; readonly isOnly: boolean } {
  const { fields } = readFields(raw, 0, raw.length);
  const listed = readAddressList(fields.get('from') ?? '');
  const shown = listed.find(({ address }) => address.ok)?.address;
  const domain = shown?.ok === true ? halvesOf(shown.email).domain.toLowerCase() : null;
  return { domain, isOnly: listed.length === 1 };
}
