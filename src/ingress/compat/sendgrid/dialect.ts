/** The parts of SendGrid's API that applications use to send mail and to manage suppressions. */
import type { FastifyInstance } from 'fastify';
import {
  createDraftOf,
  type DraftOf,
  type SendingRequest,
  senderOf,
  withTemplateSubject,
} from '../../../emails/http/send-request.ts';
import { bearerToken } from '../../../http/authenticate.ts';
import type { Dialect } from '../../../http/dialect.ts';
import { JSON_TYPE, type WriteError } from '../../../http/error-handler.ts';
import type { ApiError, ErrorCode } from '../../../http/errors.ts';
import { jsonFields } from '../../../http/json-fields.ts';
import type { Clock } from '../../../runtime/clock.ts';
import type { Scope } from '../../../runtime/permissions.ts';
import type { SubmissionDeps } from '../../../submission/submit.ts';
import type { SuppressionDeps } from '../../../suppressions/service.ts';
import { draftsOf, submitAll } from '../drafts-of.ts';
import { isSandboxed, personalEmails } from './personal-emails.ts';
import { routeSendgridSuppressions } from './suppression-routes.ts';

interface SendgridDeps extends Omit<SendMailDeps, 'draftOf'> {
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

/** Error codes whose status in SendGrid differs from ours. */
const STATUSES: Partial<Record<ErrorCode, number>> = { DOMAIN_NOT_VERIFIED: 403, CONFLICT: 400 };

const UNAUTHORIZED = 'The provided authorization grant is invalid, expired, or revoked';
const UNVERIFIED = 'The from address does not match a verified Sender Identity.';

/** Errors in SendGrid's format: a list of problems with their fields. */
const writeSendgridError: WriteError = (error) => ({
  status: STATUSES[error.code] ?? error.statusCode,
  type: JSON_TYPE,
  body: JSON.stringify({ errors: errorsOf(error) }),
});

function errorsOf({ code, message, details }: ApiError) {
  if (code === 'UNAUTHORIZED') return [entry(UNAUTHORIZED)];
  if (code === 'DOMAIN_NOT_VERIFIED') return [entry(`${UNVERIFIED} ${message}`, details[0]?.field)];
  if (code === 'NOT_FOUND' || details.length === 0) return [entry(message, details[0]?.field)];
  return details.map(({ field, message: what }) => entry(`${field}: ${what}`, field));
}

function entry(message: string, field: string | null = null) {
  return { message, field, help: null };
}

/** `POST /v3/mail/send`. Either all emails are stored on disk, or the request is refused as a whole. */
interface SendMailDeps {
  readonly submission: SubmissionDeps;
  readonly draftOf: DraftOf;
}

/** The id of the accepted mail; null when it was only validated. */
async function sendMail(
  { submission, draftOf }: SendMailDeps,
  request: SendingRequest & { readonly body: unknown },
): Promise<string | null> {
  const mail = jsonFields(request.body);
  const emails = personalEmails(mail);
  const drafts = await draftsOf(draftOf, { emails, field: 'personalizations' });
  return isSandboxed(mail) ? null : submitAll(submission, senderOf(request), drafts, emails);
}
