/**
 * The parts of a multipart/form-data body (RFC 7578). The body is read whole and its size counted beforehand.
 * Contents are views of the body, not copies. The body is scanned once, in time slices.
 */
import { readContentType, readDisposition } from '../protocols/message/reading/content-type.ts';
import { fieldValue, type HeaderField, readHeaderBlock } from '../protocols/message/reading/header-block.ts';
import { Problems } from '../runtime/problems.ts';
import { Turns } from '../runtime/turns.ts';

export interface FormPart {
  readonly name: string;
  /** Null for a field that is not a file. */
  readonly filename: string | null;
  readonly contentType: string | null;
  readonly content: Buffer;
}

/** Twice the thousand recipients that may each take a part. */
export const MAX_FORM_PARTS = 2_000;
const MAX_PART_HEADER = 8 * 1024;
/** Limit for lines that begin like a boundary but are none. */
const MAX_LOOKALIKES = 10_000;
/**
 * Bytes searched for a boundary between two checks of the clock: 1 ms when all lines begin like a boundary.
 */
const SEARCHED_AT_ONCE = 256 * 1024;
/** Limit for blanks between a boundary and the end of its line. Transports may add a few. */
const MAX_BLANKS = 1_000;
/** RFC 2046, 5.1.1. */
const MAX_BOUNDARY = 70;
const HEADER_END = Buffer.from('\r\n\r\n');
const PLAIN_ENCODINGS = /^(?:7bit|8bit|binary)$/i;

/** @param contentType The header of the request, which contains the boundary. */
export async function readMultipart(body: Buffer, contentType: string | undefined): Promise<FormPart[]> {
  const boundary = readContentType(contentType).parameters.get('boundary') ?? '';
  if (boundary === '' || boundary.length > MAX_BOUNDARY)
    throw unreadable(`the Content-Type must have a boundary of 1 to ${MAX_BOUNDARY} characters`);
  const parts: FormPart[] = [];
  const boundaries = new Boundaries(body, boundary);
  let at = await boundaries.next(0);
  while (at !== null && !at.isLast) {
    if (parts.length === MAX_FORM_PARTS) throw unreadable(`it has more than ${MAX_FORM_PARTS} parts`);
    const contentAt = endOfHeader(body, at.end);
    const next = await boundaries.next(contentAt);
    if (next === null) break;
    parts.push(readPart(body.subarray(at.end, contentAt), body.subarray(contentAt, next.start)));
    at = next;
  }
  if (at?.isLast !== true) throw unreadable('its last boundary is missing: it may have been cut off');
  return parts;
}

interface Boundary {
  /** Offset of the line break before the boundary, which belongs to it. */
  readonly start: number;
  /** Offset behind the line break that follows. */
  readonly end: number;
  readonly isLast: boolean;
}

/** Finds boundaries. A line that begins like a boundary and continues is content. */
class Boundaries {
  readonly #body: Buffer;
  readonly #mark: Buffer;
  readonly #turns = new Turns();
  #lookalikes = 0;

  constructor(body: Buffer, boundary: string) {
    this.#body = body;
    this.#mark = Buffer.from(`\r\n--${boundary}`);
  }

  /** @param from The beginning of a line. */
  async next(from: number): Promise<Boundary | null> {
    const isFirstLine =
      from === 0 && this.#mark.subarray(2).equals(this.#body.subarray(0, this.#mark.length - 2));
    let found = isFirstLine ? -2 : await this.#find(Math.max(0, from - 2));
    while (found >= 0 || found === -2) {
      const boundary = this.#boundaryAt(found, from);
      if (boundary !== null) return boundary;
      this.#lookalikes += 1;
      if (this.#lookalikes > MAX_LOOKALIKES) throw unreadable('its boundary is too common: choose another');
      found = await this.#find(found + this.#mark.length);
    }
    return null;
  }

  /** Returns -1 if there is none. */
  async #find(from: number): Promise<number> {
    for (let start = from; start < this.#body.length; start += SEARCHED_AT_ONCE) {
      if (this.#turns.isOver) await this.#turns.next();
      const found = this.#body
        .subarray(start, start + SEARCHED_AT_ONCE + this.#mark.length - 1)
        .indexOf(this.#mark);
      if (found >= 0) return start + found;
    }
    return -1;
  }

  #boundaryAt(found: number, from: number): Boundary | null {
    const start = Math.max(from, found);
    let end = found + this.#mark.length;
    if (this.#body[end] === DASH && this.#body[end + 1] === DASH) return { start, end, isLast: true };
    const mostBlanks = end + MAX_BLANKS;
    while ((this.#body[end] === SPACE || this.#body[end] === TAB) && end < mostBlanks) end += 1;
    const isLineEnd = this.#body[end] === CR && this.#body[end + 1] === LF;
    return isLineEnd ? { start, end: end + 2, isLast: false } : null;
  }
}

const CR = 0x0d;
const LF = 0x0a;
const DASH = 0x2d;
const SPACE = 0x20;
const TAB = 0x09;

function endOfHeader(body: Buffer, from: number): number {
  const found = body.subarray(from, from + MAX_PART_HEADER).indexOf(HEADER_END);
  if (found < 0) throw unreadable(`a part has no header, or one of more than ${MAX_PART_HEADER / 1024} KiB`);
  return from + found + HEADER_END.length;
}

/** The complete header of a plain field, as every client writes it. */
const PLAIN_FIELD = /^content-disposition: form-data; name="([ !#$&-[\]-~]+)"\r\n\r\n$/i;

function readPart(header: Buffer, content: Buffer): FormPart {
  const name = PLAIN_FIELD.exec(header.toString('latin1'))?.[1];
  return name === undefined
    ? readDescribedPart(header, content)
    : { name, filename: null, contentType: null, content };
}

function readDescribedPart(header: Buffer, content: Buffer): FormPart {
  const head = readHeaderBlock(header);
  if (!head.ok) throw unreadable(`the header of a part ${head.message}`);
  const valueOfField = (name: string) => firstValue(head.fields, name);
  const { type, parameters } = readDisposition(valueOfField('content-disposition'));
  const name = parameters.get('name');
  if (type !== 'form-data' || name === undefined) throw unreadable('a part has no name');
  const contentType = valueOfField('content-type') ?? null;
  if (contentType !== null && /^multipart\//i.test(contentType))
    throw unreadable('a part is a multipart itself: give each file a part of its own');
  if (!PLAIN_ENCODINGS.test(valueOfField('content-transfer-encoding') ?? 'binary'))
    throw unreadable('a part has a Content-Transfer-Encoding: send it as it is');
  return { name: unescaped(name), filename: filenameOf(parameters), contentType, content };
}

function firstValue(fields: readonly HeaderField[], name: string): string | undefined {
  const field = fields.find((one) => one.name === name);
  return field && fieldValue(field);
}

/** Some clients encode names that are not ASCII by RFC 5987. */
function filenameOf(parameters: ReadonlyMap<string, string>): string | null {
  const extended = /^utf-8'[^']*'(.*)$/i.exec(parameters.get('filename*') ?? '')?.[1];
  if (extended !== undefined) return percentDecoded(extended);
  const plain = parameters.get('filename');
  return plain === undefined ? null : unescaped(plain);
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Reverses exactly the escapes that browsers use in names. */
function unescaped(name: string): string {
  return name.replaceAll(/%(22|0D|0A)/gi, (escaped) => decodeURIComponent(escaped));
}

function unreadable(what: string): Error {
  return new Problems().add('body', `the form cannot be read: ${what}`).toError();
}
