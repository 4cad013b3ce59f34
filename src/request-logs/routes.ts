/** `/request-logs`: refused requests. */
import { Type } from 'typebox';
import type { Reads } from '../database/reads.ts';
import type { ApiRoutes } from '../http/api-routes.ts';
import { dataOf, pageOf } from '../http/envelope.ts';
import { ApiError } from '../http/errors.ts';
import { paginated } from '../http/pagination.ts';
import { isUuid, uuidv7Ms } from '../runtime/ids.ts';
import { logEntrySchema, logQuery, toLogFilter } from './schema.ts';
import { findLogEntry, type LogRow, pageOfLog } from './store.ts';

const tags = ['Request log'];

export function requestLogRoutes(reads: Reads): ApiRoutes {
  return async (app) => {
    app.get(
      '/request-logs',
      {
        schema: {
          tags,
          summary: 'List refused requests, newest first',
          description: 'The newest 10,000 of the last 7 days, a second or two after they were answered.',
          querystring: logQuery,
          response: { 200: pageOf(logEntrySchema) },
        },
      },
      async ({ principal: { organizationId }, query }) => {
        const place = { limit: query.limit, offset: (query.page - 1) * query.limit };
        const { rows, total } = await pageOfLog(
          reads.of(organizationId),
          organizationId,
          toLogFilter(query),
          place,
        );
        return paginated(rows.map(logEntryView), { ...query, total });
      },
    );

    app.get(
      '/request-logs/:id',
      {
        config: { errors: ['NOT_FOUND'] },
        schema: {
          tags,
          summary: 'Get a refused request',
          params: Type.Object({ id: Type.String() }),
          response: { 200: dataOf(logEntrySchema) },
        },
      },
      async ({ principal: { organizationId }, params: { id } }) => {
        const row = isUuid(id) ? await findLogEntry(reads.of(organizationId), organizationId, id) : undefined;
        if (row === undefined) throw new ApiError('NOT_FOUND');
        return { data: logEntryView(row) };
      },
    );
  };
}

function logEntryView({ facts, key_id, user_id, caller_name: name, ...row }: LogRow) {
  const { fields, recipients, excerpt } = facts;
  return {
    ...row,
    at: new Date(uuidv7Ms(row.id)),
    caller: callerView(key_id, user_id, name),
    fields: [...fields],
    recipients: [...recipients],
    excerpt,
  };
}

function callerView(keyId: string | null, userId: string | null, name: string | null) {
  if (userId !== null) return { type: 'user' as const, id: userId, name };
  return keyId === null ? null : { type: 'api_key' as const, id: keyId, name };
}
