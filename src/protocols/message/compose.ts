/**
 * From the parts of an email to the message on the wire (RFC 5322, 2045-2049, 2231), 7-bit throughout except
 * for addresses that need SMTPUTF8.
 *
 * The same parts always give the same bytes: Date, Message-ID and boundaries come from the email itself, so a
 * second attempt sends the very message of the first one. Bcc is not even an input. Callers have checked every
 * value at the edge; anything here that could start a new header line is a broken promise and throws.
 */
import { atOnce, type SlicedWork } from '../../runtime/sliced-work.ts';
import type { EmailAddress } from './address.ts';
import { checkHeaderName, checkHeaderValue } from './header-check.ts';
import { fold, MAX_LINE, phraseWords, unstructuredField } from './header-text.ts';
import { type Attachment, entityBody, mimeTree } from './mime.ts';
import { isPrintableAscii } from './unsafe-text.ts';

export type Mailbox = { readonly email: EmailAddress; readonly name: string | null };

export type MessageParts = {
  /** The email's UUID. */
  readonly id: string;
  readonly dateMs: number;
  readonly messageIdDomain: string;
  readonly from: Mailbox;
  readonly to: readonly Mailbox[];
  readonly cc: readonly Mailbox[];
  readonly replyTo: readonly Mailbox[];
  readonly subject: string;
  readonly html: string | null;
  readonly text: string | null;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Fields of the service's own making, ASCII without line ends. */
  readonly serviceFields?: readonly (readonly [name: string, value: string])[];
  readonly attachments: readonly Attachment[];
  /** Writes addresses of To and Cc that need SMTPUTF8 as names, so that a server without it can take the message. */
  readonly inAscii?: boolean;
};

export type ComposedMessage = {
  /** Each one complete, folded with CRLF inside, without the CRLF that ends it; in the order of the wire. */
  readonly headers: readonly string[];
  readonly body: Buffer;
};

export function composeMessage(parts: MessageParts): ComposedMessage {
  return atOnce(composing(parts));
}

/** The same for messages of any size. */
export function* composing(parts: MessageParts): SlicedWork<ComposedMessage> {
  const tree = yield* mimeTree(parts);
  const headers = [
    ...addressFields(parts),
    unstructuredField('Subject', singleLine(parts.subject)),
    `Date: ${dateText(parts.dateMs)}`,
    `Message-ID: ${messageId(parts)}`,
    ...customFields(parts),
    ...serviceFields(parts),
    'MIME-Version: 1.0',
    ...tree.fields,
  ];
  return { headers, body: yield* entityBody(tree) };
}

/** Half a millisecond in memory that is used for the first time. */
const COPIED_BYTES = 1024 * 1024;

/** Header fields, empty line, body. Dot-stuffing belongs to the SMTP client. */
export function toWire(message: ComposedMessage): Buffer {
  return atOnce(writingWire(message));
}

/** The same for messages of any size. */
export function* writingWire(message: ComposedMessage): SlicedWork<Buffer> {
  const head = `${message.headers.join('\r\n')}\r\n\r\n`;
  const headLength = Buffer.byteLength(head);
  const out = Buffer.allocUnsafe(headLength + message.body.length);
  out.write(head, 0, 'utf8');
  for (let at = 0; at < message.body.length; at += COPIED_BYTES) {
    if (at > 0) yield;
    out.set(message.body.subarray(at, at + COPIED_BYTES), headLength + at);
  }
  return out;
}

function addressFields(parts: MessageParts): string[] {
  const fields = [addressField('From', [parts.from])];
  if (parts.to.length > 0) fields.push(addressField('To', parts.to, parts.inAscii));
  if (parts.cc.length > 0) fields.push(addressField('Cc', parts.cc, parts.inAscii));
  // Everyone is in Bcc: some receivers hold a message without any destination field against its sender.
  if (parts.to.length === 0 && parts.cc.length === 0) fields.push('To: undisclosed-recipients:;');
  if (parts.replyTo.length > 0) fields.push(addressField('Reply-To', parts.replyTo));
  return fields;
}

/** Of an address: nothing in it can end the address, or the line. */
const WRITABLE = /^(?:"(?:[^"\\\r\n\0]|\\[^\r\n\0])*"|[^\s"(),:;<>@[\\\]\0]+)@[A-Za-z0-9.:[\]-]+$/;

function addressField(name: string, mailboxes: readonly Mailbox[], inAscii = false): string {
  const words: string[] = [];
  for (const [i, mailbox] of mailboxes.entries()) {
    const { email } = mailbox;
    if (!WRITABLE.test(email)) throw new Error('An unchecked address reached the composer');
    const displayName = singleLine(mailbox.name ?? '').trim();
    const end = i < mailboxes.length - 1 ? ',' : '';
    if (inAscii && !isPrintableAscii(email)) {
      words.push(...asEmptyGroup(`${displayName} ${email}`.trim(), MAX_LINE - name.length - 2, end));
    } else if (displayName === '') {
      words.push(email + end);
    } else {
      words.push(...phraseWords(displayName, MAX_LINE - name.length - 2), `<${email}>${end}`);
    }
  }
  return fold(`${name}:`, words);
}

/**
 * The address as the name of a group that nobody is in: everybody sees who else got the message, and no server has to carry an
 * address that it cannot (RFC 6857, section 3.1.8, which lets a message be written so for those who cannot read it otherwise).
 */
function asEmptyGroup(name: string, firstRoom: number, end: string): readonly string[] {
  const words = phraseWords(name, firstRoom);
  return [...words.slice(0, -1), `${words.at(-1)}:;${end}`];
}

/** `Fri, 15 Nov 2024 02:06:00 +0000` */
export function dateText(ms: number): string {
  const date = new Date(ms);
  if (Number.isNaN(date.getTime())) throw new Error('An email without a valid date reached the composer');
  return date.toUTCString().replace('GMT', '+0000');
}

export function messageId(parts: Pick<MessageParts, 'id' | 'messageIdDomain'>): string {
  if (!/^[A-Za-z0-9-]{1,64}$/.test(parts.id)) throw new Error('An unchecked id reached the composer');
  if (!/^[A-Za-z0-9.-]{1,253}$/.test(parts.messageIdDomain)) {
    throw new Error('An unchecked Message-ID domain reached the composer');
  }
  return `<${parts.id}@${parts.messageIdDomain}>`;
}

function customFields(parts: MessageParts): string[] {
  const fields: string[] = [];
  for (const [name, value] of parts.headers) {
    const named = checkHeaderName(name);
    // Accepted by a version that let them pass: the mail goes, without them.
    if (!named.ok && named.code === 'header_of_servers') continue;
    for (const check of [named, checkHeaderValue(value)]) {
      if (!check.ok) throw new Error(`An unchecked header reached the composer: ${check.message}`);
    }
    // A message may have one Reply-To; the field of that name beats the custom header.
    if (parts.replyTo.length > 0 && name.toLowerCase() === 'reply-to') continue;
    fields.push(unstructuredField(name, value));
  }
  return fields;
}

export function serviceFields({ serviceFields: fields = [] }: Pick<MessageParts, 'serviceFields'>): string[] {
  return fields.map(([name, value]) => {
    if (!/^[!-9;-~]+: [ -~]{1,900}$/.test(`${name}: ${value}`)) {
      throw new Error(`A field of our own cannot be written: ${name}`);
    }
    return unstructuredField(name, value);
  });
}

function singleLine(text: string): string {
  if (/[\r\n\0]/.test(text)) throw new Error('A header text with a line end or NUL reached the composer');
  return text;
}
