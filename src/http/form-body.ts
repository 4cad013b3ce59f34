/**
 * Form bodies: multipart/form-data and application/x-www-form-urlencoded. Parts stay bytes until they are
 * read.
 */
import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Problems } from '../runtime/problems.ts';
import { readBody } from './body-reader.ts';
import { ApiError } from './errors.ts';
import { NOT_COMPRESSED } from './json-body.ts';
import { type FormPart, readMultipart } from './multipart.ts';
import { isStorable } from './unstorable-text.ts';
import { readUrlencoded } from './urlencoded.ts';
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
