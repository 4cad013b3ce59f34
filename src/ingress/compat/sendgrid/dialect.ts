/** The parts of SendGrid's API that applications use to send mail and to manage suppressions. */
import type { FastifyInstance } from 'fastify';
import { createDraftOf, withTemplateSubject } from '../../../emails/http/draft-of.ts';
import { bearerToken } from '../../../http/authenticate.ts';
import type { Dialect } from '../../../http/dialect.ts';
import type { Clock } from '../../../runtime/clock.ts';
import type { Scope } from '../../../runtime/permissions.ts';
import type { SuppressionDeps } from '../../../suppressions/service.ts';
import { type SendMailDeps, sendMail } from './send-mail.ts';
import { writeSendgridError } from './sendgrid-error.ts';
import { routeSendgridSuppressions } from './suppression-routes.ts';

export interface SendgridDeps extends Omit<SendMailDeps, 'draftOf'> {
  readonly clock: Clock;
  readonly suppressions: SuppressionDeps;
}

export function createSendgridDialect(deps: SendgridDeps): Dialect {
  return {
    prefix: '/compat/sendgrid',
    tokenOf: bearerToken,
    writeError: writeSendgridError,
    routes: (app) => {
      routeMail(app, { ...deps, draftOf: withTemplateSubject(createDraftOf(deps.clock, 'report')) });
      routeScopes(app);
      routeSendgridSuppressions(app, deps.suppressions);
    },
  };
}

function routeMail(app: FastifyInstance, deps: SendMailDeps): void {
  app.post('/v3/mail/send', { config: { scope: 'send', tied: true } }, async (request, reply) => {
    const id = await sendMail(deps, request);
    if (id === null) return reply.code(200).send();
    return reply.code(202).header('X-Message-Id', id).send();
  });
}

const SENDS = ['mail.send'];
const READS = ['suppression.read', 'asm.groups.suppressions.read'];
const CHANGES = ['suppression.create', 'suppression.delete'];
const SCOPES_OF: Readonly<Record<Scope, readonly string[]>> = {
  send: SENDS,
  agent: SENDS,
  read: READS,
  full: [...SENDS, ...READS, ...CHANGES],
};

function routeScopes(app: FastifyInstance): void {
  app.get(
    '/v3/scopes',
    { config: { scope: 'send', tied: true } },
    async ({ principal: { scope, domain } }) => ({
      // The suppression list belongs to the organization, not to a domain.
      scopes: SCOPES_OF[scope].filter((one) => domain === null || SENDS.includes(one)),
    }),
  );
}
