/**
 * Checks whether every program reads a message alike. A signature covers bytes, not what a reader sees: if
 * readers disagree about the sender or the content, one of them can be shown what was not signed. So
 * ambiguous messages are refused.
 */
import { inTurns } from '../../../runtime/sliced-work.ts';
import { readAddressList } from './address-list.ts';
import { badByte } from './bad-byte.ts';
import { readDisposition } from './content-type.ts';
import { decodeHeaderText } from './encoded-words.ts';
import { type FieldBlock, MAX_VALUE, readFields } from './fields.ts';
import { fileNameIn } from './file-name.ts';
import { MAX_HEADER_BYTES } from './header-block.ts';
import type { HeaderProblem } from './header-scan.ts';
import { MESSAGE_LIMITS, type MessagePart, splitting } from './split-message.ts';

/** RFC 5322, 3.6, and RFC 2045: each may occur once. Of two, a reader may choose either. */
const ONCE = new Map(
  [
    ...['From', 'Sender', 'Reply-To', 'To', 'Cc', 'Subject', 'Date'],
    ...['Content-Type', 'Content-Transfer-Encoding', 'Content-Disposition'],
  ].map((name) => [name.toLowerCase(), name]),
);
/** Readers keep a limited number of fields. */
const MAX_FIELDS = 300;

/** The ambiguity as a sentence; null without one. In time slices, because a message may have 25 MB. */
export async function ambiguityOf(raw: Buffer): Promise<string | null> {
  const problem = headerAmbiguity(readFields(raw, 0, raw.length));
  if (problem !== null) return problem;
  const { ambiguity, parts } = await inTurns(splitting(raw, MESSAGE_LIMITS));
  return ambiguity ?? shownProblem(parts) ?? (await badByte(raw));
}

function headerAmbiguity(block: FieldBlock): string | null {
  const { fields, scanned, next, problems } = block;
  const [problem] = problems;
  if (problem !== undefined) return PROBLEMS[problem.kind](problem.line);
  if (next > MAX_HEADER_BYTES || scanned.length > MAX_FIELDS)
    return `The header is longer than ${MAX_HEADER_BYTES / 1024} KiB or has more than ${MAX_FIELDS} fields.`;
  const seen = new Set<string>();
  for (const { name, valueAt, end } of scanned) {
    const written = ONCE.get(name);
    if (written === undefined) continue;
    if (seen.has(name)) return `The header has ${written} more than once.`;
    if (end - valueAt > MAX_VALUE) return `The header has a ${written} of more than ${MAX_VALUE} octets.`;
    seen.add(name);
  }
  return senderProblem(fields.get('from') ?? '');
}

const PROBLEMS: Readonly<Record<HeaderProblem['kind'], (line: number) => string>> = {
  line_end: (line) => `Line ${line} of the header does not end with CRLF.`,
  no_field: (line) => `Line ${line} of the header is no field.`,
  space_before_colon: (line) => `Line ${line} of the header has white space before the colon.`,
  blank_fold: (line) => `Line ${line} of the header is blank, but not empty.`,
  unended: () => 'No empty line ends the header.',
  too_long: () => 'The header is longer than is read.',
};

const SHOWN = ['text/plain', 'text/html'] as const;
const SHOWABLE = /^(?:text\/(?:plain|html)$|message\/)/;
/** Limit for encoded text; nothing beyond it is displayed. */
const MAX_LOOKED_BYTES = 2 * 1024 * 1024;
const BASE64 = /^[A-Za-z0-9+/\r\n\t ]*(?:=[\r\n\t ]*){0,2}$/;

/** Whether every program displays the same parts as text and html, and decodes them alike. */
function shownProblem(all: readonly MessagePart[]): string | null {
  const parts = all.filter((part) => SHOWABLE.test(part.content.type) && !isAttached(part));
  if (parts[0]?.content.type.startsWith('message/'))
    return 'Some programs show a message that it includes as its text.';
  for (const type of SHOWN) {
    const [shown, ...others] = parts.filter((part) => part.content.type === type);
    if (shown === undefined) continue;
    if (hasFileName(shown)) return 'Some programs show a part as text, others as a file.';
    if (!isPlainlyEncoded(shown)) return 'A part is not in the transfer encoding that it names.';
    if (others.length > 0 && isBlank(shown))
      return 'Its first text is blank, so that some programs show another.';
  }
  return null;
}

function isAttached({ fields }: MessagePart): boolean {
  return readDisposition(fields.get('content-disposition')).type === 'attachment';
}

function hasFileName({ fields }: MessagePart): boolean {
  return fileNameIn(readDisposition(fields.get('content-disposition')).parameters, 'filename') !== null;
}

/** Longer parts count as not blank. */
function isBlank({ body }: MessagePart): boolean {
  return body.length <= 1_000 && body.toString('latin1').trim() === '';
}

function isPlainlyEncoded({ fields, body }: MessagePart): boolean {
  if (fields.get('content-transfer-encoding')?.toLowerCase() !== 'base64') return true;
  const text = body.toString('latin1', 0, MAX_LOOKED_BYTES);
  const isWhole = body.length <= MAX_LOOKED_BYTES;
  return BASE64.test(text) && (!isWhole || text.replace(/\s+/g, '').length % 4 === 0);
}

const NAME = String.raw`(?:[^"()<>@,;:\\[\]\x00-\x1f\x7f]|"(?:[^"\\\x00-\x1f\x7f]|\\[\x20-\x7e])*")*`;
const ADDRESS = String.raw`[^\s"(),:;<>@[\]\\\x00-\x1f\x7f]+@[^\s"(),:;<>@[\]\\\x00-\x1f\x7f]+`;
/** The name in a comment after the address, as old Unix programs write it. */
const COMMENT = String.raw`(?: +\([^"()<>@,;:\\\x00-\x1f\x7f]*\))?`;
/**
 * A name may begin with blanks, so no other part before it may match them: that would take quadratic time.
 */
const MAILBOX = `(?:${NAME}<${ADDRESS}>| *${ADDRESS}${COMMENT}) *`;
const MAILBOXES = new RegExp(`^${MAILBOX}(?:,${MAILBOX})*$`);
/** An encoded word is display text and never part of an address. */
const ENCODED_ADDRESS = /=\?[^\s<>]*\?=[^\s<>]*@|@[^\s<>]*=\?/;
const CONTROL = /[\x00-\x1f\x7f]/;

/**
 * Whether every program reads the same senders in a From field. Comments, groups, routes and obsolete forms of address lists are
 * parsed differently; only forms on which all agree are accepted.
 */
export function senderProblem(from: string): string | null {
  const isClear =
    MAILBOXES.test(from) && !ENCODED_ADDRESS.test(from) && !CONTROL.test(decodeHeaderText(from));
  const listed = isClear ? readAddressList(from) : [];
  if (listed.length === 0 || listed.some(({ address }) => !address.ok))
    return 'From is written in a way that programs read differently.';
  return null;
}
