/**
 * Hosts of others that lead here for the links in their mail. Nothing but those links is answered there: neither the API nor the
 * dashboard, which must not be had under a name that somebody else decides about.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { hostNameOf, isAddress } from '../runtime/host-name.ts';
import { ApiError } from './errors.ts';
import type { KnownHosts } from './known-hosts.ts';

/** The name that a request was made to, where it is not one of ours; null where it is, or may be. */
export type ForeignName = (request: FastifyRequest) => string | null;

export interface LinkHosts {
  /** What is answered there, by the beginning of its path. */
  readonly paths: readonly string[];
  readonly foreignName: ForeignName;
  /** Throws an ApiError where the address has asked about too many. */
  readonly isOne: (name: string, address: string) => Promise<boolean>;
}

/** A proxy's `X-Forwarded-Host` counts if the proxy is trusted. */
export function requestedHost({ host }: FastifyRequest): string | null {
  return hostNameOf(host ?? '');
}

/** Names without a dot and addresses are nobody's links. */
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
      // Nothing is open that was not: sessions are refused under foreign names in any case.
      (error: unknown) => done(error instanceof ApiError ? error : undefined),
    );
  });
}
