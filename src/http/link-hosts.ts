/**
 * Customers' hosts that point here for the links in their mail. Only those links are answered under such
 * hosts: neither the API nor the dashboard may be reachable under a name that somebody else controls.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { hostNameOf, isAddress } from '../runtime/host-name.ts';
import { ApiError } from './errors.ts';
import type { KnownHosts } from './known-hosts.ts';

/** The requested host name if it is foreign; null if it is, or may be, ours. */
export type ForeignName = (request: FastifyRequest) => string | null;

export interface LinkHosts {
  /** Path prefixes answered under foreign names. */
  readonly paths: readonly string[];
  readonly foreignName: ForeignName;
  /** Throws an ApiError when the address has looked up too many names. */
  readonly isOne: (name: string, address: string) => Promise<boolean>;
}

/** A proxy's `X-Forwarded-Host` counts if the proxy is trusted. */
export function requestedHost({ host }: FastifyRequest): string | null {
  return hostNameOf(host ?? '');
}

/** Names without a dot and IP addresses are never link hosts. */
export function createForeignName(hosts: Pick<KnownHosts, 'has'>): ForeignName {
  return (request) => {
    const name = requestedHost(request);
    if (name === null || isAddress(name) || !name.includes('.') || hosts.has(name)) return null;
    return name;
  };
}

export function answerLinksAlone(app: FastifyInstance, hosts: LinkHosts | undefined): void {
  if (hosts === undefined) return;
  app.addHook('onRequest', (request, _reply, done) => {
    const name = hosts.foreignName(request);
    if (name === null || hosts.paths.some((path) => request.url.startsWith(path))) return done();
    hosts.isOne(name, request.ip).then(
      (isOne) => done(isOne ? new ApiError('NOT_FOUND') : undefined),
      // A failed lookup opens nothing: sessions are refused under foreign names in any case.
      (error: unknown) => done(error instanceof ApiError ? error : undefined),
    );
  });
}
