/** `/stats/deliverability` and `/stats/workers`: outcomes of deliveries, and the workers that make them. */
import { Type } from 'typebox';
import { DIMENSIONS } from '../counters/delivery-counts.ts';
import type { Reads } from '../database/reads.ts';
import { isAllowed } from '../http/access.ts';
import type { ApiRoutes } from '../http/api-routes.ts';
import { dataOf } from '../http/envelope.ts';
import { nullable, strictObject, stringEnum, timestamp } from '../http/schema.ts';
import { type WorkerStatus, workerStatus } from '../outbox/status.ts';
import type { Clock } from '../runtime/clock.ts';
import { deliverabilityOf } from './deliverability.ts';
import { RANGES } from './overview.ts';
import { rangeQuery, rate } from './schema.ts';

/** Schemas of deliverability. */
const deliverabilityQuery = strictObject({
  ...rangeQuery.properties,
  by: stringEnum(DIMENSIONS, {
    default: 'provider',
    description:
      "`provider`: the recipient's, or its mail hosts where it has no name. `domain`: the sender's. `stream`: as the email names it, or `transactional`. `reason`: of what was put off, bounced or failed.",
  }),
});

const counts = {
  sent: Type.Integer({ description: 'Recipients that were tried for the first time.' }),
  delivered: Type.Integer({ description: 'Accepted by the receiving server.' }),
  deferred: Type.Integer({ description: 'Attempts that were put off.' }),
  bounced: Type.Integer({ description: 'Permanently refused, at once or later.' }),
  failed: Type.Integer({ description: 'Given up, because the lifetime ended or no server could be tried.' }),
  complained: Type.Integer({ description: 'Reported as spam, as far as feedback loops report it.' }),
};

const seconds = (what: string) =>
  nullable(
    Type.Number({
      description: `From being accepted, or from the time it was scheduled for, to delivered: ${what}. From counts in classes, so it is close and not exact.`,
    }),
  );

const figures = {
  ...counts,
  rates: Type.Object({
    delivered: rate('Share of what was decided, from 0 to 1.'),
    bounced: rate('Share of what was decided.'),
    deferred: rate('Share of all attempts.'),
    complained: rate('Share of what was delivered. Providers object from 0.001 on.'),
  }),
  p50_seconds: seconds('the median'),
  p95_seconds: seconds('the 95th percentile'),
};

const trend = Type.Array(Type.Integer());

const deliverabilitySchema = Type.Object(
  {
    by: stringEnum(DIMENSIONS),
    range: stringEnum(RANGES),
    interval: stringEnum(['hour', 'day']),
    from: timestamp(),
    to: timestamp(),
    totals: Type.Object(figures, { description: 'Of all deliveries.' }),
    series: Type.Array(
      Type.Object({ at: timestamp({ description: 'The beginning of the period.' }), ...counts }),
    ),
    groups: Type.Array(
      Type.Object({
        name: Type.String({ description: 'Empty for names that are not counted separately.' }),
        label: nullable(Type.String({ description: 'The name of the template.' })),
        ...figures,
        trend: Type.Object(
          { sent: trend, delivered: trend, deferred: trend, bounced: trend },
          { description: 'One number for each point of `series`.' },
        ),
      }),
      { description: 'The most first.' },
    ),
  },
  { $id: 'Deliverability' },
);

const workerSchema = Type.Object(
  {
    id: Type.Integer(),
    host: nullable(Type.String({ description: 'For operators.' })),
    pid: nullable(Type.Integer({ description: 'For operators.' })),
    started_at: timestamp(),
    heartbeat_at: timestamp(),
    heartbeat_age_seconds: Type.Number(),
    alive: Type.Boolean({ description: 'Its last heartbeat is less than 15 seconds old.' }),
  },
  { $id: 'Worker' },
);

const tags = ['Statistics'];

interface DeliverabilityDeps {
  readonly reads: Reads;
  readonly clock: Clock;
}

export function deliverabilityRoutes({ reads, clock }: DeliverabilityDeps): ApiRoutes {
  return async (app) => {
    const deliverability = {
      tags,
      summary: 'Get delivery results by provider, domain, template, tag or reason',
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
