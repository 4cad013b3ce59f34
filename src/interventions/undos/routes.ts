/** `/undos`: retries mail that bounced because of a provider's outage. */
import { type Static, Type } from 'typebox';
import { actorNameOf } from '../../accounts/actor-name.ts';
import type { ApiRoutes, App } from '../../http/api-routes.ts';
import { dataOf, pageOf } from '../../http/envelope.ts';
import { momentField, momentMs } from '../../http/fields.ts';
import { pageQuery, paginated } from '../../http/pagination.ts';
import { nullable, strictObject, stringEnum, timestamp } from '../../http/schema.ts';
import type { WhatHappened } from './bounces.ts';
import { previewUndo, readUndo, startUndo, type UndoDeps, undosOf } from './service.ts';
import type { UndoRow } from './store.ts';
import { type Incident, LEFT_ALONE } from './undo.ts';

const incident = {
  from: momentField({
    description: 'Start of the period: only bounces at or after this time.',
    examples: ['2026-11-16T09:00:00Z'],
  }),
  to: momentField({
    description:
      'End of the period: only bounces before this time. At most 7 days after `from`. Future bounces are not included.',
    examples: ['2026-11-16T10:00:00Z'],
  }),
  template_id: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'Only bounces of mail with this template, by its id or alias.',
    }),
  ),
  tag: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 330,
      description: 'Only bounces of mail with this tag: `name` or `name:value`.',
    }),
  ),
  provider: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Only bounces of recipients at this provider or site, named as in `GET /sites`.',
    }),
  ),
  reply: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 500,
      description: 'Only bounces whose SMTP reply contains this text. Case is ignored.',
      examples: ['5.1.1'],
    }),
  ),
};

const incidentBody = strictObject(incident);

const undoBody = strictObject({
  ...incident,
  reason: Type.String({
    minLength: 1,
    maxLength: 500,
    pattern: '\\S',
    description: 'Why the incident is undone. The reason is stored with the undo.',
    examples: ['The provider refused everything for an hour.'],
  }),
});

type IncidentBody = Static<typeof incidentBody>;

/** The request and response schemas of undos. */
function toIncident(organizationId: string, body: IncidentBody): Incident {
  return {
    organizationId,
    from: new Date(momentMs(body.from)),
    to: new Date(momentMs(body.to)),
    templateId: body.template_id ?? null,
    tag: body.tag ?? null,
    provider: body.provider ?? null,
    reply: body.reply ?? null,
  };
}

const incidentReport = Type.Object(
  {
    bounces: Type.Integer({ description: 'Number of bounces in the period that match the filters.' }),
    rejections: Type.Integer({
      description: 'Number of recipients that were rejected later because these bounces had suppressed them.',
    }),
    requeue: Type.Integer({
      description: 'Number of bounced and rejected recipients that would be queued again.',
    }),
    unsuppress: Type.Integer({ description: 'Number of automatic suppressions that would be removed.' }),
    reasons: Type.Array(
      Type.Object({
        reason: nullable(Type.String()),
        smtp_code: nullable(Type.Integer()),
        count: Type.Integer(),
      }),
    ),
    samples: Type.Array(
      Type.Object({
        email_id: Type.String(),
        recipient: Type.String(),
        at: timestamp(),
        reason: nullable(Type.String()),
        smtp_code: nullable(Type.Integer()),
        smtp_message: nullable(Type.String()),
        mx_host: nullable(Type.String()),
      }),
      { description: 'The newest ten bounces.' },
    ),
  },
  { $id: 'IncidentReport' },
);

const UNDO_STATES = ['running', 'done'] as const;

