/**
 * Form bodies: multipart/form-data and application/x-www-form-urlencoded. Parts stay bytes until they are
 * read.
 */
import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Problems } from '../runtime/problems.ts';
import { Turns } from '../runtime/turns.ts';
import { readBody } from './body-reader.ts';
import { ApiError } from './errors.ts';
import { NOT_COMPRESSED } from './json-body.ts';
import { type FormPart, MAX_FORM_PARTS, readMultipart } from './multipart.ts';
import { isStorable } from './unstorable-text.ts';
import { utf8Text } from './utf8-text.ts';

const NUL = 0;
/** Matches the largest text of an email. Decoding more would block the event loop. Files are not decoded. */
const MAX_TEXT_BYTES = 2 * 1024 * 1024;

export class FormBody {
  readonly #byName = new Map<string, FormPart[]>();
  /** Each name once, in order of appearance. */
  readonly names: readonly string[];

  constructor(parts: readonly FormPart[]) {
    for (const part of parts) {
      const before = this.#byName.get(part.name);
      if (before) before.push(part);
      else this.#byName.set(part.name, [part]);
    }
    this.names = [...this.#byName.keys()];
    if (!this.names.every(isStorable))
      throw new Problems().add('body', 'the name of a field must be UTF-8, without NUL characters').toError();
  }

  parts(name: string): readonly FormPart[] {
    return this.#byName.get(name) ?? [];
  }

  /** All values of this name, at most `maxBytes` together. */
  texts(name: string, maxBytes = MAX_TEXT_BYTES): string[] {
    const parts = this.parts(name);
    if (parts.reduce((sum, { content }) => sum + content.length, 0) > maxBytes)
      throw new Problems().add(name, `must not be larger than ${sizeInWords(maxBytes)}`).toError();
    return parts.map(({ content }) => {
      const text = utf8Text(content);
      // Text decoded from valid UTF-8 is well-formed, and searching the bytes is faster.
      if (text === null || content.includes(NUL))
        throw new Problems().add(name, 'must be UTF-8, without NUL characters').toError();
      return text;
    });
  }

  /** The value of a field that may occur once. */
  text(name: string, maxBytes = MAX_TEXT_BYTES): string | undefined {
    const [only, another] = this.texts(name, maxBytes);
    if (another !== undefined) throw new Problems().add(name, 'is given twice').toError();
    return only;
  }
}

function sizeInWords(bytes: number): string {
  return bytes % MEBIBYTE === 0 ? `${bytes / MEBIBYTE} MiB` : `${bytes / KIBIBYTE} KiB`;
}

const KIBIBYTE = 1024;
const MEBIBYTE = 1024 * KIBIBYTE;

type ReadForm = (body: Buffer, contentType: string | undefined) => Promise<FormPart[]>;

export function takeForms(app: FastifyInstance): void {
  const read = (split: ReadForm) => {
    return async (request: FastifyRequest, payload: Readable) => {
      const body = await readBody(request, payload);
      // Clients send the header without a body, mostly on DELETE.
      if (body.length === 0) return undefined;
      if ((request.headers['content-encoding'] ?? 'identity') !== 'identity')
        throw new ApiError('UNSUPPORTED_MEDIA_TYPE', [], NOT_COMPRESSED);
      return new FormBody(await split(body, request.headers['content-type']));
    };
  };
  app.addContentTypeParser('multipart/form-data', read(readMultipart));
  app.addContentTypeParser('application/x-www-form-urlencoded', read(readUrlencoded));
}

/** Each byte must be examined and may be escaped as three. */
const MAX_BYTES = 4 * 1024 * 1024;
/** Bytes decoded between two checks of the clock: a few milliseconds of work. */
const DECODED_AT_ONCE = 256 * 1024;
/** Far longer than any known field name. */
const MAX_NAME_BYTES = 1_000;

const AMPERSAND = 0x26;
const EQUALS = 0x3d;
const PLUS = 0x2b;
const PERCENT = 0x25;
const SPACE = 0x20;

/**
 * The fields of a whole application/x-www-form-urlencoded body, as bytes. As with other forms, UTF-8 is
 * checked when a field is read.
 */
export async function readUrlencoded(body: Buffer): Promise<FormPart[]> {
  if (body.length > MAX_BYTES)
    throw new ApiError('PAYLOAD_TOO_LARGE', [], 'Send forms of more than 4 MiB as multipart/form-data.');
  const turns = new Turns();
  const parts: FormPart[] = [];
  for (let from = 0, end = 0; from < body.length; from = end + 1) {
    end = body.indexOf(AMPERSAND, from);
    if (end < 0) end = body.length;
    if (turns.isOver) await turns.next();
    if (end === from) continue;
    if (parts.length === MAX_FORM_PARTS)
      throw new Problems().add('body', `the form has more than ${MAX_FORM_PARTS} fields`).toError();
    parts.push(await readField(body.subarray(from, end), turns));
  }
  return parts;
}

async function readField(field: Buffer, turns: Turns): Promise<FormPart> {
  const equals = field.indexOf(EQUALS);
  const encodedName = field.subarray(0, equals < 0 ? field.length : equals);
  if (encodedName.length > MAX_NAME_BYTES)
    throw new Problems().add('body', `the name of a field is longer than ${MAX_NAME_BYTES} bytes`).toError();
  const name = await decoded(encodedName, turns);
  const content = await decoded(
    equals < 0 ? field.subarray(field.length) : field.subarray(equals + 1),
    turns,
  );
  return { name: name.toString('utf8'), filename: null, contentType: null, content };
}

async function decoded(text: Buffer, turns: Turns): Promise<Buffer> {
  const out = Buffer.allocUnsafe(text.length);
  let length = 0;
  for (let at = 0; at < text.length; ) {
    if (turns.isOver) await turns.next();
    for (const until = at + DECODED_AT_ONCE; at < until && at < text.length; length += 1) {
      const byte = text[at] as number;
      const escaped = byte === PERCENT ? escapedByte(text, at) : -1;
      out[length] = escaped >= 0 ? escaped : byte === PLUS ? SPACE : byte;
      at += escaped >= 0 ? 3 : 1;
    }
  }
  return out.subarray(0, length);
}

/** Returns -1 unless two hexadecimal digits follow; the percent sign is then literal. */
function escapedByte(text: Buffer, at: number): number {
  const high = HEX_DIGITS[text[at + 1] ?? 0] as number;
  const low = HEX_DIGITS[text[at + 2] ?? 0] as number;
  return high < 0 || low < 0 ? -1 : high * 16 + low;
}

const HEX_DIGITS = Int8Array.from({ length: 256 }, (_, byte) => {
  const digit = String.fromCharCode(byte);
  return /[0-9a-f]/i.test(digit) ? Number.parseInt(digit, 16) : -1;
});
