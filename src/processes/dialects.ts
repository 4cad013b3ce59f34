/** The APIs of other services that this installation speaks. */
import { createMailgunDialect } from '../doors/mailgun/dialect.ts';
import { createPostmarkDialect } from '../doors/postmark/dialect.ts';
import { createResendDialect } from '../doors/resend/dialect.ts';
import { createSendgridDialect } from '../doors/sendgrid/dialect.ts';
import type { Dialect } from '../kit/http/dialect.ts';
import type { ApiDeps } from './api-parts.ts';
import type { ApiServices } from './api-services.ts';

export function createDialects(deps: ApiDeps, services: ApiServices): Dialect[] {
  const shared = { ...deps, ...services, submission: services.accepting.submission };
  return [
    createResendDialect(shared),
    createSendgridDialect(shared),
    createPostmarkDialect(shared),
    createMailgunDialect({ ...shared, publicUrl: deps.config.publicUrl }),
  ];
}
