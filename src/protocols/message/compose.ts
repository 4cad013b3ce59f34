/**
 * Composes the parts of an email to the message on the wire (RFC 5322, 2045-2049, 2231), in 7 bits except for
 * addresses that need SMTPUTF8.
 *
 * The same parts always give the same bytes: Date, Message-ID and boundaries derive from the email, so a
 * retry sends exactly the first message. Bcc is not an input. All values were validated at the edge; a value
 * that could start a new header line is a bug and throws.
 */
import type { SlicedWork } from '../../runtime/sliced-work.ts';
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
  /** Fields added by the service, ASCII without line breaks. */
  readonly serviceFields?: readonly (readonly [name: string, value: string])[];
  readonly attachments: readonly Attachment[];
  /**
   * Writes addresses in To and Cc that need SMTPUTF8 as names, so that a server without it accepts the
   * message.
   */
  readonly inAscii?: boolean;
};

export type ComposedMessage = {
  /** Complete fields, folded with CRLF, without the final CRLF; in wire order. */
  readonly headers: readonly string[];
  readonly body: Buffer;
};

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

/** Copying takes 0.5 ms in fresh memory. */
const COPIED_BYTES = 1024 * 1024;

/** Header fields, empty line, body. The SMTP client adds dot-stuffing. */
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
  // All recipients are in Bcc: some receivers penalize a message without any destination field.
  if (parts.to.length === 0 && parts.cc.length === 0) fields.push('To: undisclosed-recipients:;');
  if (parts.replyTo.length > 0) fields.push(addressField('Reply-To', parts.replyTo));
  return fields;
}

/** An address without characters that could end the address or the line. */
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
 * Writes the address as the name of an empty group: every recipient sees who else got the message, and no
 * server has to handle an address that it does not support (RFC 6857, section 3.1.8, permits this for
 * downgraded messages).
 */
function asEmptyGroup(name: string, firstLineSpace: number, end: string): readonly string[] {
  const words = phraseWords(name, firstLineSpace);
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
    // A header accepted by an older version: the mail is sent without it.
    if (!named.ok && named.code === 'header_of_servers') continue;
    for (const check of [named, checkHeaderValue(value)]) {
      if (!check.ok) throw new Error(`An unchecked header reached the composer: ${check.message}`);
    }
    // A message may have one Reply-To; the field of that name takes precedence over a custom header.
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
