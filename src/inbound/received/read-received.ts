/**
 * Parses a received message. Reads the bytes once, with the parser for all mail from outside: 64 parts, six levels, no content
 * of included messages or archives, and a bounded amount of text and html. Pure, and in slices, so that 25 MB do not block
 * other work.
 */
import { halvesOf } from '../../protocols/message/address.ts';
import { convertingHtml } from '../../protocols/message/plain-text/text-from-html.ts';
import { readAddressList } from '../../protocols/message/reading/address-list.ts';
import { decodeHeaderText } from '../../protocols/message/reading/encoded-words.ts';
import { type Fields, readFields } from '../../protocols/message/reading/fields.ts';
import { decoding, decodingLines } from '../../protocols/message/reading/part-text.ts';
import {
  removingNul,
  type ShownFile,
  shownOf,
  sizing,
} from '../../protocols/message/reading/shown-message.ts';
import {
  MAX_PARTS,
  MESSAGE_LIMITS,
  type MessagePart,
  type SplitMessage,
  splitting,
} from '../../protocols/message/reading/split-message.ts';
import { htmlBeforeQuote, strippingReply } from '../../protocols/message/reading/stripped-reply.ts';
import type {
  ReadMail,
  ReceivedDetails,
  ReceivedFile,
  WrittenAddress,
} from '../../received/received-email.ts';
import { inTurns, type SlicedWork } from '../../runtime/sliced-work.ts';
import { isAutoReply, isReceipt } from '../report/auto-reply.ts';

const MAX_TEXT_BYTES = 512 * 1024;
const MAX_HTML_BYTES = 1024 * 1024;
/** Html is converted to text only to find the reply. */
const MAX_TURNED_CHARS = 256 * 1024;
const MAX_SUBJECT_CHARS = 1_000;
const MAX_ADDRESSES = 100;
const MAX_ADDRESS_CHARS = 320;
const MAX_HEADERS = 100;
const MAX_HEADER_CHARS = 1_000;
const MAX_REFERENCES = 50;
/** Four characters for each encoded one, plus the frames of its encoded words. */
const MAX_ENCODED_SUBJECT = 16_000;
const MAX_MESSAGE_ID_CHARS = 500;

/** `mailFrom`: of the envelope; empty if the sender wants no answer. */
export function readReceived(raw: Buffer, mailFrom: string): Promise<ReadMail> {
  return inTurns(reading(raw, mailFrom));
}

function* reading(raw: Buffer, mailFrom: string): SlicedWork<ReadMail> {
  const message = yield* splitting(raw, MESSAGE_LIMITS);
  const { fields } = message;
  const shown = shownOf(message);
  const text = yield* bodyOf(shown.text, MAX_TEXT_BYTES);
  const html = yield* bodyOf(shown.html, MAX_HTML_BYTES);
  const attachments: ReceivedFile[] = [];
  for (const file of shown.files) attachments.push(yield* fileOf(file));
  const isFull = shown.files.length + (shown.text ? 1 : 0) + (shown.html ? 1 : 0) >= MAX_PARTS;
  return {
    from: addresses(fields, 'from')[0] ?? null,
    subject: clean(decodeHeaderText(fields.get('subject') ?? '', MAX_ENCODED_SUBJECT)).slice(
      0,
      MAX_SUBJECT_CHARS,
    ),
    text: text.content,
    html: html.content,
    reply: yield* replyOf(text.content, html.content),
    messageId: messageIds(fields.get('message-id'))[0] ?? null,
    automatic: mailFrom === '' || isAutomatic(message),
    details: { ...headerDetails(fields), attachments, truncated: text.isCut || html.isCut || isFull },
  };
}

function headerDetails(fields: Fields): Omit<ReceivedDetails, 'attachments' | 'truncated'> {
  return {
    to: addresses(fields, 'to'),
    cc: addresses(fields, 'cc'),
    reply_to: addresses(fields, 'reply-to'),
    in_reply_to: messageIds(fields.get('in-reply-to'))[0] ?? null,
    references: messageIds(fields.get('references')).slice(-MAX_REFERENCES),
    date: fields.get('date') === undefined ? null : clean(fields.get('date') as string).slice(0, 100),
    headers: headersOf(fields),
  };
}

/** The Message-IDs that the mail answers, the nearest first. */
export function answeredIds({ details }: ReadMail): readonly string[] {
  const { in_reply_to, references } = details;
  return [...(in_reply_to === null ? [] : [in_reply_to]), ...references.toReversed()];
}

function* bodyOf(
  part: MessagePart | null,
  limit: number,
): SlicedWork<{ content: string | null; isCut: boolean }> {
  if (part === null) return { content: null, isCut: false };
  const bytes = yield* decoding(part, limit + 1);
  const charset = part.content.parameters.get('charset') ?? '';
  const lines = yield* decodingLines(bytes.subarray(0, limit), charset);
  return { content: (yield* removingNul(lines)).toWellFormed(), isCut: bytes.length > limit };
}

function* replyOf(text: string | null, html: string | null): SlicedWork<string | null> {
  if (text !== null && text.trim() !== '') return yield* strippingReply(text);
  if (html === null) return text === null ? null : '';
  return yield* strippingReply(yield* convertingHtml(htmlBeforeQuote(html).slice(0, MAX_TURNED_CHARS)));
}

function isAutomatic(message: SplitMessage): boolean {
  const { fields } = message;
  const isOfList = fields.has('list-id') || fields.has('list-unsubscribe');
  return isOfList || isAutoReply(fields) || isReceipt(message);
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

function* fileOf({ filename, contentType, contentId, part }: ShownFile): SlicedWork<ReceivedFile> {
  return {
    filename: clean(filename),
    content_type: clean(contentType).slice(0, 200),
    content_id: contentId === null ? null : clean(contentId).slice(0, 500),
    size: yield* sizing(part),
  };
}

/** Removes characters that PostgreSQL and JSON do not accept. */
function clean(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}

/** The domain of the sender that mail readers show, and whether From names no other sender. */
export function shownDomain(raw: Buffer): { readonly domain: string | null; readonly isOnly: boolean } {
  const { fields } = readFields(raw, 0, raw.length);
  const listed = readAddressList(fields.get('from') ?? '');
  const shown = listed.find(({ address }) => address.ok)?.address;
  const domain = shown?.ok === true ? halvesOf(shown.email).domain.toLowerCase() : null;
  return { domain, isOnly: listed.length === 1 };
}
