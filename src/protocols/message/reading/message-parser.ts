/**
 * postal-mime for messages of any size. postal-mime parses line by line without yielding, so 20 MB took a
 * second. This class lets it parse headers and the structure; bodies, which are most of a message, bypass it
 * and are decoded in time slices.
 *
 * It uses private members of postal-mime: package.json pins the exact version, and `message-parser.test.ts`
 * compares both.
 */
import { randomUUID } from 'node:crypto';
import PostalMime, { type Email, type PostalMimeOptions } from 'postal-mime';
import { inTurns } from '../../../runtime/sliced-work.ts';
import { Turns } from '../../../runtime/turns.ts';
import { type BodyEncoding, decodedBody, lineAt } from './body-decoder.ts';
import { charsetDecoder, windows1252Decoder } from './charset.ts';
import { decodeSingleBytes } from './text-charset.ts';

export interface MimeNode {
  readonly state: 'header' | 'body' | 'finished';
  readonly contentType: {
    readonly parsed: { value: string; readonly params: { charset?: string } };
  };
  readonly contentTransferEncoding: { readonly encoding: string };
  content: ArrayBuffer | null;
  readonly childNodes: readonly MimeNode[];
  contentDecoder: { finalize(): Promise<ArrayBuffer> } | null;
  getTextContent: () => string;
}

/** Private members of postal-mime. */
interface Internals {
  readonly root: MimeNode;
  readonly currentNode: MimeNode;
  readonly boundaries: readonly { readonly value: Uint8Array }[];
  readonly attachments: { mimeType: string }[];
  readonly textContent: Record<string, string>;
  forceRfc822Attachments: boolean;
  processLine(line: Uint8Array, isFinal: boolean): Promise<void>;
  finalize(): Promise<void>;
  isInlineTextNode(node: MimeNode): boolean;
  collectNode(node: MimeNode, alternative: MimeNode | false, related: boolean): Promise<void>;
  collectAttachment(node: MimeNode, content: ArrayBuffer, related: boolean, isTooDeep: boolean): void;
  renderTextContent(): void;
  buildMessage(): Email;
}

const Base = PostalMime as unknown as new (options: PostalMimeOptions) => Internals;

const LINE_OF_DASHES = Buffer.from('\n--');
const SEARCHED_BYTES = 128 * 1024;
const CANDIDATES_PER_LOOK = 100;
const AFTER_BOUNDARY = /^(?:--)?[ \t]*$/;
/**
 * Longer texts are decoded in time slices. postal-mime, which may convert between text and html, gets the
 * beginning and a marker for the rest.
 */
const LONG_TEXT = 64 * 1024;
/** A private-use character, so that the search for markers rarely stops elsewhere. */
const MARK = '\uE000';
const MARKS = /\uE000[0-9a-f-]{36}/g;
const ESCAPED_CHARS = 16 * 1024;
/** Limit for a long text that is also converted to html. The text part keeps all of it. */
const MAX_ESCAPED_CHARS = 128 * 1024;
const DECODED_BYTES = 256 * 1024;
/** Per message or part. A submitted header is shorter; the excess of a part's header is ignored. */
const HEADER_LIMITS = { bytes: 512 * 1024, fields: 2_000, fieldBytes: 128 * 1024 };
/** Real messages have fewer. Further content belongs to the last part. */
const MAX_PARTS = 1_000;

export class MessageParser extends Base {
  readonly #turns = new Turns();
  #parts = 0;
  /** Characters that postal-mime may still process or convert to html, for all texts together. */
  #shownLeft = LONG_TEXT;
  #escapedLeft = MAX_ESCAPED_CHARS;
  /** The rest of long texts, by marker. */
  readonly #longTexts = new Map<string, { readonly isHtml: boolean; readonly rest: string }>();

  constructor() {
    // A forwarded message is shown as a file, not mixed into the surrounding text.
    super({ attachmentEncoding: 'arraybuffer', forceRfc822Attachments: true, maxHeadersSize: 2 ** 31 });
  }

