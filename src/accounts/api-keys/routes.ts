/** `/api-keys`. A key restricted to a domain can see and create only keys restricted to the same domain. */
import type { Sql } from '../../database/sql.ts';
import type { ApiRoutes, App } from '../../http/api-routes.ts';
import { dataOf, pageOf } from '../../http/envelope.ts';
import { ApiError } from '../../http/errors.ts';
import { pageQuery, paginated } from '../../http/pagination.ts';
import type { Principal } from '../../http/principal.ts';
import type { Clock } from '../../runtime/clock.ts';
import { DAY_MS } from '../../runtime/durations.ts';
import type { KeyPolicy } from '../../runtime/permissions.ts';
import type { Problem } from '../../runtime/service-error.ts';
import { budgetsUsedOn } from './budget-store.ts';
import { storedPolicy } from './policy.ts';
import { apiKeySchema, createdApiKeySchema, createKeyBody } from './schema.ts';
import { createApiKey } from './service.ts';
import { type ApiKeyRow, countKeys, pageOfKeys } from './store.ts';
import { totalsSince, type UsageTotals } from './usage.ts';
import { DEFAULT_SCOPE, type KeyRequest, type NewKey, parseKeyRequest } from './validate-key.ts';

const tags = ['API keys'];

export interface ApiKeyDeps {
  readonly db: Sql;
  readonly clock: Clock;
}

export function apiKeyRoutes(deps: ApiKeyDeps): ApiRoutes {
  return async (app) => {
    routeListing(app, deps);
    routeCreating(app, deps);
  };
}

function routeListing(app: App, { db, clock }: ApiKeyDeps): void {
  const list = { tags, summary: 'List API keys, newest first, including revoked ones' };
  app.get(
    '/api-keys',
    {
      config: { tied: true },
      schema: { ...list, querystring: pageQuery, response: { 200: pageOf(apiKeySchema) } },
    },
    async ({ principal, query: { page, limit } }) => {
      const [rows, total] = await Promise.all([
        pageOfKeys(db, principal, limit, (page - 1) * limit),
        countKeys(db, principal),
      ]);
      return paginated(await withUsage(db, clock, principal.organizationId, rows), { page, limit, total });
    },
  );
}

const UNUSED: UsageTotals = { requests: 0, refused: 0, emails: 0 };

export async function withUsage(db: Sql, clock: Clock, organizationId: string, rows: readonly ApiKeyRow[]) {
  const from = new Date(clock.nowMs() - 29 * DAY_MS).toISOString().slice(0, 10);
  const ids = rows.map(({ id }) => id);
  const budgeted = rows.filter(({ policy }) => (policy?.daily_budget ?? null) !== null);
  const [used, budgets] = await Promise.all([
    totalsSince(db, organizationId, ids, from),
    budgetsUsedOn(db, organizationId, [...new Set(budgeted.map((row) => row.budget_of))], clock.nowMs()),
  ]);
  return rows.map((row) => ({
    ...presentKey(row),
    budget_used: budgeted.includes(row) ? (budgets.get(row.budget_of) ?? 0) : null,
    last_30_days: used.get(row.id) ?? UNUSED,
  }));
}

function routeCreating(app: App, { db, clock }: ApiKeyDeps): void {
  const create = {
    tags,
    summary: 'Create an API key',
    description: 'The key itself is shown only in this response.',
  };
  app.post(
    '/api-keys',
    {
      config: {
        tied: true,
        errors: ['CONFLICT'],
        audit: { action: 'api_key.created', show: ['scope', 'domain', 'expires_at', 'policy'] },
      },
      schema: { ...create, body: createKeyBody(clock), response: { 201: dataOf(createdApiKeySchema) } },
    },
    async ({ principal, body }, reply) => {
      const asked = parseRequestedKey({ ...body, scope: body.scope ?? DEFAULT_SCOPE }, clock.nowMs());
      assertWithinReach(principal, asked);
      const maker = { maker: principal.session?.userId ?? principal.keyId };
      const { row, secret } = await createApiKey(db, clock, principal.organizationId, asked, maker);
      return reply.code(201).send({ data: { ...presentKey(row), key: secret } });
    },
  );
}

/** The schema has validated each field; only the expiry can have passed since. */
export function parseRequestedKey(asked: KeyRequest, nowMs: number): NewKey {
  const parsed = parseKeyRequest(asked, nowMs);
  if (!parsed.ok) throw new ApiError('VALIDATION_ERROR', parsed.problems);
  return parsed.key;
}

/** A key must not create a key with a wider domain or a later expiry than its own. */
export function assertWithinReach({ domain, expiresAt = null }: Principal, asked: NewKey): void {
  const problems: Problem[] = [];
  if (domain !== null && domain !== asked.domain) {
    problems.push({ field: 'domain', message: `must be ${domain}: the calling key is tied to that domain` });
  }
  if (expiresAt !== null && (asked.expiresAt === null || asked.expiresAt > expiresAt)) {
    const message = `must not be later than ${expiresAt.toISOString()}, when the calling key expires`;
    problems.push({ field: 'expires_at', message });
  }
  if (problems.length > 0) throw new ApiError('FORBIDDEN', problems, BEYOND_REACH);
}

const BEYOND_REACH =
  'A key can create only keys with at most its own rights and lifetime. Change the fields in details, or use another key.';

export function presentKey(row: ApiKeyRow) {
  const { organization_id: _, budget_of: __, policy, ...shown } = row;
  return { ...shown, policy: policy && presentPolicy(storedPolicy(policy)) };
}

function presentPolicy({ recipients, from, templates, ...rest }: KeyPolicy) {
  return {
    recipients: recipients && [...recipients],
    from: from && [...from],
    templates: templates && [...templates],
    ...rest,
  };
}
