/**
 * `/organization`: the caller's own organization. Additional ones are created by
 * accounts/members/new-organization-routes.ts.
 */
import { Type } from 'typebox';
import { usedOn } from '../counters/daily-usage.ts';
import type { Database } from '../database/database.ts';
import type { ApiRoutes } from '../http/api-routes.ts';
import { dataOf } from '../http/envelope.ts';
import { ApiError } from '../http/errors.ts';
import { nullable, strictObject, stringEnum, timestamp } from '../http/schema.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Config } from '../runtime/config.ts';
import { nextUtcDayMs } from '../runtime/timestamp.ts';
import { organizationName } from './name-schema.ts';
import { findOrganization, setOrganizationName } from './store.ts';

const organizationSchema = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    created_at: timestamp(),
    sending_limit: Type.Object({
      daily: nullable(
        Type.Integer({ description: 'Maximum number of recipients per UTC day. Null if there is no limit.' }),
      ),
      used_today: Type.Integer({ description: 'Number of recipients accepted since midnight UTC.' }),
      remaining_today: nullable(
        Type.Integer({ description: 'Number of recipients left today. Null if there is no limit.' }),
      ),
      resets_at: timestamp({
        description: 'Time at which the count of the day starts again: the next midnight UTC.',
      }),
    }),
    organization_creation: stringEnum(['owners', 'operator'], {
      description:
        'Who can create further organizations in this installation. `owners`: owners and operators. `operator`: only operators.',
    }),
  },
  { $id: 'Organization' },
);

const tags = ['Organization'];

const name = organizationName('Acme');

interface OrganizationDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly config: Pick<Config, 'dailyLimit' | 'ownersCreateOrganizations'>;
}

export function organizationRoutes(deps: OrganizationDeps): ApiRoutes {
  return async (app) => {
    const response = { 200: dataOf(organizationSchema) };
    app.get(
      '/organization',
      {
        config: { scope: 'send', tied: true },
        schema: {
          tags,
          summary: 'Get your organization, its sending limit and the used part of the limit',
          response,
        },
      },
      async ({ principal }) => ({ data: await view(deps, principal.organizationId) }),
    );

    app.patch(
      '/organization',
      {
        config: { access: 'owner', audit: { action: 'organization.updated', show: ['name'] } },
        schema: {
          tags,
          summary: 'Rename your organization',
          body: strictObject({ name }, { $id: 'UpdateOrganization' }),
          response,
        },
      },
      async ({ principal, body }) => {
        await setOrganizationName(deps.db, principal.organizationId, body.name.trim());
        return { data: await view(deps, principal.organizationId) };
      },
    );
  };
}

async function view({ db, clock, config }: OrganizationDeps, organizationId: string) {
  const nowMs = clock.nowMs();
  const [row, used] = await Promise.all([
    findOrganization(db, organizationId),
    usedOn(db, organizationId, nowMs),
  ]);
  if (!row) throw new ApiError('NOT_FOUND');
  const limited = row.daily_limit > 0;
  return {
    id: row.id,
    name: row.name,
    created_at: row.created_at,
    sending_limit: {
      daily: limited ? row.daily_limit : null,
      used_today: used,
      remaining_today: limited ? Math.max(0, row.daily_limit - used) : null,
      resets_at: new Date(nextUtcDayMs(nowMs)),
    },
    organization_creation: config.ownersCreateOrganizations ? ('owners' as const) : ('operator' as const),
  };
}
