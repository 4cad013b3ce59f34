/** The APIs of other services that this installation speaks. */
import type { Dialect } from '../kit/http/dialect.ts';
import type { ApiDeps } from './api-parts.ts';
import type { ApiServices } from './api-services.ts';

export function createDialects(_deps: ApiDeps, _services: ApiServices): Dialect[] {
  return [];
}
