/** `/stats`: statistics and attention items. */

import type { Reads } from '../database/reads.ts';
import type { ApiRoutes } from '../http/api-routes.ts';
import { dataOf } from '../http/envelope.ts';
import { type AttentionDeps, attentionItems } from './gather-attention.ts';
import { overviewOf } from './overview.ts';
import { attentionSchema, overviewQuery, overviewSchema } from './schema.ts';

const tags = ['Statistics'];

interface StatsDeps extends AttentionDeps {
  readonly reads: Reads;
}

export function statsRoutes(deps: StatsDeps): ApiRoutes {
  return async (app) => {
    const overview = {
      tags,
      summary: 'Get statistics of your mail over time',
      description:
        'Emails are counted at the time at which they were accepted. The series has no gaps, and its last point is incomplete.',
      querystring: overviewQuery,
      response: { 200: dataOf(overviewSchema) },
    };
    app.get(
      '/stats',
      { config: { scope: 'agent', ofAllMail: true }, schema: overview },
      async ({ principal, query }) => ({
        data: await overviewOf(
          deps.reads.lately(principal.organizationId),
          principal.organizationId,
          query,
          deps.clock.nowMs(),
        ),
      }),
    );

    const attention = {
      tags,
      summary: 'Get current warnings and the state of the queue',
      response: { 200: dataOf(attentionSchema) },
    };
    app.get('/stats/attention', { schema: attention }, async ({ principal: { organizationId } }) => ({
      data: await attentionItems(deps, deps.reads.lately(organizationId), organizationId),
    }));
  };
}
