/** The APIs of other services that this installation speaks. */
import { createDraftOf, withTemplateSubject } from '../doors/compat/draft-of.ts';
import { createResendDialect } from '../doors/resend/dialect.ts';
import { createSendgridDialect } from '../doors/sendgrid/dialect.ts';
import type { Dialect } from '../kit/http/dialect.ts';
import type { ApiDeps } from './api-parts.ts';
import type { ApiServices } from './api-services.ts';

export function createDialects(deps: ApiDeps, services: ApiServices): Dialect[] {
  const { submission } = services.accepting;
  const draftOf = withTemplateSubject(createDraftOf(deps.clock));
  return [
    createResendDialect({ ...deps, ...services, submission }),
    createSendgridDialect({ ...services, submission, draftOf }),
  ];
}
