/** The parts of Mailgun's API that applications use to send mail and to validate addresses. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { createDraftOf, senderOf, withTemplateSubject } from '../../../emails/http/send-request.ts';
import { onlyHeader } from '../../../http/authenticate.ts';
import type { Dialect } from '../../../http/dialect.ts';
import { takeForms } from '../../../http/form-body.ts';
import type { Clock } from '../../../runtime/clock.ts';
import type { SuppressionDeps } from '../../../suppressions/service.ts';
import type { ValidationDeps } from '../../../validation/service.ts';
import { createReadOptions } from '../../smtp-submission/options.ts';
import { routeMailgunValidation } from './address-validation.ts';
import { writeMailgunError } from './mailgun-error.ts';
import { type SendMessageDeps, sendMessage, sendMimeMessage } from './send-message.ts';
import { routeMailgunSuppressions } from './suppression-routes.ts';

interface MailgunDeps extends Omit<SendMessageDeps, 'draftOf' | 'readOptions'> {
  readonly clock: Clock;
  readonly suppressions: SuppressionDeps;
  readonly validation: ValidationDeps;
  readonly publicUrl: string;
}

const PREFIX = '/compat/mailgun';

export function createMailgunDialect(deps: MailgunDeps): Dialect {
  const { clock, publicUrl, validation } = deps;
  const draftOf = withTemplateSubject(createDraftOf(clock, 'report'));
  const readOptions = createReadOptions(clock);
  return {
    prefix: PREFIX,
    tokenOf: basicPassword,
    writeError: writeMailgunError,
    routes: (app) => {
      takeForms(app);
      routeMessages(app, { ...deps, draftOf, readOptions });
      routeMailgunSuppressions(app, { ...deps, baseUrl: publicUrl + PREFIX });
      routeMailgunValidation(app, validation);
    },
  };
}

type OfDomain = { Params: { domain: string } };

function routeMessages(app: FastifyInstance, deps: SendMessageDeps): void {
  const config = { scope: 'send', tied: true } as const;
  for (const [path, send] of [
    ['/v3/:domain/messages', sendMessage],
    ['/v3/:domain/messages.mime', sendMimeMessage],
  ] as const)
    app.post<OfDomain>(path, { config }, (request) =>
      send(deps, { sender: senderOf(request), domain: request.params.domain }, request.body),
    );
}

const BASIC = /^Basic +([A-Za-z0-9+/=]{1,1024}) *$/i;

/** Accepts any user name; Mailgun's is `api`. */
function basicPassword(request: FastifyRequest): string | null {
  const encoded = BASIC.exec(onlyHeader(request, 'authorization') ?? '')?.[1];
  if (encoded === undefined) return null;
  const [, password] = /^[^:]*:(.+)$/s.exec(Buffer.from(encoded, 'base64').toString('utf8')) ?? [];
  return password ?? null;
}
