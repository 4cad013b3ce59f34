/**
 * Saves bandwidth for requests that read: compresses their responses, and answers 304 where the client has the current content
 * already. Routes that change something get no hook, so accepting mail costs nothing more.
 *
 * The ETag is a hash of the plain content. It is weak, because a compressed response has the same one. A session or key
 * that sees other content gets another ETag, so a browser never shows what its user may not read.
 */
import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest, onSendHookHandler, RouteOptions } from 'fastify';
import { isRead } from './access.ts';
import { acceptedCoding, compressed } from './content-coding.ts';

/** Smaller responses fit into one packet, compressed or not. */
const LEAST_COMPRESSED_BYTES = 1024;
/** The longest response that is hashed and compressed: it holds the event loop for 15 ms at most. */
const MAX_BYTES = 512 * 1024;
const TEXT_TYPE = /^(text\/|application\/(\w+\+)?json)/;

export function saveBandwidth(route: RouteOptions): void {
  const reads = [route.method].flat().some(isRead) || route.config?.reads === true;
  if (reads) route.onSend = [encode, ...[route.onSend ?? []].flat(), dropLengthOf304];
}

const encode: onSendHookHandler<unknown> = (request, reply, payload, done) => {
  if (reply.statusCode !== 200 || !isWhole(payload) || payload.length > MAX_BYTES) return done(null, payload);
  const content = typeof payload === 'string' ? Buffer.from(payload) : payload;
  if (isRead(request.method) && isKnownToClient(request, reply, content)) {
    reply.code(304).removeHeader('content-type');
    return done(null, '');
  }
  done(null, encoded(request, reply, content));
};

/** Streams are passed on as they are: they would have to be collected or compressed piece by piece. */
function isWhole(payload: unknown): payload is string | Buffer {
  return typeof payload === 'string' || Buffer.isBuffer(payload);
}

function isKnownToClient(request: FastifyRequest, reply: FastifyReply, content: Buffer): boolean {
  const { config } = request.routeOptions;
  const tag = hash('sha256', content, 'base64url').slice(0, 27);
  reply.header('etag', `W/"${tag}"`);
  if (!config.confidential && !config.public && config.access === undefined)
    reply.header('cache-control', 'private, no-cache');
  const known = request.headers['if-none-match'];
  return known !== undefined && (known.includes(`"${tag}"`) || known.trim() === '*');
}

function encoded(request: FastifyRequest, reply: FastifyReply, content: Buffer): Buffer {
  if (reply.hasHeader('content-encoding') || !TEXT_TYPE.test(String(reply.getHeader('content-type'))))
    return content;
  reply.header('vary', 'Accept-Encoding');
  const { coding, refusesPlain } = acceptedCoding(request.headers['accept-encoding']?.toString());
  const isWorthIt = refusesPlain || content.length >= LEAST_COMPRESSED_BYTES;
  if (coding === null || !isWorthIt || isFromOtherSite(request)) return content;
  reply.header('content-encoding', coding);
  return compressed(content, coding);
}

/**
 * A page of another site may open a response with its visitor's cookie and watch the size on the network. The
 * size of a compressed response would tell whether a guess that the page put into a mail or a search occurs in the rest.
 */
function isFromOtherSite({ headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site'];
  return site !== undefined && site !== 'same-origin';
}

/** The length that fastify sets is that of the empty body, but a client may take it for that of the content. */
const dropLengthOf304: onSendHookHandler<unknown> = (_request, reply, payload, done) => {
  if (reply.statusCode !== 304) return done(null, payload);
  reply.removeHeader('content-length');
  done(null, null);
};
