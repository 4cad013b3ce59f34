import type { FastifyInstance } from 'fastify';
import { assertWithinReach, parseRequestedKey } from '../../../accounts/api-keys/routes.ts';
import { createApiKey, keyState, revokeApiKey } from '../../../accounts/api-keys/service.ts';
import { type ApiKeyRow, listKeys } from '../../../accounts/api-keys/store.ts';
import type { NewKey } from '../../../accounts/api-keys/validate-key.ts';
import type { Sql } from '../../../database/sql.ts';
import type { DomainService } from '../../../domains/service.ts';
import { addDetails, nameTarget } from '../../../http/audit.ts';
import { ApiError } from '../../../http/errors.ts';
import type { JsonFields } from '../../../http/json-fields.ts';
import type { Principal } from '../../../http/principal.ts';
import type { Clock } from '../../../runtime/clock.ts';
import type { Scope } from '../../../runtime/permissions.ts';
import { Problems } from '../../../runtime/problems.ts';
import { pageOfAll, placeIn, resendList } from './cursor.ts';
import { resendFields } from './send-body.ts';

export interface ResendKeyDeps {
  readonly db: Sql;
  readonly clock: Clock;
  readonly domains: DomainService;
}

const SCOPES = new Map<unknown, Scope>([
  ['full_access', 'full'],
  ['sending_access', 'send'],
]);
/** Resend accepts keys without a name. */
const UNNAMED = 'API key';

export function routeResendKeys(app: FastifyInstance, deps: ResendKeyDeps): void {
  const { db, clock } = deps;

  app.post(
    '/api-keys',
    { config: { tied: true, audit: { action: 'api_key.created' } } },
    async (request, reply) => {
      const { principal, body } = request;
      const asked = await keyIn(deps, principal, resendFields(body));
      assertWithinReach(principal, asked);
      const maker = { maker: principal.keyId };
      const { row, secret } = await createApiKey(db, clock, principal.organizationId, asked, maker);
      const { scope, domain } = asked;
      addDetails(request, { scope, ...(domain === null ? {} : { domain }) });
      return reply.code(201).send({ object: 'api_key', id: row.id, token: secret });
    },
  );

  app.get('/api-keys', { config: { tied: true } }, async ({ principal, query }) => {
    const rows = (await listKeys(db, principal.organizationId)).filter(isShown(principal, clock.nowMs()));
    return resendList(pageOfAll(rows, placeIn(query)), keyItem);
  });

  app.delete<{ Params: { readonly id: string } }>(
    '/api-keys/:id',
    { config: { tied: true, audit: { action: 'api_key.revoked' } } },
    async (request) => {
      const row = await revokeApiKey(db, clock, request.params.id, request.principal);
      if (row === undefined) throw new ApiError('NOT_FOUND', [], 'API key not found');
      nameTarget(request, row.name);
      return { object: 'api_key', id: row.id, deleted: true };
    },
  );
}

async function keyIn(
  { clock, domains }: ResendKeyDeps,
  principal: Principal,
  { name = '', permission = 'full_access', domain_id: domainId }: JsonFields,
): Promise<NewKey> {
  const problems = new Problems();
  const scope = SCOPES.get(permission);
  if (scope === undefined)
    throw problems.add('permission', 'must be full_access or sending_access').toError();
  if (domainId !== undefined && typeof domainId !== 'string')
    throw problems.add('domain_id', 'must be a string').toError();
  const domain = domainId === undefined ? null : (await domains.find(principal, domainId)).domain;
  const given = typeof name === 'string' && name.trim() !== '' ? name : UNNAMED;
  return parseRequestedKey({ name: given, scope, domain: domain ?? principal.domain }, clock.nowMs());
}

/** Shows valid keys only: for Resend's clients, a revoked key is deleted. */
function isShown({ domain }: Principal, nowMs: number) {
  return (row: ApiKeyRow) => keyState(row, nowMs) === 'active' && (domain === null || row.domain === domain);
}

function keyItem({ id, name, created_at, last_used_at }: ApiKeyRow) {
  return { id, name, created_at, last_used_at };
}
