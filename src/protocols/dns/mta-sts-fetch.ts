/**
 * Fetches a domain's MTA-STS policy over HTTPS. The domain's owner chooses the address, so it is untrusted:
 * only permitted addresses are dialled, without a second lookup; the certificate must match the name;
 * redirects are not followed; size and time are limited to a few kilobytes and seconds.
 */
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { Readable } from 'node:stream';
import { text as readText } from 'node:stream/consumers';
import type { FetchPolicy } from './mta-sts.ts';
import type { Resolver } from './resolver.ts';

export interface PolicyFetchOptions {
  readonly resolver: Pick<Resolver, 'addresses'>;
  readonly accepts: (address: string) => boolean;
  /** 443 except in tests. */
  readonly port?: number | undefined;
  /** PEM; replaces the built-in authorities. */
  readonly trustedCertificates?: string | undefined;
  readonly deadlineMs?: number;
}

const HTTPS_PORT = 443;
const DEADLINE_MS = 10_000;
const MAX_BYTES = 64 * 1024;

export function createPolicyFetch(options: PolicyFetchOptions): FetchPolicy {
  return async (domain) => {
    const host = `mta-sts.${domain}`;
    const found = await options.resolver.addresses(host);
    const address = found.kind === 'found' ? found.records.find(options.accepts) : undefined;
    if (address === undefined) return null;
    try {
      return await readPolicy(await get(host, address, options));
    } catch {
      return null; // every failure means that no policy is available
    }
  };
}

function get(host: string, address: string, options: PolicyFetchOptions): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const asked = request({
      host: address,
      servername: host,
      port: options.port ?? HTTPS_PORT,
      path: '/.well-known/mta-sts.txt',
      headers: { host, accept: 'text/plain' },
      agent: false,
      signal: AbortSignal.timeout(options.deadlineMs ?? DEADLINE_MS),
      ...(options.trustedCertificates === undefined ? {} : { ca: options.trustedCertificates }),
    });
    asked.on('response', resolve);
    asked.on('error', reject);
    asked.end();
  });
}

async function readPolicy(response: IncomingMessage): Promise<string | null> {
  const plain = /^text\/plain\s*(;|$)/i.test(response.headers['content-type'] ?? '');
  if (response.statusCode !== 200 || !plain) {
    response.destroy();
    return null;
  }
  return await readText(Readable.from(upTo(MAX_BYTES, response)));
}

/** Throwing out of the loop destroys the response, and with it the connection. */
async function* upTo(maxBytes: number, response: IncomingMessage): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new Error('The policy is too long.');
    yield chunk;
  }
}
