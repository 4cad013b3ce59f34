/** Bodies that are forms: multipart/form-data, and application/x-www-form-urlencoded. Their parts stay bytes until asked for. */
import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Problems } from '../problems.ts';
import { readBody } from './body-reader.ts';
import { ApiError } from './errors.ts';
import { NOT_COMPRESSED } from './json-body.ts';
import { type FormPart, MAX_FORM_PARTS, readMultipart } from './multipart.ts';
import { isStorable } from './unstorable-text.ts';
import { utf8Text } from './utf8-text.ts';

const NUL = 0;
/** Decoding takes so much longer than finding boundaries. */
const MAX_URLENCODED = 4 * 1024 * 1024;

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

  texts(name: string): string[] {
    return this.parts(name).map(({ content }) => {
      const text = utf8Text(content);
      // What was read from valid UTF-8 is well-formed, and its bytes are quicker to look through.
      if (text === null || content.includes(NUL))
        throw new Problems().add(name, 'must be UTF-8, without NUL characters').toError();
      return text;
    });
  }

  /** Of what may be there once. */
  text(name: string): string | undefined {
    const [only, another] = this.texts(name);
    if (another !== undefined) throw new Problems().add(name, 'is given twice').toError();
    return only;
  }
}

export function takeForms(app: FastifyInstance): void {
  const read = (split: (body: Buffer, contentType: string | undefined) => FormPart[]) => {
    return async (request: FastifyRequest, payload: Readable) => {
      const body = await readBody(request, payload);
      // Clients send the header without a body, on DELETE above all.
      if (body.length === 0) return undefined;
      if ((request.headers['content-encoding'] ?? 'identity') !== 'identity')
        throw new ApiError('UNSUPPORTED_MEDIA_TYPE', [], NOT_COMPRESSED);
      return new FormBody(split(body, request.headers['content-type']));
    };
  };
  app.addContentTypeParser('multipart/form-data', read(readMultipart));
  app.addContentTypeParser('application/x-www-form-urlencoded', read(readUrlencoded));
}

function readUrlencoded(body: Buffer): FormPart[] {
  if (body.length > MAX_URLENCODED)
    throw new ApiError('PAYLOAD_TOO_LARGE', [], 'Send forms of more than 4 MiB as multipart/form-data.');
  const text = body.toString('utf8');
  if (hasMore(text, '&', MAX_FORM_PARTS))
    throw new Problems().add('body', `the form has more than ${MAX_FORM_PARTS} fields`).toError();
  return [...new URLSearchParams(text)].map(([name, value]) => ({
    name,
    filename: null,
    contentType: null,
    content: Buffer.from(value),
  }));
}

function hasMore(text: string, mark: string, most: number): boolean {
  let found = text.indexOf(mark);
  for (let count = 1; found >= 0; count += 1) {
    if (count >= most) return true;
    found = text.indexOf(mark, found + 1);
  }
  return false;
}
