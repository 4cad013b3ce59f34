/**
 * HTTP to an ACME server. The operator sets the directory, which contains further URLs: each is checked, and
 * connections are limited to permitted addresses. Redirects are not followed.
 */

import { createHash, createPublicKey, type KeyObject, sign } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { urlProblem } from '../protocols/fetch/destination.ts';
import { connectionWords } from '../protocols/fetch/failure-text.ts';
import { type GuardedRequestOptions, guardedRequest } from '../protocols/fetch/guarded-request.ts';
import { AcmeError } from './acme-error.ts';

interface AcmeRequest {
  readonly method: 'GET' | 'HEAD' | 'POST';
  readonly body?: string;
  readonly signal: AbortSignal;
}

export interface AcmeAnswer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

export type AcmeTransport = (url: string, request: AcmeRequest) => Promise<AcmeAnswer>;

const DEADLINE_MS = 20_000;
/** Directories, orders and chains are a few kilobytes. */
const MAX_BYTES = 256 * 1024;
const EXAMPLE_URL = 'https://acme.example.org/directory';

export function createAcmeTransport(options: GuardedRequestOptions): AcmeTransport {
  return async (given, { method, body, signal: stopped }) => {
    const problem = urlProblem(given, options.rules, EXAMPLE_URL);
    if (problem !== null) throw new AcmeError(`A URL of the ACME server ${problem}.`);
    const url = new URL(given);
    const signal = AbortSignal.any([stopped, AbortSignal.timeout(DEADLINE_MS)]);
    try {
      const headers = { 'accept-encoding': 'identity', ...contentHeaders(body) };
      return await readAnswer(await guardedRequest(url, options, { method, headers, signal }, body));
    } catch (error) {
      if (error instanceof AcmeError) throw error;
      throw new AcmeError(
        `${url.host} cannot be reached: ${connectionWords(signal.aborted ? signal.reason : error)}.`,
      );
    }
  };
}

function contentHeaders(body: string | undefined): Record<string, string | number> {
  if (body === undefined) return {};
  return { 'content-type': 'application/jose+json', 'content-length': Buffer.byteLength(body) };
}

async function readAnswer(response: IncomingMessage): Promise<AcmeAnswer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new AcmeError('The ACME server sent more than 256 KB.');
    chunks.push(chunk);
  }
  const { statusCode = 0, headers } = response;
  return { status: statusCode, headers, text: Buffer.concat(chunks).toString('utf8') };
}

interface JwsHeader {
  readonly url: string;
  readonly nonce: string;
  /** The account's URL; undefined before there is one, when the key itself is sent. */
  readonly account: string | undefined;
}

/** Signed with the account key (RFC 7515 with ES256, RFC 8555 section 6.2). An undefined `payload` means POST-as-GET. */
export function signedRequest(key: KeyObject, header: JwsHeader, payload: unknown): string {
  const { url, nonce, account } = header;
  const who = account === undefined ? { jwk: jwkOf(key) } : { kid: account };
  const head = base64url(JSON.stringify({ alg: 'ES256', ...who, nonce, url }));
  const body = payload === undefined ? '' : base64url(JSON.stringify(payload));
  const signature = sign('sha256', Buffer.from(`${head}.${body}`), { key, dsaEncoding: 'ieee-p1363' });
  return JSON.stringify({ protected: head, payload: body, signature: signature.toString('base64url') });
}

/** The response to a challenge. */
export function keyAuthorization(key: KeyObject, token: string): string {
  const thumbprint = createHash('sha256')
    .update(JSON.stringify(jwkOf(key)))
    .digest('base64url');
  return `${token}.${thumbprint}`;
}

/** Members in the order that RFC 7638 requires for thumbprints. */
function jwkOf(key: KeyObject) {
  const { crv, kty, x, y } = createPublicKey(key).export({ format: 'jwk' });
  return { crv, kty, x, y };
}

function base64url(text: string): string {
  return Buffer.from(text).toString('base64url');
}
