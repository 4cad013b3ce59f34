/** `/api-keys/:id/rotate` and `/usage`. */
import { Type } from 'typebox';
import type { Database } from '../../database/database.ts';
import type { Sql } from '../../database/sql.ts';
import type { ApiRoutes, App } from '../../http/api-routes.ts';
import { addDetails } from '../../http/audit.ts';
import { dataOf } from '../../http/envelope.ts';
import { ApiError } from '../../http/errors.ts';
import type { Principal } from '../../http/principal.ts';
import type { Clock } from '../../runtime/clock.ts';
import { DAY_MS } from '../../runtime/durations.ts';
import { ServiceError } from '../../runtime/service-error.ts';
import { assertWithinReach, presentKey } from './routes.ts';
import { rotatedApiKeySchema, rotateKeyBody, usageQuery, usageSchema } from './schema.ts';
import { type CreatedKey, storeNewKey } from './service.ts';
import { type ApiKeyRow, findKey, replaceKey } from './store.ts';
import { type UsageDay, usageSince } from './usage.ts';
import { type NewKey, parseExpiry } from './validate-key.ts';

const tags = ['API keys'];
const params = Type.Object({ id: Type.String() });
/** How long the old key keeps working by default. */
const OVERLAP_MS = DAY_MS;

interface KeyLifeDeps {
  readonly db: Database;
  readonly clock: Clock;
}

export function keyLifeRoutes(deps: KeyLifeDeps): ApiRoutes {
  return async (app) => {
    routeRotating(app, deps);
    routeUsage(app, deps);
  };
}

function routeRotating(app: App, { db, clock }: KeyLifeDeps): void {
  const rotate = {
    tags,
    summary: 'Rotate an API key',
    description:
      'Creates a new key that replaces the old one. Both work until `old_works_until`. The new key has the name, scope and domain of the old one, and is shown only in this response.',
    params,
    body: rotateKeyBody(clock),
    response: { 201: dataOf(rotatedApiKeySchema) },
  };
  app.post(
    '/api-keys/:id/rotate',
    {
      config: { tied: true, errors: ['NOT_FOUND', 'CONFLICT'], audit: { action: 'api_key.rotated' } },
      schema: rotate,
    },
    async (request, reply) => {
      const { principal, params, body } = request;
      const old = await findOrRefuse(db, principal, params.id);
      const worksUntil =
        momentOf(body.old_works_until, clock.nowMs()) ?? new Date(clock.nowMs() + OVERLAP_MS);
      const expiresAt =
        body.expires_at === undefined ? old.expires_at : momentOf(body.expires_at, clock.nowMs());
      assertWithinReach(principal, { ...old, expiresAt });
      const maker = principal.session?.userId ?? principal.keyId;
      const { row, secret, replaced } = await rotateApiKey(db, clock, { old, worksUntil, expiresAt, maker });
      addDetails(request, { replaces: replaced.id, old_works_until: replaced.expires_at });
      return reply
        .code(201)
        .send({ data: { ...presentKey(row), key: secret, replaces: presentKey(replaced) } });
    },
  );
}

function routeUsage(app: App, { db, clock }: KeyLifeDeps): void {
  const usage = {
    tags,
    summary: 'Get the daily usage of an API key',
    params,
    querystring: usageQuery,
    response: { 200: dataOf(usageSchema) },
  };
  app.get(
    '/api-keys/:id/usage',
    { config: { tied: true, errors: ['NOT_FOUND'] }, schema: usage },
    async ({ principal, params, query }) => {
      const { id, organization_id } = await findOrRefuse(db, principal, params.id);
      const from = new Date(clock.nowMs() - (query.days - 1) * DAY_MS).toISOString().slice(0, 10);
      const days = await usageSince(db, organization_id, id, from);
      return { data: { from, totals: totalsOf(days), days } };
    },
  );
}

async function findOrRefuse(db: Sql, principal: Principal, id: string): Promise<ApiKeyRow> {
  const row = await findKey(db, principal, id);
  if (row === undefined) throw new ApiError('NOT_FOUND');
  return row;
}

/** The schema has validated the text. */
function momentOf(text: string | null | undefined, nowMs: number): Date | null {
  const parsed = parseExpiry(text ?? null, nowMs);
  return parsed.ok ? parsed.value : null;
}

function totalsOf(days: readonly UsageDay[]) {
  const sum = (name: 'requests' | 'refused' | 'emails') => days.reduce((all, day) => all + day[name], 0);
  return { requests: sum('requests'), refused: sum('refused'), emails: sum('emails') };
}

interface Rotation {
  /** The key to replace. */
  readonly old: ApiKeyRow;
  /** When the old key stops working; never later than its own expiry. */
  readonly worksUntil: Date;
  readonly expiresAt: Date | null;
  /** The user or key that requested the rotation. */
  readonly maker: string | null;
}

interface RotatedKey extends CreatedKey {
  readonly replaced: ApiKeyRow;
}

const NOT_REPLACEABLE =
  'This key no longer works, or was already rotated. GET /api-keys lists the keys that work.';

/** Replaces a key. The old key keeps working for a while, so that programs can be switched to the new one. */
function rotateApiKey(db: Database, clock: Clock, rotation: Rotation): Promise<RotatedKey> {
  const { old, worksUntil, expiresAt, maker } = rotation;
  const { name, scope, domain, policy, organization_id: organizationId } = old;
  const key: NewKey = { name, scope, domain, expiresAt, policy, budgetOf: old.budget_of };
  return db.transaction(async (tx) => {
    const created = await storeNewKey(tx, clock, organizationId, key, { maker });
    const now = new Date(clock.nowMs());
    const end = { id: old.id, organizationId, by: created.row.id, worksUntil, now };
    const replaced = await replaceKey(tx, end);
    if (replaced === undefined) throw new ServiceError('CONFLICT', NOT_REPLACEABLE);
    return { ...created, replaced };
  });
}
