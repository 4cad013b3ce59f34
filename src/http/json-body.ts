/**
 * Reads a JSON body, and refuses what would do harm further in: nesting so deep that a recursive walk overflows
 * the stack, keys that poison prototypes, bytes that are not UTF-8 (a body in another encoding would send
 * garbled mail), and characters PostgreSQL cannot store (NUL, half of a surrogate pair).
 */
import { isUtf8 } from 'node:buffer';
import type { FastifyInstance } from 'fastify';
import { ApiError } from './errors.ts';
import { Problems } from './problems.ts';

/** Template data may be 10 deep; nothing else comes close. */
const DEEPEST = 32;
const NOT_COMPRESSED = 'The body must be sent without a Content-Encoding.';

export function useStrictJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  const parse = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    // Clients commonly send the header without a body, on DELETE above all.
    if (body.length === 0) return done(null, undefined);
    const encoding = request.headers['content-encoding'] ?? 'identity';
    if (encoding !== 'identity') return done(new ApiError('UNSUPPORTED_MEDIA_TYPE', [], NOT_COMPRESSED));
    if (!isUtf8(body)) return done(refusal('the body is not valid UTF-8'));
    const text = body.toString('utf8');
    if (isDeeperThan(text, DEEPEST)) {
      return done(refusal(`the body is nested too deeply, ${DEEPEST} levels are the most`));
    }
    parse(request, text, (error, value) => {
      if (error) return done(refusal(explainSyntax(text)));
      const field = SUSPICIOUS.test(text) ? unstorableText(value) : undefined;
      if (field !== undefined)
        return done(refusal('must not contain NUL or unpaired surrogate characters', field));
      done(null, value);
    });
  });
}

function refusal(message: string, field = 'body'): Error {
  return new Problems().add(field, message).toError();
}

/**
 * Counts brackets without parsing, because parsing 20 MiB of `[` is itself the attack. Strings are jumped over with
 * `indexOf`, so a large base64 attachment costs next to nothing.
 */
export function isDeeperThan(text: string, limit: number): boolean {
  let depth = 0;
  for (let i = 0; i < text.length; i += 1) {
    const char = text.charCodeAt(i);
    if (char === QUOTE) {
      i = endOfString(text, i);
      if (i === -1) return false; // not JSON; the parser says so
    } else if (char === OPEN_ARRAY || char === OPEN_OBJECT) {
      depth += 1;
      if (depth > limit) return true;
    } else if (char === CLOSE_ARRAY || char === CLOSE_OBJECT) {
      depth -= 1;
    }
  }
  return false;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

function endOfString(text: string, start: number): number {
  let from = start + 1;
  for (;;) {
    const end = text.indexOf('"', from);
    if (end === -1) return -1;
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return end;
    from = end + 1;
  }
}

function explainSyntax(text: string): string {
  try {
    JSON.parse(text.replace(/^\uFEFF/, ''));
    return 'the body has a key that is not allowed (`__proto__`, or `constructor` with `prototype`)';
  } catch (error) {
    return `the body is not valid JSON: ${placeOf(error instanceof Error ? error.message : '', text)}`;
  }
}

/** The engine tells either a position or what it stumbled over, depending on the mistake. */
function placeOf(message: string, text: string): string {
  const position = /position (\d+)/.exec(message)?.[1];
  if (position !== undefined) {
    const before = text.slice(0, Number(position)).split('\n');
    return `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
  }
  const stumble = /^Unexpected token (.+?), (.*) is not valid JSON$/s.exec(message);
  return stumble ? `unexpected ${stumble[1]} near ${stumble[2]}` : 'it ends too early';
}

/** In valid UTF-8 such characters can only come from an escape; most bodies have none and are not walked. */
const SUSPICIOUS = /\\u(0000|d[89a-f])/i;
const UNSTORABLE = /\0|\p{Surrogate}/u;

/** The field that holds a NUL or an unpaired surrogate, in its value or its name. */
export function unstorableText(value: unknown, field = ''): string | undefined {
  if (typeof value === 'string') return UNSTORABLE.test(value) ? field || 'body' : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, inner] of Object.entries(value)) {
    const place = Array.isArray(value) ? `${field}[${name}]` : `${field}${field && '.'}${name}`;
    if (UNSTORABLE.test(name)) return field || 'body';
    const found = unstorableText(inner, place);
    if (found !== undefined) return found;
  }
  return undefined;
}
