/**
 * `PATCH /api-keys/:id`: changes the sending policy of a key. Keys of scope `full` may change other keys' policies; a
 * key with a policy may not.
 */
import { Type } from 'typebox';
import type { Sql } from '../../database/sql.ts';
import type { ApiRoutes, App } from '../../http/api-routes.ts';
import { nameTarget } from '../../http/audit.ts';
import { dataOf } from '../../http/envelope.ts';
import { ApiError } from '../../http/errors.ts';
import { parseKeyPolicy } from './policy.ts';
import { type ApiKeyDeps, withUsage } from './routes.ts';
import { apiKeySchema, changeKeyBody } from './schema.ts';
import { type ApiKeyRow, findKey, setPolicy } from './store.ts';

export function keyPolicyRoutes(deps: ApiKeyDeps): ApiRoutes {
  return async (app) => {
    routeCurrent(app, deps);
    routePolicy(app, deps);
  };
}

function routeCurrent(app: App, { db, clock }: ApiKeyDeps): void {
  const schema = {
    tags: ['API keys'],
    summary: 'Get the calling API key',
    description: 'Returns the scope and the policy of the key, and the used part of its budget.',
    response: { 200: dataOf(apiKeySchema) },
  };
  app.get(
    '/api-keys/current',
    { config: { scope: 'send', tied: true, errors: ['NOT_FOUND'] }, schema },
    async ({ principal }) => {
      const { keyId, organizationId } = principal;
      const row = keyId === null ? undefined : await findKey(db, { organizationId }, keyId);
      if (row === undefined)
        throw new ApiError(
          'NOT_FOUND',
          [],
          'This request came with a session, not with an API key. Send it with an API key.',
        );
      return { data: await withUseOf(db, clock, row) };
    },
  );
}

function routePolicy(app: App, { db, clock }: ApiKeyDeps): void {
  const schema = {
    tags: ['API keys'],
    summary: 'Change the policy of an API key',
    description: 'The change takes effect within a second. Mail that was accepted before is not affected.',
    params: Type.Object({ id: Type.String() }),
    body: changeKeyBody,
    response: { 200: dataOf(apiKeySchema) },
  };
  const audit = { action: 'api_key.policy_changed', show: ['policy'] };
  app.patch(
    '/api-keys/:id',
    { config: { tied: true, errors: ['NOT_FOUND'], audit }, schema },
    async (request) => {
      const { principal, params, body } = request;
      const found = await findKey(db, principal, params.id);
      if (found === undefined) throw new ApiError('NOT_FOUND');
      const parsed = parseKeyPolicy(found.scope, body.policy);
      if (!parsed.ok) throw new ApiError('VALIDATION_ERROR', parsed.problems);
      const row = (await setPolicy(db, principal, found.id, parsed.policy)) ?? found;
      nameTarget(request, row.name);
      return { data: await withUseOf(db, clock, row) };
    },
  );
}

async function withUseOf(db: Sql, clock: ApiKeyDeps['clock'], row: ApiKeyRow) {
  const [view] = await withUsage(db, clock, row.organization_id, [row]);
  if (view === undefined) throw new Error('A key was not shown.');
  return view;
}
