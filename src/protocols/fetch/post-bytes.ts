/**
 * Posts bytes to a third-party URL: only to permitted addresses, without redirects, and reading only the
 * status of the response.
 */
import { request } from 'node:https';
import { type DestinationRules, urlProblem } from './destination.ts';
import type { Guard } from './guard-address.ts';

interface PostOptions {
  readonly guard: Guard;
  readonly rules: DestinationRules;
  readonly userAgent: string;
  /** PEM; replaces the built-in authorities. */
  readonly trustedCertificates?: string | undefined;
}

/** Whether the server accepted it. */
export type PostBytes = (url: string, contentType: string, body: Buffer) => Promise<boolean>;

const DEADLINE_MS = 15_000;

export function createPost(options: PostOptions): PostBytes {
  return async (given, contentType, body) => {
    if (urlProblem(given, options.rules, 'https://example.org/reports') !== null) return false;
    const url = new URL(given);
    if (url.protocol !== 'https:') return false;
    try {
      options.guard.check(url);
      const status = await post(url, contentType, body, options);
      return status >= 200 && status < 300;
    } catch {
      return false; // any failure means that it was not accepted
    }
  };
}

function post(
  url: URL,
  contentType: string,
  body: Buffer,
  { guard, userAgent, trustedCertificates }: PostOptions,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const asked = request(url, {
      method: 'POST',
      headers: { 'content-type': contentType, 'content-length': body.length, 'user-agent': userAgent },
      agent: false,
      lookup: guard.lookupFor(url),
      signal: AbortSignal.timeout(DEADLINE_MS),
      ...(trustedCertificates === undefined ? {} : { ca: trustedCertificates }),
    });
    asked.on('response', (response) => {
      response.destroy();
      resolve(response.statusCode ?? 0);
    });
    asked.on('error', reject);
    asked.end(body);
  });
}
