/**
 * HTTP to an ACME server. The operator sets the directory, which contains further URLs: each is checked, and
 * connections are limited to permitted addresses. Redirects are not followed.
 */

import { createHash, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { connectionWords } from '../protocols/fetch/connection-words.ts';
import { type DestinationRules, urlProblem } from '../protocols/fetch/destination.ts';
import type { Guard } from '../protocols/fetch/guard-address.ts';
import { AcmeError } from './acme-error.ts';

interface AcmeTransportOptions {
  readonly guard: Guard;
  readonly rules: DestinationRules;
  readonly userAgent: string;
}

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

export function createAcmeTransport(options: AcmeTransportOptions): AcmeTransport {
  return async (given, request) => {
    const problem = urlProblem(given, options.rules, EXAMPLE_URL);
    if (problem !== null) throw new AcmeError(`A URL of the ACME server ${problem}.`);
    const url = new URL(given);
    const signal = AbortSignal.any([request.signal, AbortSignal.timeout(DEADLINE_MS)]);
    try {
      options.guard.check(url);
      return await readAnswer(await ask(url, { ...request, signal }, options));
    } catch (error) {
      if (error instanceof AcmeError) throw error;
      throw new AcmeError(
        `${url.host} cannot be reached: ${connectionWords(signal.aborted ? signal.reason : error)}.`,
      );
    }
  };
}

function ask(
  url: URL,
  { method, body, signal }: AcmeRequest,
  options: AcmeTransportOptions,
): Promise<IncomingMessage> {
  const { guard, userAgent } = options;
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  const content =
    body === undefined
      ? {}
      : { 'content-type': 'application/jose+json', 'content-length': Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const asked = request(url, {
      method,
      headers: { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': userAgent, ...content },
      agent: false,
      lookup: guard.lookupFor(url),
      signal,
    });
    asked.on('response', resolve);
    asked.on('error', reject);
    asked.on('close', () => reject(new Error('the connection was closed without an answer')));
    asked.end(body);
  });
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
