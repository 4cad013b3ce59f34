/** Reads a file's name from the parameters of `Content-Disposition` or `Content-Type`. */
import type { ContentType } from './content-type.ts';
import { decodeHeaderText } from './encoded-words.ts';
import { decodeCharset } from './part-text.ts';

/** In RFC 2231 form, whole or in pieces, or in the older common form. */
export function fileNameIn(parameters: ContentType['parameters'], name: string): string | null {
  const plain = parameters.get(name);
  const extended = parameters.get(`${name}*`) ?? piecesOf(parameters, name);
  if (extended !== null && extended !== undefined) return safeFileName(decodeExtended(extended));
  return plain === undefined ? null : safeFileName(decodeHeaderText(plain));
}

function piecesOf(parameters: ContentType['parameters'], name: string): string | null {
  let joined = '';
  for (let i = 0; ; i += 1) {
    const piece = parameters.get(`${name}*${i}*`) ?? parameters.get(`${name}*${i}`)?.replaceAll('%', '%25');
    if (piece === undefined) return i === 0 ? null : joined;
    joined += piece;
  }
}

/** `utf-8'en'na%C3%AFve.txt`, or without a character set. */
function decodeExtended(text: string): string {
  const [, charset = '', encoded = text] = /^([^']*)'[^']*'(.*)$/.exec(text) ?? [];
  const bytes = Buffer.from(
    encoded.replace(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );
  return decodeCharset(bytes, charset);
}

/** A safe name for an attachment: one line, and no path. */
export function safeFileName(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}/\\]+/gu, '_')
    .slice(0, 255)
    .toWellFormed();
}
