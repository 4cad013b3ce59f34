/** `/organization`: the caller's own. */
import { Type } from 'typebox';
import type { Sql } from '../../database/sql.ts';
import type { ApiRoutes } from '../../http/api-routes.ts';
import { dataOf } from '../../http/envelope.ts';
import { ApiError } from '../../http/errors.ts';
import { nullable, timestamp } from '../../http/schema.ts';
import type { Clock } from '../../runtime/clock.ts';
import { nextUtcDayMs } from '../../runtime/moment.ts';
import { usedOn } from './daily-usage.ts';
import { findOrganization } from './store.ts';

const organizationSchema = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    created_at: timestamp(),
    sending_limit: Type.Object({
      daily: nullable(Type.Integer({ description: 'Recipients per UTC day; null when there is no limit.' })),
      used_today: Type.Integer({ description: 'Recipients accepted since midnight UTC.' }),
      remaining_today: nullable(Type.Integer()),
      resets_at: timestamp(),
    }),
  },
  { $id: 'Organization' },
);

export function organizationRoutes({ db, clock }: { readonly db: Sql; readonly clock: Clock }): ApiRoutes {
  return async (app) => {
    app.get(
      '/organization',
      {
        config: { scope: 'send' },
        schema: {
          tags: ['Organization'],
          summary: 'Get your organization, its sending limit and what is used of it',
          response: { 200: dataOf(organizationSchema) },
        },
      },
      async ({ principal }) => ({ data: await view(db, clock.nowMs(), principal.organizationId) }),
    );
  };
}

async function view(db: Sql, nowMs: number, organizationId: string) {
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
  };
}
