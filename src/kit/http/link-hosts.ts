/**
 * Hosts of others that lead here for the links in their mail. Nothing but those links is answered there: neither the API nor the
 * dashboard, whose cookies and pages must not be had under a name that somebody else decides about.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { hostNameOf } from '../runtime/host-name.ts';
import { ApiError } from './errors.ts';

export interface LinkHosts {
  /** What is answered there, by the beginning of its path. */
  readonly paths: readonly string[];
  /** Whether a name is our own, which is known without asking. */
  readonly isOurs: (name: string) => boolean;
  readonly isOne: (name: string) => Promise<boolean>;
}

export function answerLinksAlone(app: FastifyInstance, hosts: LinkHosts | undefined): void {
  if (hosts === undefined) return;
  app.addHook('onRequest', (request, _reply, done) => {
    const names = foreignNames(request, hosts);
    if (names.length === 0 || hosts.paths.some((path) => request.url.startsWith(path))) return done();
    Promise.all(names.map(hosts.isOne)).then(
      (found) => done(found.includes(true) ? new ApiError('NOT_FOUND') : undefined),
      (error: Error) => done(error),
    );
  });
}

/** A proxy may have put its own name in the place of the one that was asked for. */
function foreignNames({ headers }: FastifyRequest, { isOurs }: LinkHosts): string[] {
  const given = [headers.host ?? '', ...String(headers['x-forwarded-host'] ?? '').split(',')];
  return given.flatMap((one) => {
    const name = hostNameOf(one.trim());
    return name === null || isOurs(name) ? [] : [name];
  });
}
