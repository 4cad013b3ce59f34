/** The text of a part: transfer encoding undone, character set turned into UTF-8, both only as far as the limit. */
import { bytesToText } from './fields.ts';
import type { MessagePart } from './split-message.ts';

export const MAX_TEXT = 65_536;

export function decodedBytes(part: MessagePart, limit: number = MAX_TEXT): Buffer {
  const encoding = (part.fields.get('content-transfer-encoding') ?? '').toLowerCase();
  if (encoding.startsWith('base64')) {
    return Buffer.from(part.body.toString('latin1', 0, limit * 2), 'base64').subarray(0, limit);
  }
  if (encoding.startsWith('quoted-printable')) {
    return decodeQuotedPrintable(part.body.subarray(0, limit * 3)).subarray(0, limit);
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
  const out = Buffer.alloc(bytes.length);
  let length = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if (byte !== 0x3d) {
      out[length++] = byte;
      continue;
    }
    const softBreak = bytes[at + 1] === 0x0a ? 1 : bytes[at + 1] === 0x0d && bytes[at + 2] === 0x0a ? 2 : 0;
    const high = hexDigit(bytes[at + 1]);
    const low = hexDigit(bytes[at + 2]);
    if (softBreak > 0) at += softBreak;
    else if (high >= 0 && low >= 0) {
      out[length++] = high * 16 + low;
      at += 2;
    } else out[length++] = byte;
  }
  return out.subarray(0, length);
}

function hexDigit(byte: number | undefined): number {
  if (byte === undefined) return -1;
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
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
