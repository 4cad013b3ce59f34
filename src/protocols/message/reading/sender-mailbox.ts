/**
 * Parses the single mailbox of a From or Sender field. RFC 5322 allows forms that programs read differently:
 * groups, routes, comments, several angle addresses, addresses within encoded words. Receivers must see the
 * address that was checked here, so only unambiguous forms are accepted: `a@b`, `a@b (name)`, `name <a@b>`,
 * `"name" <a@b>`.
 */
import { type Address, isSendable, parseAddress } from '../address.ts';
import { findUnwritable, type HeaderText } from '../unsafe-text.ts';
import { readableLine } from './address-list.ts';
import { decodeCharset } from './part-text.ts';
import { decodeQuotedPrintable } from './transfer-decoding.ts';

export type SenderMailbox =
  | { readonly ok: true; readonly address: Address; readonly name: HeaderText | null }
  /** A sentence without its subject, which is the field. */
  | { readonly ok: false; readonly message: string };

const MAX_CHARS = 1_000;
const MAX_NAME_CHARS = 255;
const ONE_ADDRESS = 'must have exactly one address';

/** `text` is the whole field with its name and folds. */
export function readSenderMailbox(text: string): SenderMailbox {
  const value = text.slice(text.indexOf(':') + 1).replaceAll('\r\n', '');
  const problem = writingProblem(text, value) ?? encodedWordProblem(value);
  if (problem !== null) return { ok: false, message: problem };
  const read = readParts(value);
  if (typeof read === 'string') return { ok: false, message: read };
  const address = parseAddress(read.address);
  if (!address.ok)
    return {
      ok: false,
      message: `has an address that cannot be used: ${address.message.replace(/\.$/, '')}`,
    };
  const unclear = addressProblem(address);
  if (unclear !== null) return { ok: false, message: unclear };
  return { ok: true, address, name: readableLine(read.name, MAX_NAME_CHARS) || null };
}

/**
 * Some programs end the header at a blank line with spaces, and do not recognise a field with a space before
 * its colon.
 */
function writingProblem(text: string, value: string): string | null {
  if (/^[^:]*[ \t]:/.test(text)) return 'must have its colon right after its name';
  if (value.length > MAX_CHARS) return `is longer than ${MAX_CHARS} characters`;
  if (/\r\n[ \t]*(?:\r\n|$)/.test(text)) return 'must not have a line of blanks';
  if (foldedQuotes(text)) return 'has a quoted name with an @, < or > that is folded: write it in one line';
  const unsafe = findUnwritable(value.replaceAll('\t', ' '));
  return unsafe === null ? null : `must not contain ${unsafe.codePoint}`;
}

/** Python ends the name at a line break. */
function foldedQuotes(text: string): boolean {
  return [...text.matchAll(/"(?:[^"\\]|\\.)*"/gs)].some(
    ([quoted]) => /\r\n/.test(quoted) && /[@<>]/.test(quoted),
  );
}

interface Parts {
  readonly address: string;
  readonly name: string;
}

type Kind = 'blank' | 'quoted' | 'comment' | 'angle' | 'text';

interface Piece {
  readonly kind: Kind;
  readonly content: string;
}

/**
 * Each kind has its own group. Of the characters with a meaning in RFC 5322, text contains only @ and the
 * dot.
 */
const PIECE =
  /(?<blank>[ \t]+)|"(?<quoted>(?:[^"\\]|\\.)*)"|\((?<comment>[^()\\]*)\)|<(?<angle>[^<>]*)>|(?<text>[^ \t"()<>,:;[\]\\]+)/y;
const LETTERS: Readonly<Record<Kind, string>> = {
  blank: '',
  quoted: 'q',
  comment: 'c',
  angle: 'a',
  text: 't',
};

/** An error message when the form is not accepted. */
function readParts(value: string): Parts | string {
  const pieces = piecesOf(value);
  if (typeof pieces === 'string') return pieces;
  const form = pieces.map(({ kind }) => LETTERS[kind]).join('');
  const contentOf = (kind: Kind) => pieces.find((piece) => piece.kind === kind)?.content ?? '';
  if (/^tc?$/.test(form)) return { address: contentOf('text'), name: contentOf('comment') };
  if (!/^[tqc]*ac?$/.test(form)) return form === '' ? 'has no address' : ONE_ADDRESS;
  const address = contentOf('angle');
  const named = pieces.filter(({ kind }) => kind === 'text' || kind === 'blank' || kind === 'quoted');
  const name = named
    .map(({ content }) => content)
    .join('')
    .trim();
  const hasAt = pieces.some(({ kind, content }) => kind === 'text' && content.includes('@'));
  // Programs write `a@b <a@b>` without quotes: both readings give the same address.
  if (hasAt && !(form === 'ta' && contentOf('text') === address))
    return 'has a name with an @ in it: put quotes around the name';
  return { address, name };
}