  async parseInTurns(raw: Buffer): Promise<Email> {
    await this.#readParts(raw);
    this.forceRfc822Attachments = true;
    await this.collectNode(this.root, false, false);
    if (this.#turns.isOver) await this.#turns.next();
    this.renderTextContent();
    if (this.#turns.isOver) await this.#turns.next();
    for (const [type, text] of Object.entries(this.textContent))
      this.textContent[type] = await this.#restored(text, type === 'html');
    if (this.#longTexts.size > 0) await this.#turns.next();
    return this.buildMessage();
  }

  async #readParts(raw: Buffer): Promise<void> {
    let header = new HeaderRead(0);
    for (let at = 0; at < raw.length; ) {
      if (this.#turns.isOver) await this.#turns.next();
      if (this.currentNode.state !== 'header') {
        const bodyEnd = await this.#boundaryFrom(raw, at);
        if (bodyEnd > at) collectorOf(this.currentNode, this.#turns)?.add(raw.subarray(at, bodyEnd));
        at = bodyEnd;
        header = new HeaderRead(at);
        if (at === raw.length) return this.finalize();
      }
      const [start, end, next] = lineAt(raw, at);
      const isBoundary = this.#isBoundary(raw, start, end);
      if (isBoundary) this.#parts += 1;
      if (this.#parts > MAX_PARTS) return this.finalize();
      const kept = isBoundary ? end : header.keptEnd(raw, start, end);
      if (kept !== null) await this.processLine(raw.subarray(start, kept), next === raw.length);
      else if (next === raw.length) await this.finalize();
      at = next;
    }
  }

  /** The offset of the next line that begins or ends a part, or the end of the message. */
  async #boundaryFrom(raw: Buffer, from: number): Promise<number> {
    if (this.boundaries.length === 0 || this.#parts >= MAX_PARTS) return raw.length;
    let found = await this.#dashesFrom(raw, from - 1);
    for (let candidates = 1; found !== -1; candidates += 1) {
      const [start, end] = lineAt(raw, found + 1);
      if (this.#isBoundary(raw, start, end)) return start;
      found = await this.#dashesFrom(raw, start);
      if (candidates % CANDIDATES_PER_LOOK === 0 && this.#turns.isOver) await this.#turns.next();
    }
    return raw.length;
  }

  /** In slices: the search takes 8 ns per empty line. */
  async #dashesFrom(raw: Buffer, from: number): Promise<number> {
    for (let at = from; at < raw.length; at += SEARCHED_BYTES) {
      const found = raw.subarray(at, at + SEARCHED_BYTES + LINE_OF_DASHES.length - 1).indexOf(LINE_OF_DASHES);
      if (found !== -1) return at + found;
      if (this.#turns.isOver) await this.#turns.next();
    }
    return -1;
  }

  #isBoundary(raw: Buffer, start: number, end: number): boolean {
    return this.boundaries.some(({ value }) => {
      const after = start + 2 + value.length;
      if (after > end || raw.compare(value, 0, value.length, start + 2, after) !== 0) return false;
      return (
        raw[start] === 0x2d &&
        raw[start + 1] === 0x2d &&
        AFTER_BOUNDARY.test(raw.toString('latin1', after, end))
      );
    });
  }

  override async collectNode(node: MimeNode, alternative: MimeNode | false, related: boolean): Promise<void> {
    if (this.#turns.isOver) await this.#turns.next();
    const { content } = node;
    if (content !== null && content.byteLength > this.#shownLeft && this.isInlineTextNode(node)) {
      const text = await this.#decoded(content, node.contentType.parsed.params.charset);
      await this.#turns.next();
      const mark = `${MARK}${randomUUID()}`;
      const isHtml = node.contentType.parsed.value === 'text/html';
      const shown = this.#shownLeft;
      this.#shownLeft = 0;
      const beginning = text.slice(0, shown) + mark;
      this.#longTexts.set(mark, { isHtml, rest: text.slice(shown) });
      node.getTextContent = () => beginning;
      await this.#turns.next();
    } else if (content !== null && this.isInlineTextNode(node)) {
      this.#shownLeft -= content.byteLength;
      decodeSingleBytes(node, content);
    }
    await super.collectNode(node, alternative, related);
  }

  /** A long calendar is treated as a file: postal-mime would convert its line ends without a pause. */
  override collectAttachment(
    node: MimeNode,
    content: ArrayBuffer,
    related: boolean,
    isTooDeep: boolean,
  ): void {
    const { parsed } = node.contentType;
    const type = parsed.value;
    if (content.byteLength > LONG_TEXT) parsed.value = 'application/octet-stream';
    super.collectAttachment(node, content, related, isTooDeep);
    parsed.value = type;
    const added = this.attachments.at(-1);
    if (added !== undefined) added.mimeType = type;
  }

  /** Restores the rest of long texts. postal-mime converts only the beginning of html to text. */
  async #restored(text: string, asHtml: boolean): Promise<string> {
    if (this.#longTexts.size === 0) return text;
    // Not with join(), which copies megabytes without a pause.
    let restored = '';
    let written = 0;
    for (const { 0: mark, index } of text.matchAll(MARKS)) {
      const long = this.#longTexts.get(mark);
      if (long === undefined) continue;
      restored += text.slice(written, index);
      if (long.isHtml === asHtml) restored += long.rest;
      else if (asHtml) restored += await this.#escapedBeginning(long.rest);
      written = index + mark.length;
    }
    return restored + text.slice(written);
  }

  #escapedBeginning(text: string): Promise<string> {
    const beginning = text.slice(0, this.#escapedLeft);
    this.#escapedLeft -= beginning.length;
    return this.#escaped(beginning.trimEnd());
  }

  /** Converts text to html as postal-mime does. */
  async #escaped(text: string): Promise<string> {
    let html = '';
    for (let at = 0; at < text.length; at += ESCAPED_CHARS) {
      const piece = text.slice(at, at + ESCAPED_CHARS);
      const escaped = piece.replace(/[<>"'?&]/g, (c) => `&#x${c.charCodeAt(0).toString(16).toUpperCase()};`);
      html += escaped.replace(/\n/g, '<br />');
      if (this.#turns.isOver) await this.#turns.next();
    }
    return html;
  }

  async #decoded(content: ArrayBuffer, charset = 'utf-8'): Promise<string> {
    const decoder = charsetDecoder(charset) ?? windows1252Decoder();
    let text = '';
    for (let at = 0; at < content.byteLength; at += DECODED_BYTES) {
      const bytes = new Uint8Array(content, at, Math.min(DECODED_BYTES, content.byteLength - at));
      text += decoder.decode(bytes, { stream: true });
      if (this.#turns.isOver) await this.#turns.next();
    }
    return text + decoder.decode();
  }
}

/** Limits how much of a header is read, because postal-mime is slow for long or many fields. */
class HeaderRead {
  readonly #from: number;
  #fieldAt: number;
  #fields = 0;

  constructor(from: number) {
    this.#from = from;
    this.#fieldAt = from;
  }

  /** Where to truncate the line; null to drop it. */
  keptEnd(raw: Buffer, start: number, end: number): number | null {
    if (end === start) return end;
    if (raw[start] !== 0x20 && raw[start] !== 0x09) {
      this.#fieldAt = start;
      this.#fields += 1;
    }
    const limit = this.#fieldAt + HEADER_LIMITS.fieldBytes;
    const isLeftOut =
      start - this.#from > HEADER_LIMITS.bytes || this.#fields > HEADER_LIMITS.fields || start > limit;
    return isLeftOut ? null : Math.min(end, limit);
  }
}

/** Collects the body of a part in place of postal-mime's decoder. */
class BodyCollector {
  readonly #encoding: BodyEncoding;
  readonly #turns: Turns;
  readonly #pieces: Buffer[] = [];

  constructor(encoding: BodyEncoding, turns: Turns) {
    this.#encoding = encoding;
    this.#turns = turns;
  }

  add(lines: Buffer): void {
    this.#pieces.push(lines);
  }

  finalize(): Promise<ArrayBuffer> {
    return inTurns(decodedBody(this.#pieces, this.#encoding), this.#turns);
  }
}

/** Null behind the last boundary, outside of all parts. */
function collectorOf(node: MimeNode, turns: Turns): BodyCollector | null {
  if (node.state !== 'body') return null;
  if (node.contentDecoder instanceof BodyCollector) return node.contentDecoder;
  const collector = new BodyCollector(encodingOf(node), turns);
  node.contentDecoder = collector;
  return collector;
}

function encodingOf({ contentTransferEncoding: { encoding } }: MimeNode): BodyEncoding {
  if (/base64/i.test(encoding)) return 'base64';
  return /quoted-printable/i.test(encoding) ? 'quoted-printable' : 'plain';
}
