/**
 * Parses a JSON body and refuses harmful input: nesting so deep that a recursive walk overflows the stack,
 * too many values, names that pollute prototypes, bytes that are not UTF-8 (another encoding would send
 * garbled mail), and characters that PostgreSQL cannot store. Large bodies are parsed in time slices.
 */
import { isAscii } from 'node:buffer';
import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Problems } from '../runtime/problems.ts';
import { Turns } from '../runtime/turns.ts';
import { readBody } from './body-reader.ts';
import { ApiError } from './errors.ts';
import {
  JsonSyntaxError,
  type ParsedInTurns,
  type ParseSmall,
  PoisonError,
  parseInTurns,
} from './json-in-turns.ts';
import { ShapeScan } from './json-shape.ts';
import { ESCAPED_UNSTORABLE, unstorableText } from './unstorable-text.ts';
import { utf8Text } from './utf8-text.ts';

/** Up to this size, JSON.parse does not block the event loop noticeably. */
const SMALL_BYTES = 128 * 1024;
const DECODED_AT_ONCE = 256 * 1024;
const SCANNED_AT_ONCE = 256 * 1024;
const BYTE_ORDER_MARK = /^\uFEFF/;
export const NOT_COMPRESSED = 'The body must be sent without a Content-Encoding.';
const POISON = 'the body has a key that is not allowed (`__proto__`, or `constructor` with `prototype`)';
const NOT_UTF8 = 'the body is not valid UTF-8';
const UNSTORABLE = 'must not contain NUL or unpaired surrogate characters';

export function useStrictJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  const parseSmall = createParser(app);
  app.addContentTypeParser('application/json', async (request: FastifyRequest, payload: Readable) => {
    const encoding = request.headers['content-encoding'] ?? 'identity';
    const body = await readBody(request, payload);
    // Clients commonly send the header without a body, mostly on DELETE.
    if (body.length === 0) return undefined;
    if (encoding !== 'identity') throw new ApiError('UNSUPPORTED_MEDIA_TYPE', [], NOT_COMPRESSED);
    const { value, unstorable } = await (body.length <= SMALL_BYTES
      ? parseAtOnce(decode(body), parseSmall)
      : parseLarge(body, parseSmall));
    if (unstorable !== undefined && !request.routeOptions.config.judgesText)
      throw refusal(UNSTORABLE, unstorable);
    return value;
  });
}

/** The framework's parser rejects prototype pollution but gives no reason; JSON.parse supplies the error. */
function createParser(app: FastifyInstance): ParseSmall {
  const parse = app.getDefaultJsonParser('error', 'error');
  return (text) => {
    let result: unknown;
    let failed: Error | null = null;
    parse({} as FastifyRequest, text, (error, value) => {
      failed = error;
      result = value;
    });
    if (failed) throw explained(text);
    return result;
  };
}

function explained(text: string): Error {
  try {
    JSON.parse(text.replace(BYTE_ORDER_MARK, ''));
    return new PoisonError();
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    const position = /position (\d+)/.exec(message)?.[1];
    if (position !== undefined) return new JsonSyntaxError(Number(position));
    const stumble = /^Unexpected token (.+?), (.*) is not valid JSON$/s.exec(message);
    return new JsonSyntaxError(
      stumble ? 0 : text.length,
      stumble ? `unexpected ${stumble[1]} near ${stumble[2]}` : 'the text ends too early',
    );
  }
}

function decode(body: Buffer): string {
  const text = utf8Text(body);
  if (text === null) throw unreadable(NOT_UTF8);
  return text;
}

function parseAtOnce(text: string, parse: ParseSmall): ParsedInTurns {
  const scan = new ShapeScan(text);
  scan.advance();
  if (scan.problem !== undefined) throw refusal(scan.problem);
  const value = withPlace(text, () => parse(text));
  return { value, unstorable: ESCAPED_UNSTORABLE.test(text) ? unstorableText(value) : undefined };
}

async function parseLarge(body: Buffer, parse: ParseSmall): Promise<ParsedInTurns> {
  const turns = new Turns();
  await turns.next(); // joining the chunks already used a time slice
  const text = await decodeInTurns(body, turns);
  await turns.next();
  const scan = new ShapeScan(text);
  while (!scan.advance(SCANNED_AT_ONCE)) if (turns.isOver) await turns.next();
  if (scan.problem !== undefined) throw refusal(scan.problem);
  try {
    return await parseInTurns(text, parse);
  } catch (error) {
    throw placed(text, error);
  }
}

/** Text that is not ASCII takes the engine ten times as long. */
async function decodeInTurns(body: Buffer, turns: Turns): Promise<string> {
  if (isAscii(body)) return body.toString('latin1');
  const pieces: string[] = [];
  for (let from = 0; from < body.length; ) {
    const end = characterEnd(body, from + DECODED_AT_ONCE);
    pieces.push(decode(body.subarray(from, end)));
    from = end;
    if (turns.isOver) await turns.next();
  }
  return pieces.join('').replace(BYTE_ORDER_MARK, '');
}

/** The first offset from here that is not inside a UTF-8 character (at most four bytes). */
function characterEnd(body: Buffer, from: number): number {
  let end = from;
  while (end < from + 3 && end < body.length && ((body[end] as number) & 0xc0) === 0x80) end += 1;
  return Math.min(end, body.length);
}

function withPlace<T>(text: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw placed(text, error);
  }
}

function placed(text: string, error: unknown): unknown {
  if (error instanceof PoisonError) return refusal(POISON);
  if (!(error instanceof JsonSyntaxError)) return error;
  return unreadable(`the body is not valid JSON: ${error.words ?? placeOf(text, error.position)}`);
}

function placeOf(text: string, position: number): string {
  if (position > MAX_COUNTED) return `character ${position + 1}`;
  let line = 1;
  for (let at = 0; at < position; at += 1) if (text.charCodeAt(at) === LINE_FEED) line += 1;
  return `line ${line}, column ${position - text.lastIndexOf('\n', position - 1)}`;
}

const LINE_FEED = 0x0a;
/** Beyond this offset, counting lines takes too long for an error message. */
const MAX_COUNTED = 1024 * 1024;

function unreadable(message: string): Error {
  return new Problems().add('body', message, 'unreadable').toError();
}

function refusal(message: string, field = 'body'): Error {
  return new Problems().add(field, message).toError();
}
