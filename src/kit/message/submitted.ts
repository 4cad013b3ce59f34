/**
 * A message that was submitted whole, on its way out: byte for byte what it was, below the fields that are added. Only
 * what is private goes (private-fields.ts), and a pixel changes the one part that it stands in.
 */
import { type ComposedMessage, dateText, messageId, serviceFields } from './compose.ts';
import { isPrivateField } from './private-fields.ts';
import { readHeaderBlock } from './reading/header-block.ts';
import { bytesOf, readShown } from './reading/shown-message.ts';
import type { MessagePart } from './reading/split-message.ts';
import { planBytes, planQuotedPrintable, writeContent } from './transfer-encoding.ts';

export interface SubmittedParts {
  /** The email's UUID. */
  readonly id: string;
  readonly dateMs: number;
  readonly messageIdDomain: string;
  readonly mime: Buffer;
  /** Fields of the service's own making, ASCII without line ends; left out where the message has its own. */
  readonly serviceFields: readonly (readonly [name: string, value: string])[];
  /** What is put into its html. */
  readonly inHtml: ((html: string) => string) | null;
}

export function composeSubmitted(parts: SubmittedParts): ComposedMessage {
  const mime = parts.inHtml === null ? parts.mime : withHtml(parts.mime, parts.inHtml);
  const head = readHeaderBlock(mime);
  if (!head.ok) throw new Error(`An unchecked message reached the composer: its header ${head.message}`);
  const names = new Set(head.fields.map(({ name }) => name));
  const added = parts.serviceFields.filter(
    ([name]) => !names.has(name.toLowerCase()) || isPrivateField(name.toLowerCase()),
  );
  const headers = [
    ...(names.has('date') ? [] : [`Date: ${dateText(parts.dateMs)}`]),
    ...(names.has('message-id') ? [] : [`Message-ID: ${messageId(parts)}`]),
    ...serviceFields({ serviceFields: added }),
    ...head.fields.filter(({ name }) => !isPrivateField(name)).map(({ text }) => text),
  ];
  return { headers, body: mime.subarray(head.bodyAt) };
}

/** Whether anything can be put into its html without breaking it. */
export function hasOpenHtml(mime: Buffer): boolean {
  const { html, isSealed } = readShown(mime);
  return html !== null && !isSealed && isAsciiBased(html);
}

function withHtml(mime: Buffer, change: (html: string) => string): Buffer {
  const { html, isSealed } = readShown(mime);
  if (html === null || isSealed || !isAsciiBased(html)) return mime;
  const start = html.body.byteOffset - mime.byteOffset;
  const changed = Buffer.from(change(bytesOf(html).toString('latin1')), 'latin1');
  return Buffer.concat([
    mime.subarray(0, start),
    encoded(html, changed),
    mime.subarray(start + html.body.length),
  ]);
}

/** What is put in is ASCII, and must be that in the part's character set. */
function isAsciiBased({ content }: MessagePart): boolean {
  return !/^(?:utf-?(?:16|32|7)|ucs)/i.test(content.parameters.get('charset') ?? '');
}

function encoded(part: MessagePart, bytes: Buffer): Buffer {
  const encoding = (part.fields.get('content-transfer-encoding') ?? '').toLowerCase();
  const isBase64 = encoding.startsWith('base64');
  if (!isBase64 && !encoding.startsWith('quoted-printable')) return bytes;
  const content = isBase64 ? planBytes(bytes) : planQuotedPrintable(bytes);
  const out = Buffer.allocUnsafe(content.maxLength + 2);
  let end = writeContent(content, out, 0);
  // The last line of a message has an end, the last one of a part has the delimiter's.
  if (part.body.at(-1) === 0x0a && out[end - 1] !== 0x0a) end += out.write('\r\n', end, 'latin1');
  return out.subarray(0, end);
}