function piecesOf(value: string): Piece[] | string {
  const pieces: Piece[] = [];
  for (let at = 0; at < value.length; at = PIECE.lastIndex) {
    PIECE.lastIndex = at;
    const groups = PIECE.exec(value)?.groups;
    if (groups === undefined) return wordsFor(value[at] as string);
    const [kind, content] = Object.entries(groups).find(([, text]) => text !== undefined) as [Kind, string];
    if (kind === 'comment' && /[@<>"]/.test(content))
      return 'has a comment that can be mistaken for an address: leave the comment out';
    if (kind === 'angle' && content.startsWith('@'))
      return 'has a route before its address: leave the route out';
    pieces.push({ kind, content: kind === 'quoted' ? content.replace(/\\(.)/g, '$1') : content });
  }
  return pieces;
}

/** For a character that begins no piece. */
function wordsFor(char: string): string {
  if (char === ',') return `${ONE_ADDRESS}: put quotes around a name with a comma in it`;
  if (char === ':' || char === ';') return `${ONE_ADDRESS}, and no group: leave out the ${char}`;
  if (char === '(' || char === ')')
    return 'has parentheses that are nested or not closed: leave the comment out';
  if (char === '"') return 'has a quotation mark that is not closed';
  if (char === '<' || char === '>') return 'has an angle bracket that is not closed';
  return `has a ${char} outside of quotes: put quotes around the name`;
}

function addressProblem(address: Address): string | null {
  if (!isSendable(address)) return 'has an IP address in place of a domain';
  if (address.kind === 'quoted') return 'must not have quotes in its address';
  // Readers that decode it show another address.
  if (address.local.includes('=?')) return 'has an encoded word in its address';
  if (address.notes.includes('domain_mapped'))
    return 'has a domain that is written with other characters than its own';
  return null;
}

/** As permissive as any program: with blanks, question marks or empty text. */
const WORD = /=\?([^?]*)\?([bq])\?(.*?)\?=/gi;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
const UNREADABLE = 'has an encoded word that cannot be read: write it as =?utf-8?Q?...?=';

/**
 * Encoded words (RFC 2047) are decoded after the field was parsed, so they cannot be part of an address. Many programs decode
 * first and then parse, so both orders must give the same result. Returns a sentence without its subject, which is the field.
 */
function encodedWordProblem(value: string): string | null {
  if (!value.includes('=?')) return null;
  const words = [...value.matchAll(WORD)].map(([, charset = '', encoding = '', text = '']) =>
    decodedWord(charset.replace(/\*.*$/, ''), encoding.toLowerCase(), text),
  );
  const plain = value.replaceAll(WORD, '');
  if (words.includes(null) || plain.includes('=?')) return UNREADABLE;
  const decoded = words.join('');
  if (/\p{Cc}/u.test(decoded)) return 'has an encoded word with a control character in it';
  if (decoded.split('"').length % 2 === 0) return 'has an encoded quotation mark that is not closed';
  if (/[@<>]/.test(decoded) && !isHarmless(decoded, plain))
    return 'has an encoded word that can be mistaken for an address: leave @, < and > out of the name';
  // An encoded quotation mark or parenthesis would turn a name or a comment into an address.
  if (/@.*@/s.test(plain)) return 'has an encoded word beside a name with an @ in it';
  return /\([^)]*=\?/.test(value)
    ? 'has an encoded word in a comment: write the name before the address'
    : null;
}

/**
 * `Ada (ada@example.org)`, as help desks name their customers: no program looks for the sender in
 * parentheses.
 */
function isHarmless(decoded: string, plain: string): boolean {
  const outside = decoded.replaceAll(/\([^()"\\<>]*\)/g, '');
  return !/[@<>"\\]/.test(outside) && !/["()\\]/.test(plain);
}

function decodedWord(charset: string, encoding: string, text: string): string | null {
  // A word within another: programs disagree about which one counts.
  if (!isKnown(charset) || text.includes('=?')) return null;
  if (encoding === 'q') return decodeCharset(decodeQuotedPrintable(Buffer.from(text, 'latin1')), charset);
  return BASE64.test(text) ? decodeCharset(Buffer.from(text, 'base64'), charset) : null;
}

/** Other programs may decode an unknown one. For example, UTF-7 writes an @ with letters. */
function isKnown(charset: string): boolean {
  try {
    new TextDecoder(charset);
    return charset !== '';
  } catch {
    return false;
  }
}
