/** Assembles received mail for the API. */
import type { FastifyPluginAsync } from 'fastify';
import { createFileLinks } from '../received/download-link.ts';
import { ReceivedMail } from '../received/mail.ts';
import { mxChecker, sandboxMx } from '../received/mx-check.ts';
import { receivedFileRoutes } from '../received/routes.ts';
import { ReceivingService } from '../received/service.ts';
import type { KeyRing } from '../runtime/key-ring.ts';
import type { ApiDeps, ApiParts } from './api-parts.ts';

export function createReceiving(
  { config, db, clock }: ApiDeps,
  { validation }: Pick<ApiParts, 'validation'>,
): ReceivingService {
  const host = config.hostname.toLowerCase();
  const checkMx = config.mode === 'sandbox' ? sandboxMx(host) : mxChecker(validation.resolver, host);
  return new ReceivingService({ db, clock, checkMx, host });
}

export function createReceivedMail({ config, db, clock }: ApiDeps, ring: KeyRing): ReceivedMail {
  return new ReceivedMail({
    db,
    clock,
    links: createFileLinks(ring.keysFor('download-links'), config.publicUrl),
  });
}

export function receivedFiles(deps: ApiDeps, ring: KeyRing): FastifyPluginAsync {
  return receivedFileRoutes({
    mail: createReceivedMail(deps, ring),
    keys: ring.keysFor('download-links'),
    clock: deps.clock,
  });
}
