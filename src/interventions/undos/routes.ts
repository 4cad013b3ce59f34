/** `/undos`: retries mail that bounced because of a provider's outage. */
import { Type } from 'typebox';
import { actorNameOf } from '../../accounts/actor-name.ts';
import type { ApiRoutes } from '../../http/api-routes.ts';
import { dataOf, pageOf } from '../../http/envelope.ts';
import { pageQuery, paginated } from '../../http/pagination.ts';
import { incidentBody, incidentReport, toIncident, undoBody, undoItem } from './schema.ts';
import { previewUndo, readUndo, startUndo, type UndoDeps, undosOf } from './service.ts';
import { incidentView, undoView } from './view.ts';

const tags = ['Undos'];
const params = Type.Object({ id: Type.String() });
type App = Parameters<ApiRoutes>[0];

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
        summary: 'List what was taken back, newest first',
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
      schema: { tags, summary: 'Read how far an undo has come', params, response: { 200: dataOf(undoItem) } },
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
        summary: 'See what bounced in a window of time, and what an undo would do',
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
        summary: 'Take an incident back: lift its suppressions, queue its bounced mail again',
        description:
          'In the background. Suppressions that these bounces made by themselves are lifted; complaints, unsubscriptions and what people entered stay. Each bounced recipient whose content is kept is queued again, with a `queued` event of reason `bounce_undone`, and so is mail that was rejected since because of those suppressions (`suppression_undone`). Doing it again changes nothing more.',
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
