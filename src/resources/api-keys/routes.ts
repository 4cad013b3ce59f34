/** `/api-keys`: for keys of scope `full` only. */
import { Type } from 'typebox';
import type { Sql } from '../../database/sql.ts';
import type { ApiRoutes } from '../../http/api-routes.ts';
import { nameTarget } from '../../http/audit.ts';
import { dataOf, deletedSchema, pageOf } from '../../http/envelope.ts';
import { ApiError } from '../../http/errors.ts';
import { pageQuery, paginated } from '../../http/pagination.ts';
import type { Principal } from '../../http/principal.ts';
import type { Clock } from '../../runtime/clock.ts';
import { type KeyRequest, type NewKey, parseKeyRequest } from './request.ts';
import { apiKeySchema, createdApiKeySchema, createKeyBody } from './schema.ts';
import { createApiKey, revokeApiKey } from './service.ts';
import { type ApiKeyRow, countKeys, pageOfKeys } from './store.ts';

const tags = ['API keys'];

export interface ApiKeyDeps {
  readonly db: Sql;
  readonly clock: Clock;
}

export function apiKeyRoutes({ db, clock }: ApiKeyDeps): ApiRoutes {
  return async (app) => {
    const list = { tags, summary: 'List API keys, the newest first, revoked ones included' };
    app.get(
      '/api-keys',
      { schema: { ...list, querystring: pageQuery, response: { 200: pageOf(apiKeySchema) } } },
      async ({ principal, query: { page, limit } }) => {
        const { organizationId } = principal;
        const [rows, total] = await Promise.all([
          pageOfKeys(db, organizationId, limit, (page - 1) * limit),
          countKeys(db, organizationId),
        ]);
        return paginated(rows.map(present), { page, limit, total });
      },
    );

    const create = { tags, summary: 'Create an API key; the answer holds it this once' };
    app.post(
      '/api-keys',
      {
        config: { audit: { action: 'api_key.created', show: ['scope', 'domain', 'expires_at'] } },
        schema: { ...create, body: createKeyBody(clock), response: { 201: dataOf(createdApiKeySchema) } },
      },
      async ({ principal, body }, reply) => {
        const asked = parse({ ...body, scope: body.scope ?? 'full' }, clock.nowMs());
        assertWithinReach(principal, asked);
        const maker = { maker: principal.session?.userId ?? principal.keyId };
        const { row, secret } = await createApiKey(db, clock, principal.organizationId, asked, maker);
        return reply.code(201).send({ data: { ...present(row), key: secret } });
      },
    );

    const revoke = { tags, summary: 'Revoke an API key; it stops working within a second' };
    app.delete(
      '/api-keys/:id',
      {
        config: { errors: ['NOT_FOUND'], audit: { action: 'api_key.revoked' } },
        schema: {
          ...revoke,
          params: Type.Object({ id: Type.String() }),
          response: { 200: dataOf(deletedSchema) },
        },
      },
      async (request) => {
        const { principal, params } = request;
        const row = await revokeApiKey(db, clock, params.id, principal.organizationId);
        if (row === undefined) throw new ApiError('NOT_FOUND');
        nameTarget(request, row.name);
        return { data: { id: row.id, deleted: true } };
      },
    );
  };
}

/** The schema has checked each field; only the clock can have moved on since. */
function parse(asked: KeyRequest, nowMs: number): NewKey {
  const parsed = parseKeyRequest(asked, nowMs);
  if (!parsed.ok) throw new ApiError('VALIDATION_ERROR', parsed.problems);
  return parsed.key;
}

/** A key that is tied to a domain must not be able to make itself one that is not. */
function assertWithinReach(principal: Principal, asked: NewKey): void {
  if (principal.domain === null || principal.domain === asked.domain) return;
  const message = `must be ${principal.domain}, to which the calling key is tied`;
  throw new ApiError('FORBIDDEN', [{ field: 'domain', message }]);
}

function present(row: ApiKeyRow) {
  const { organization_id: _, ...shown } = row;
  return shown;
}
