/** `/audit-log`, for owners. */
import { Type } from 'typebox';
import type { Reads } from '../../database/reads.ts';
import type { ApiRoutes } from '../../http/api-routes.ts';
import { cursorFields, cursorPage, cursorPageOf } from '../../http/pagination.ts';
import { anyObject, nullable, strictObject, stringEnum, timestamp } from '../../http/schema.ts';
import { ACTOR_TYPES } from '../../runtime/audit-entry.ts';
import { isUuid } from '../../runtime/ids.ts';
import { Problems } from '../../runtime/problems.ts';
import { type AuditRow, pageOfAudit } from './store.ts';

const entrySchema = Type.Object(
  {
    id: Type.String(),
    at: timestamp(),
    action: Type.String({
      description: 'Name of the action, such as `api_key.created`.',
      examples: ['api_key.created'],
    }),
    actor: Type.Object({
      type: stringEnum(ACTOR_TYPES),
      id: Type.String(),
      name: Type.String({
        description:
          'Name of the actor at that time: the email address of a user, the name of an API key, or the user name of an operator on the server.',
      }),
    }),
    target: Type.Object({
      id: nullable(Type.String()),
      name: nullable(Type.String()),
    }),
    details: anyObject({
      description: 'Details of the request that matter for the action. Its fields depend on the action.',
    }),
    address: Type.String({
      description:
        'IP address that the request came from. For an operator’s command, the host name of the machine.',
    }),
  },
  { $id: 'AuditEntry' },
);

const query = strictObject({
  ...cursorFields,
  action: Type.Optional(
    Type.String({
      maxLength: 100,
      description:
        'Only entries with this action, such as `api_key.created`, or with all actions of a kind, such as `api_key`.',
    }),
  ),
  actor_id: Type.Optional(
    Type.String({ maxLength: 100, description: 'Only actions of this user or API key, by its id.' }),
  ),
});

export function auditLogRoutes(reads: Reads): ApiRoutes {
  return async (app) => {
    app.get(
      '/audit-log',
      {
        config: { access: 'owner' },
        schema: {
          tags: ['Audit log'],
          summary: 'List audit log entries, newest first',
          querystring: query,
          response: { 200: cursorPageOf(entrySchema) },
        },
      },
      async ({ principal, query: { limit, cursor, action, actor_id } }) => {
        if (cursor !== undefined && !isUuid(cursor)) {
          throw new Problems()
            .add('cursor', 'is not a cursor of this list: use a next_cursor that this list returned')
            .toError();
        }
        const filter = { before: cursor ?? null, action: action ?? null, actorId: actor_id ?? null };
        const rows = await pageOfAudit(
          reads.lately(principal.organizationId),
          principal.organizationId,
          filter,
          limit + 1,
        );
        return cursorPage(rows, limit, { view, cursor: (row) => row.id });
      },
    );
  };
}

function view(row: AuditRow) {
  return {
    id: row.id,
    at: row.at,
    action: row.action,
    actor: { type: row.actor_type, id: row.actor_id, name: row.actor_name },
    target: { id: row.target_id, name: row.target_name },
    details: { ...row.details },
    address: row.address,
  };
}