const undoItem = Type.Object(
  {
    id: Type.String({ examples: ['undo_0c3f9a51be2d47a6c9e1'] }),
    state: stringEnum(UNDO_STATES),
    from: timestamp(),
    to: timestamp(),
    template_id: nullable(Type.String()),
    tag: nullable(Type.String()),
    provider: nullable(Type.String()),
    reply: nullable(Type.String()),
    reason: Type.String(),
    requested_by: Type.String({
      description:
        'Who requested the undo: the email address of a user, the name of an API key, or `operator` with the user name on the server.',
    }),
    requested_at: timestamp(),
    requeued: Type.Integer({ description: 'Number of recipients that have been queued again so far.' }),
    unsuppressed: Type.Integer({
      description: 'Number of automatic suppressions that have been removed so far.',
    }),
    left_alone: Type.Object(
      Object.fromEntries(LEFT_ALONE.map((why) => [why, Type.Integer()])) as Record<
        (typeof LEFT_ALONE)[number],
        ReturnType<typeof Type.Integer>
      >,
      {
        description:
          'Number of recipients that the undo does not change, by cause. `not_bounced`: the bounce is no longer the recipient’s last result. `content_gone`: the content of the email is no longer stored. `suppressed`: the address is on the suppression list for another reason. `other_mode`: the email was accepted in the other mode, sandbox or live.',
      },
    ),
    ended_at: nullable(timestamp()),
  },
  { $id: 'Undo' },
);

const tags = ['Undos'];
const params = Type.Object({ id: Type.String() });
export function undoRoutes(deps: UndoDeps): ApiRoutes {
  return async (app) => {
    routeReading(app, deps);
    routeActing(app, deps);
  };
}

function routeReading(app: App, deps: UndoDeps): void {
  app.get(
    '/undos',
    {
      schema: {
        tags,
        summary: 'List undos, newest first',
        querystring: pageQuery,
        response: { 200: pageOf(undoItem) },
      },
    },
    async ({ principal, query }) => {
      const { rows, total } = await undosOf(deps, principal.organizationId, query);
      return paginated(rows.map(undoView), { ...query, total });
    },
  );
  app.get(
    '/undos/:id',
    {
      config: { errors: ['NOT_FOUND'] },
      schema: { tags, summary: 'Get the progress of an undo', params, response: { 200: dataOf(undoItem) } },
    },
    async ({ principal, params: { id } }) => ({
      data: undoView(await readUndo(deps, principal.organizationId, id)),
    }),
  );
}

function routeActing(app: App, deps: UndoDeps): void {
  app.post(
    '/undos/preview',
    {
      config: { reads: true },
      schema: {
        tags,
        summary: 'Preview an undo',
        description:
          'Returns the bounces in the period, and the recipients and suppressions that the undo would change.',
        body: incidentBody,
        response: { 200: dataOf(incidentReport) },
      },
    },
    async ({ principal, body }) => ({
      data: incidentView(await previewUndo(deps, toIncident(principal.organizationId, body))),
    }),
  );
  app.post(
    '/undos',
    {
      config: {
        audit: {
          action: 'incident.undone',
          show: ['from', 'to', 'template_id', 'tag', 'provider', 'reply', 'reason'],
        },
      },
      schema: {
        tags,
        summary: 'Undo an incident',
        description:
          'Runs in the background. Suppressions that these bounces caused automatically are removed. Complaints, unsubscriptions and manual entries stay. Each bounced recipient whose content is still stored is queued again, with a `queued` event of reason `bounce_undone`. Mail that was rejected later because of those suppressions is queued again too (`suppression_undone`). Repeating the request has no further effect.',
        body: undoBody,
        response: { 202: dataOf(undoItem) },
      },
    },
    async ({ principal, body: { reason, ...incident } }, reply) => {
      const by = await actorNameOf(deps.db, principal.session?.userId ?? principal.keyId ?? '');
      const undo = await startUndo(deps, toIncident(principal.organizationId, incident), { reason, by });
      return reply.code(202).send({ data: undoView(undo) });
    },
  );
}

/** The public form of an incident and an undo. */
export function undoView(row: UndoRow) {
  const { organization_id: _o, stage: _s, at_event: _e, from_at, to_at, left_alone, ...rest } = row;
  const nothing = Object.fromEntries(LEFT_ALONE.map((why) => [why, 0])) as Record<
    (typeof LEFT_ALONE)[number],
    0
  >;
  return {
    ...rest,
    state: row.ended_at === null ? ('running' as const) : ('done' as const),
    from: from_at,
    to: to_at,
    left_alone: { ...nothing, ...left_alone },
  };
}

export function incidentView({ samples, reasons, ...effect }: WhatHappened) {
  return {
    ...effect,
    reasons: [...reasons],
    samples: samples.map(({ id: _id, position: _position, created_at, ...sample }) => ({
      ...sample,
      at: created_at,
    })),
  };
}
