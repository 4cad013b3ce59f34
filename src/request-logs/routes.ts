/** `/request-logs`: refused requests. */
import { type Static, Type } from 'typebox';
import type { Reads } from '../database/reads.ts';
import { addressField, toAddress } from '../http/address-field.ts';
import type { ApiRoutes } from '../http/api-routes.ts';
import { dataOf, pageOf } from '../http/envelope.ts';
import { ApiError, ERROR_CODES } from '../http/errors.ts';
import { dateField, momentOfDate } from '../http/fields.ts';
import { pageFields, paginated } from '../http/pagination.ts';
import { anyObject, nullable, strictObject, stringEnum, timestamp } from '../http/schema.ts';
import { isUuid, uuidv7Ms } from '../runtime/ids.ts';
import { findLogEntry, type LogFilter, type LogRow, pageOfLog } from './store.ts';

const logEntrySchema = Type.Object(
  {
    id: Type.String(),
    at: timestamp(),
    method: Type.String({
      description: 'HTTP method, or `RCPT` or `DATA` for mail over SMTP.',
      examples: ['POST'],
    }),
    path: Type.String({
      description:
        'Path of the request without `/api/v1`, parameters, and parts that may be an address. `smtp` for mail that was submitted over SMTP.',
      examples: ['/emails/send'],
    }),
    status: Type.Integer({ description: 'HTTP status or SMTP code of the response.', examples: [400] }),
    code: nullable(
      Type.String({
        description:
          'Error code of the response. Null if the response repeats an earlier one with the same idempotency key.',
      }),
    ),
    message: nullable(Type.String()),
    fields: Type.Array(Type.Object({ field: Type.String(), message: Type.String() }), {
      description: 'The first 20 invalid fields.',
    }),
    recipients: Type.Array(Type.String(), { description: 'Recipients of the refused mail.' }),
    caller: nullable(
      Type.Object({
        type: stringEnum(['api_key', 'user']),
        id: Type.String(),
        name: nullable(Type.String({ description: 'Name of the API key, or email address of the user.' })),
      }),
    ),
    request_id: nullable(Type.String({ description: '`X-Request-Id` of the response.' })),
    duration_ms: Type.Integer({ description: 'Time until the response in milliseconds.' }),
    count: Type.Integer({
      description:
        'Number of requests that the entry stands for. Equal refusals within a second are one entry.',
    }),
    excerpt: nullable(
      anyObject({
        description:
          'Part of the request body: addresses, subject and ids. Content and data are never stored.',
      }),
    ),
  },
  { $id: 'RequestLogEntry' },
);

const logQuery = strictObject({
  ...pageFields,
  status: Type.Optional(
    Type.Integer({
      minimum: 100,
      maximum: 599,
      description: 'Only requests with this HTTP status or SMTP code of the response.',
    }),
  ),
  code: Type.Optional(
    stringEnum(ERROR_CODES, { description: 'Only requests with this error code of the response.' }),
  ),
  path: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Only requests whose path contains this text.',
    }),
  ),
  key_id: Type.Optional(
    Type.String({ maxLength: 64, description: 'Only requests with this API key, by its id.' }),
  ),
  recipient: Type.Optional(
    addressField({ maxLength: 320, description: 'Only refused mail to this address.' }),
  ),
  request_id: Type.Optional(
    Type.String({ maxLength: 64, description: 'Only requests with this `X-Request-Id`.' }),
  ),
  from_date: Type.Optional(
    dateField('Only requests at or after this time. A date means the beginning of that UTC day.'),
  ),
  to_date: Type.Optional(
    dateField('Only requests at or before this time. A date means the end of that UTC day.'),
  ),
});

/** Schemas of the request log. */
function toLogFilter(query: Static<typeof logQuery>): LogFilter {
  return {
    status: query.status ?? null,
    code: query.code ?? null,
    path: query.path ?? null,
    keyId: query.key_id ?? null,
    recipient: query.recipient === undefined ? null : toAddress(query.recipient).email.toLowerCase(),
    requestId: query.request_id ?? null,
    fromMs: query.from_date === undefined ? null : momentOfDate(query.from_date, 'firstMs'),
    toMs: query.to_date === undefined ? null : momentOfDate(query.to_date, 'lastMs'),
  };
}

const tags = ['Request log'];

export function requestLogRoutes(reads: Reads): ApiRoutes {
  return async (app) => {
    app.get(
      '/request-logs',
      {
        schema: {
          tags,
          summary: 'List refused requests, newest first',
          description:
            'Contains the newest 10,000 refused requests of the last 7 days. A request appears one or two seconds after its response.',
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
