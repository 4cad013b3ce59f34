/** Bodies that are forms: multipart/form-data, and application/x-www-form-urlencoded. Their parts stay bytes until asked for. */
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
/** No text of an email may be larger, and decoding it would keep everybody waiting. Files are not decoded. */
const MAX_TEXT_BYTES = 2 * 1024 * 1024;

export class FormBody {
  readonly #byName = new Map<string, FormPart[]>();
  /** Each once, in their order. */
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

  /** All that are given, which may have `maxBytes` together. */
  texts(name: string, maxBytes = MAX_TEXT_BYTES): string[] {
    const parts = this.parts(name);
    if (parts.reduce((sum, { content }) => sum + content.length, 0) > maxBytes)
      throw new Problems().add(name, `must not be larger than ${sizeInWords(maxBytes)}`).toError();
    return parts.map(({ content }) => {
      const text = utf8Text(content);
      // What was read from valid UTF-8 is well-formed, and its bytes are quicker to look through.
      if (text === null || content.includes(NUL))
        throw new Problems().add(name, 'must be UTF-8, without NUL characters').toError();
      return text;
    });
  }

  /** Of what may be there once. */
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
      // Clients send the header without a body, on DELETE above all.
      if (body.length === 0) return undefined;
      if ((request.headers['content-encoding'] ?? 'identity') !== 'identity')
        throw new ApiError('UNSUPPORTED_MEDIA_TYPE', [], NOT_COMPRESSED);
      return new FormBody(await split(body, request.headers['content-type']));
    };
  };
  app.addContentTypeParser('multipart/form-data', read(readMultipart));
  app.addContentTypeParser('application/x-www-form-urlencoded', read(readUrlencoded));
}
