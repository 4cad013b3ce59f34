/** The text of a part: transfer encoding undone, character set turned into UTF-8, both only as far as the limit. */
import { atOnce, type Steps } from '../../runtime/steps.ts';
import { bytesToText } from './fields.ts';
import type { MessagePart } from './split-message.ts';
import { base64Decoded, quotedPrintableDecoded } from './transfer-decoding.ts';

export const MAX_TEXT = 65_536;

export function decodedBytes(part: MessagePart, limit: number = MAX_TEXT): Buffer {
  return atOnce(decodedBytesSteps(part, limit));
}

/** The same for parts of any size. */
export function* decodedBytesSteps(part: MessagePart, limit: number): Steps<Buffer> {
  const encoding = (part.fields.get('content-transfer-encoding') ?? '').toLowerCase();
  if (encoding.startsWith('base64')) {
    return (yield* base64Decoded(part.body.subarray(0, limit * 2))).subarray(0, limit);
  }
  if (encoding.startsWith('quoted-printable')) {
    return (yield* quotedPrintableDecoded(part.body.subarray(0, limit * 3))).subarray(0, limit);
  }
  return part.body.subarray(0, limit);
}

export function partText(part: MessagePart, limit: number = MAX_TEXT): string {
  const text = decodeCharset(decodedBytes(part, limit), part.content.parameters.get('charset') ?? '');
  return part.content.type === 'text/html' ? htmlToText(text) : text;
}

/** An unknown character set is read as UTF-8 where that is valid, as Latin-1 otherwise. */
export function decodeCharset(bytes: Buffer, charset: string): string {
  if (charset !== '' && charset.length < 40) {
    try {
      return new TextDecoder(charset.trim()).decode(bytes);
    } catch {
      // A name nobody knows: the guess below.
    }
  }
  return bytesToText(bytes);
}

export function decodeQuotedPrintable(bytes: Buffer): Buffer {
  return atOnce(quotedPrintableDecoded(bytes));
}

const ENTITIES = new Map([
  ['&nbsp;', ' '],
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&quot;', '"'],
  ['&#39;', "'"],
  ['&amp;', '&'],
]);

/** Good enough to find words in: tags that end a line become one, the others vanish. */
function htmlToText(html: string): string {
  return html
    .replace(/<(?:br|\/p|\/div|\/tr|\/h[1-6]|\/li|\/title|\/style)\b[^<>]*>/gi, '\n')
    .replace(/<[^<>]*>/g, '')
    .replace(/&(?:nbsp|lt|gt|quot|#39|amp);/g, (entity) => ENTITIES.get(entity) ?? entity);
}
