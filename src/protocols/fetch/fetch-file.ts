/**
 * Fetches one file from a third-party URL, only from permitted addresses, checked again at every redirect.
 * The content is requested uncompressed and never unpacked. Size is counted during the transfer: the caller
 * decides on limits and aborts.
 */
import type { IncomingMessage } from 'node:http';
import { readDisposition } from '../message/reading/content-type.ts';
import { fileNameIn, safeFileName } from '../message/reading/file-name.ts';
import { type DestinationRules, urlProblem } from './destination.ts';
import { connectionWords } from './failure-text.ts';
import { type GuardedRequestOptions, guardedRequest, REDIRECTS } from './guarded-request.ts';

interface FetchedFile {
  readonly kind: 'fetched';
  readonly content: Buffer;
  /** From the server; null if missing. */
  readonly contentType: string | null;
  /** From the server or the URL. */
  readonly filename: string | null;
}

export type FetchResult =
  | FetchedFile
  /** `why` follows after the URL. */
  | { readonly kind: 'failed'; readonly why: string }
  /** The result of the caller's count. */
  | { readonly kind: 'too_large' | 'no_room' };

interface FetchBounds {
  readonly signal: AbortSignal;
  /** Larger files are not started. */
  readonly maxBytes: number;
  readonly count: (bytes: number) => 'fine' | 'too_large' | 'no_room';
}

export type FetchFile = (url: string, bounds: FetchBounds) => Promise<FetchResult>;

const MAX_REDIRECTS = 3;
const EXAMPLE_URL = 'https://example.org/invoice.pdf';

export function createFileFetch(options: GuardedRequestOptions): FetchFile {
  return async (given, bounds) => {
    const problem = urlProblem(given, options.rules, EXAMPLE_URL);
    if (problem !== null) return { kind: 'failed', why: problem };
    let url = new URL(given);
    try {
      for (let redirects = 0; ; redirects += 1) {
        const response = await guardedRequest(url, options, {
          signal: bounds.signal,
          headers: { 'accept-encoding': 'identity' },
        });
        const next = redirectOf(response);
        if (next === null) return await read(response, url, bounds);
        response.destroy();
        if (redirects === MAX_REDIRECTS) return failed(url, `more than ${MAX_REDIRECTS} redirects`);
        url = follow(next, url, options.rules);
      }
    } catch (error) {
      return failed(url, connectionWords(bounds.signal.aborted ? bounds.signal.reason : error));
    }
  };
}

function failed({ host }: URL, why: string): FetchResult {
  return { kind: 'failed', why: `could not be fetched from ${host}: ${why}` };
}

function redirectOf({ statusCode = 0, headers }: IncomingMessage): string | null {
  return REDIRECTS.has(statusCode) ? (headers.location ?? '') : null;
}

function follow(location: string, from: URL, rules: DestinationRules): URL {
  if (!URL.canParse(location, from.href)) throw new Error('it redirects to what is no URL');
  const url = new URL(location, from);
  url.hash = '';
  const problem = urlProblem(url.href, rules, EXAMPLE_URL);
  if (problem !== null) throw new Error(`it redirects to another URL, which ${problem}`);
  return url;
}

/** Leaving the loop for any reason destroys the response, and with it the connection. */
async function read(response: IncomingMessage, url: URL, bounds: FetchBounds): Promise<FetchResult> {
  const refused = refusalOf(response, bounds);
  if (refused !== null) {
    response.destroy();
    return typeof refused === 'string' ? failed(url, refused) : refused;
  }
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      const counted = bounds.count(chunk.length);
      if (counted !== 'fine') return { kind: counted };
      chunks.push(chunk);
    }
  } catch (error) {
    throw new Error('the connection was closed before all of it had arrived', { cause: error });
  }
  const contentType = response.headers['content-type'] ?? null;
  return { kind: 'fetched', content: Buffer.concat(chunks), contentType, filename: nameOf(response, url) };
}

function refusalOf({ statusCode, headers }: IncomingMessage, { maxBytes }: FetchBounds) {
  if (statusCode !== 200) return `it answered with status ${statusCode}`;
  if (!/^(identity)?$/i.test(headers['content-encoding'] ?? ''))
    return 'it answered in a compressed form, which was not asked for';
  return Number(headers['content-length'] ?? 0) > maxBytes ? ({ kind: 'too_large' } as const) : null;
}

/** The name in the response, or the last part of the path. */
function nameOf({ headers }: IncomingMessage, { pathname }: URL): string | null {
  const disposition = headers['content-disposition'];
  const named =
    disposition === undefined
      ? null
      : fileNameIn(readDisposition(asUtf8(disposition)).parameters, 'filename');
  return named || safeFileName(unescaped(pathname.slice(pathname.lastIndexOf('/') + 1))) || null;
}

/** Node decodes header bytes as Latin-1, although servers write UTF-8. */
function asUtf8(header: string): string {
  const text = Buffer.from(header, 'latin1').toString('utf8');
  return text.includes('\uFFFD') ? header : text;
}

function unescaped(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
