/** One request to a third-party URL, only at permitted addresses. Redirects are not followed. */
import { type IncomingMessage, type RequestOptions, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { DestinationRules } from './destination.ts';
import type { Guard } from './guard-address.ts';

export interface GuardedRequestOptions {
  readonly guard: Guard;
  readonly rules: DestinationRules;
  readonly userAgent: string;
}

export const REDIRECTS = new Set([301, 302, 303, 307, 308]);

export async function guardedRequest(
  url: URL,
  { guard, userAgent }: Omit<GuardedRequestOptions, 'rules'>,
  {
    headers,
    ...request
  }: Pick<RequestOptions, 'method' | 'signal'> & { headers?: Record<string, string | number> },
  body?: string,
): Promise<IncomingMessage> {
  guard.check(url);
  const send = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const asked = send(url, {
      ...request,
      headers: { accept: '*/*', 'user-agent': userAgent, ...headers },
      agent: false,
      lookup: guard.lookupFor(url),
    });
    asked.on('response', resolve);
    asked.on('error', reject);
    // Also covers invalid responses, such as an upgrade.
    asked.on('close', () => reject(new Error('the connection was closed without an answer')));
    asked.end(body);
  });
}
