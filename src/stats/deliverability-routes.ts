/** `/stats/deliverability` and `/stats/workers`: outcomes of deliveries, and the workers that make them. */
import { Type } from 'typebox';
import type { Reads } from '../database/reads.ts';
import { isAllowed } from '../http/access.ts';
import type { ApiRoutes } from '../http/api-routes.ts';
import { dataOf } from '../http/envelope.ts';
import { type WorkerStatus, workerStatus } from '../outbox/status.ts';
import type { Clock } from '../runtime/clock.ts';
import { deliverabilityOf } from './deliverability.ts';
import { deliverabilityQuery, deliverabilitySchema, workerSchema } from './deliverability-schema.ts';

const tags = ['Statistics'];

export interface DeliverabilityDeps {
  readonly reads: Reads;
  readonly clock: Clock;
}

export function deliverabilityRoutes({ reads, clock }: DeliverabilityDeps): ApiRoutes {
  return async (app) => {
    const deliverability = {
      tags,
      summary: 'Get how deliveries fare, by provider, domain, template, tag or reason',
      description:
        'Counts are of recipients, at the time at which it happened: what was put off twice counts twice as deferred, and mail that bounced after it was accepted counts as delivered and as bounced. Of an organization, 50 names are counted apart in an hour, and shown; the rest is summed up under an empty name.',
      querystring: deliverabilityQuery,
      response: { 200: dataOf(deliverabilitySchema) },
    };
    app.get('/stats/deliverability', { schema: deliverability }, async ({ principal, query }) => {
      const { organizationId } = principal;
      const db = reads.lately(organizationId);
      return { data: await deliverabilityOf(db, organizationId, query, clock.nowMs()) };
    });

    const workers = {
      tags,
      summary: 'List the workers that deliver mail, with their last heartbeat',
      description:
        'They are the installation’s, and deliver everybody’s mail. Only its operators see on which hosts they run.',
      response: { 200: dataOf(Type.Array(workerSchema)) },
    };
    app.get('/stats/workers', { schema: workers }, async ({ principal }) => {
      const isOperator = isAllowed(principal, { access: 'operator' }, 'POST');
      const cells = isOperator
        ? reads.ofAllCells(principal.organizationId)
        : [reads.of(principal.organizationId)];
      const found = (await Promise.all(cells.map(workerStatus))).flat();
      return { data: found.map((one) => workerView(one, isOperator, clock.nowMs())) };
    });
  };
}

function workerView(
  { epoch, host, pid, startedAt, heartbeatAgeSeconds, alive }: WorkerStatus,
  isOperator: boolean,
  nowMs: number,
) {
  return {
    id: epoch,
    host: isOperator ? host : null,
    pid: isOperator ? pid : null,
    started_at: startedAt,
    heartbeat_at: new Date(nowMs - heartbeatAgeSeconds * 1_000),
    heartbeat_age_seconds: Math.max(0, heartbeatAgeSeconds),
    alive,
  };
}
