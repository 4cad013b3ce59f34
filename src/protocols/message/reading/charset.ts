/**
 * Decoders for the character sets of mail, with the labels and semantics of the web
 * (encoding.spec.whatwg.org): text labelled us-ascii or iso-8859-1 is windows-1252. iconv-lite decodes
 * single-byte character sets, because TextDecoder of some Node versions decodes windows-1252 as Latin-1
 * (docs/decisions/0072-character-sets.md).
 */
import iconv from 'iconv-lite';

export interface CharsetDecoder {
  /** With `stream`, a character may continue in the next piece; the last call must omit it. */
  decode(bytes?: Uint8Array, options?: { readonly stream?: boolean }): string;
}

/** Macintosh sets are left to TextDecoder, because iconv-lite has older tables of them. */
const SINGLE_BYTE = /^(?:windows-\d+|iso-8859-\d+|koi8-[ru]|ibm866)$/;
const WINDOWS_1252 = 'windows-1252';
/** All labels of the web for them. */
const UTF_16 = /^\s*(?:utf-16(?:le|be)?|(?:iso-10646-)?ucs-2|(?:cs)?unicode|unicodefeff|unicodefffe)\s*$/i;
/** Code pages that the web knows under other names only: `cp932`, `windows-936`. */
const CODE_PAGE = /^(?:x-)?(?:cp|ms|ibm|windows)-?(\d{3})$/i;
const CODE_PAGES = new Map([
  ['874', 'windows-874'],
  ['932', 'shift_jis'],
  ['936', 'gbk'],
  ['949', 'euc-kr'],
  ['950', 'big5'],
]);

/** Null for an unknown label. */
export function charsetDecoder(label: string): CharsetDecoder | null {
  const name = label.trim();
  const decoder = textDecoder(CODE_PAGES.get(CODE_PAGE.exec(name)?.[1] ?? '') ?? name);
  return decoder === null ? null : (singleByte(decoder.encoding) ?? decoder);
}

/** The only character sets of mail in which a byte of a line end can be half of another character. */
export function isUtf16(label: string): boolean {
  return UTF_16.test(label);
}

export function windows1252Decoder(): CharsetDecoder {
  return { decode: (bytes) => decodeSingleByte(bytes, WINDOWS_1252) };
}

function textDecoder(label: string): InstanceType<typeof TextDecoder> | null {
  try {
    return new TextDecoder(label);
  } catch {
    return null;
  }
}

function singleByte(encoding: string): CharsetDecoder | null {
  const name = encoding.replace(/-i$/, '');
  return SINGLE_BYTE.test(name) ? { decode: (bytes) => decodeSingleByte(bytes, name) } : null;
}

/** A byte below 0xA0 without a character stays the control character of its number, as on the web. */
function decodeSingleByte(bytes: Uint8Array | undefined, encoding: string): string {
  if (bytes === undefined) return '';
  const text = iconv.decode(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), encoding);
  return text.replace(/\ufffd/g, (unknown, at: number) => {
    const byte = bytes[at] as number;
    return byte < 0xa0 ? String.fromCharCode(byte) : unknown;
  });
}
