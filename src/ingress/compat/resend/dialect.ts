/**
 * Resend's HTTP API, as its clients use it (npm `resend`, resend-cli, Laravel's mailer and others). Requests
 * are translated to our API's JSON and validated by its rules; responses and errors are in Resend's format.
 */

import { createDraftOf, type DraftOf, withTemplateSubject } from '../../../emails/http/send-request.ts';
import { bearerToken } from '../../../http/authenticate.ts';
import type { Dialect } from '../../../http/dialect.ts';
import type { Allowance } from '../../../http/rate-limit.ts';
import type { Clock } from '../../../runtime/clock.ts';
import type { SuppressionDeps } from '../../../suppressions/service.ts';
import type { TemplateService } from '../../../templates/service.ts';
import type { WebhookService } from '../../../webhooks/endpoints/service.ts';
import { routeResendDomains } from './domains.ts';
import { type ResendEmailDeps, routeResendBatch, routeResendEmails } from './emails.ts';
import { type ResendKeyDeps, routeResendKeys } from './keys.ts';
import { writeResendError } from './resend-error.ts';
import { resendFields, resendSendBody } from './send-body.ts';
import { routeResendSuppressions } from './suppressions.ts';
import { routeResendTemplates } from './templates.ts';
import { routeResendWebhooks } from './webhooks.ts';

interface ResendDeps extends Omit<ResendEmailDeps, 'draftOf'>, ResendKeyDeps {
  readonly suppressions: SuppressionDeps;
  readonly templates: TemplateService;
  readonly webhooks: WebhookService;
}

export function createResendDialect(deps: ResendDeps): Dialect {
  const withDrafts = { ...deps, draftOf: createResendDraftOf(deps.clock) };
  return {
    prefix: '/compat/resend',
    tokenOf: bearerToken,
    writeError: writeResendError,
    rateHeaders,
    routes: (app) => {
      routeResendEmails(app, withDrafts);
      routeResendBatch(app, withDrafts);
      routeResendDomains(app, deps.domains);
      routeResendKeys(app, deps);
      routeResendSuppressions(app, deps.suppressions);
      routeResendTemplates(app, deps.templates);
      routeResendWebhooks(app, deps.webhooks);
    },
  };
}

function createResendDraftOf(clock: Clock): DraftOf {
  const draftOf = withTemplateSubject(createDraftOf(clock, 'report'));
  return (email) => draftOf(resendSendBody(resendFields(email), clock.nowMs()));
}

const WINDOW_SECONDS = 60;

function rateHeaders({ limit, remaining, resetSeconds }: Allowance): Record<string, string> {
  return {
    'RateLimit-Limit': String(limit),
    'RateLimit-Policy': `${limit};w=${WINDOW_SECONDS}`,
    'RateLimit-Remaining': String(remaining),
    'RateLimit-Reset': String(resetSeconds),
  };
}
