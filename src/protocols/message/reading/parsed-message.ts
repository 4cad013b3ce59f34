/** A captured message as its reader sees it. Read on request, with the limits of a message that somebody submitted. */
import { inTurns, type SlicedWork } from '../../../runtime/sliced-work.ts';
import { readingAddressList } from './address-list.ts';
import { readDisposition } from './content-type.ts';
import { decodeHeaderText } from './encoded-words.ts';
import { fileNameIn } from './file-name.ts';
import { joiningFlowed } from './flowed-text.ts';
import { scanHeader } from './header-scan.ts';
import { decoding, decodingLines } from './part-text.ts';
import { bodyKind, removingNul } from './shown-message.ts';
import { MESSAGE_LIMITS, type MessagePart, splitting } from './split-message.ts';
import { readingWrittenFields, type WrittenField } from './written-fields.ts';

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
  readonly headers: WrittenField[];
  readonly addresses: {
    readonly from: Mailbox[];
    readonly to: Mailbox[];
    readonly cc: Mailbox[];
    readonly reply_to: Mailbox[];
  };
  readonly subject: string;
  /** All parts that are displayed as html, one after the other. */
  readonly html: string | null;
  readonly text: string | null;
  readonly attachments: ParsedAttachment[];
}

/** Nobody may lose a file or a text of a message that was sent, so the limits are wider than for mail of strangers. */
const LIMITS = { ...MESSAGE_LIMITS, parts: 1_000, headers: 1_200, candidates: 200_000 };
const MAX_SUBJECT_CHARS = 64 * 1024;

export function parseMessage(raw: Buffer): Promise<ParsedMessage> {
  return inTurns(parsing(raw));
}

function* parsing(raw: Buffer): SlicedWork<ParsedMessage> {
  const headers = yield* readingWrittenFields(raw, scanHeader(raw, 0, raw.length).fields);
  yield;
  const { parts } = yield* splitting(raw, LIMITS);
  const bodies = { html: null as string | null, text: null as string | null };
  const attachments: ParsedAttachment[] = [];
  for (const part of parts) {
    const kind = bodyKind(part, readDisposition(part.fields.get('content-disposition')));
    if (kind === null) attachments.push(yield* readingFile(part));
    else {
      const body = yield* readingBody(part);
      bodies[kind] = bodies[kind] === null ? body : `${bodies[kind]}\n${body}`;
    }
  }
  const subject = valuesOf(headers, 'subject')[0] ?? '';
  return {
    headers,
    addresses: yield* readingAddresses(headers),
    subject: decodeHeaderText(subject, MAX_SUBJECT_CHARS),
    ...bodies,
    attachments,
  };
}

function* readingAddresses(headers: readonly WrittenField[]): SlicedWork<ParsedMessage['addresses']> {
  return {
    from: yield* readingMailboxes(valuesOf(headers, 'from')),
    to: yield* readingMailboxes(valuesOf(headers, 'to')),
    cc: yield* readingMailboxes(valuesOf(headers, 'cc')),
    reply_to: yield* readingMailboxes(valuesOf(headers, 'reply-to')),
  };
}

function* readingMailboxes(values: readonly string[]): SlicedWork<Mailbox[]> {
  const mailboxes: Mailbox[] = [];
  for (const value of values)
    for (const { text, name } of yield* readingAddressList(value)) mailboxes.push({ email: text, name });
  return mailboxes;
}

function valuesOf(headers: readonly WrittenField[], wanted: string): string[] {
  return headers.filter(({ name }) => name.toLowerCase() === wanted).map(({ value }) => value);
}

function* readingBody(part: MessagePart): SlicedWork<string> {
  const { type, parameters } = part.content;
  const bytes = yield* decoding(part, part.body.length);
  const text = yield* removingNul(yield* decodingLines(bytes, parameters.get('charset') ?? ''));
  const isFlowed = type === 'text/plain' && parameters.get('format')?.toLowerCase() === 'flowed';
  return isFlowed ? yield* joiningFlowed(text, parameters.get('delsp')?.toLowerCase() === 'yes') : text;
}

function* readingFile(part: MessagePart): SlicedWork<ParsedAttachment> {
  const { fields, content } = part;
  const disposition = readDisposition(fields.get('content-disposition'));
  const bytes = yield* decoding(part, part.body.length);
  return {
    filename: fileNameIn(disposition.parameters, 'filename') ?? fileNameIn(content.parameters, 'name'),
    content_type: content.type,
    content_id: fields.get('content-id')?.replace(/^<|>$/g, '') ?? null,
    size: bytes.length,
    content: bytes,
  };
}
