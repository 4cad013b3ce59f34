/** The APIs of other services that this installation speaks. */
import { createResendDialect } from '../doors/resend/dialect.ts';
import type { Dialect } from '../kit/http/dialect.ts';
import type { ApiDeps } from './api-parts.ts';
import type { ApiServices } from './api-services.ts';

export function createDialects(deps: ApiDeps, services: ApiServices): Dialect[] {
  const { submission } = services.accepting;
  return [createResendDialect({ ...deps, ...services, submission })];
}
