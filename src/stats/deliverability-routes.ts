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
      'How to group the results. `provider`: provider of the recipient, or its mail hosts if the provider has no name. `domain`: domain of the sender. `template`: template of the email. `stream`: stream of the email. `tag`: tag of the email. `reason`: reason code of deferred, bounced or failed deliveries.',
  }),
});

const counts = {
  sent: Type.Integer({ description: 'Number of recipients with a first attempt.' }),
  delivered: Type.Integer({ description: 'Number of recipients whose server accepted the mail.' }),
  deferred: Type.Integer({ description: 'Number of attempts that were deferred.' }),
  bounced: Type.Integer({ description: 'Number of recipients that bounced, at once or later.' }),
  failed: Type.Integer({
    description: 'Number of recipients that failed because the lifetime ended or no server could be tried.',
  }),
  complained: Type.Integer({
    description: 'Number of recipients who reported the mail as spam, as far as feedback loops report it.',
  }),
};

const seconds = (what: string) =>
  nullable(
    Type.Number({
      description: `Time in seconds from acceptance, or from the scheduled time, to delivery: ${what}. It is computed from ranges, so it is approximate. Null if nothing was delivered.`,
    }),
  );

const figures = {
  ...counts,
  rates: Type.Object({
    delivered: rate(
      'Share of the finished deliveries (delivered, bounced or failed), from 0 to 1. Null if there are none.',
    ),
    bounced: rate('Share of the finished deliveries, from 0 to 1. Null if there are none.'),
    deferred: rate('Share of all attempts, from 0 to 1. Null if there are none.'),
    complained: rate(
      'Share of the delivered mail, from 0 to 1. Providers object from 0.001 on. Null if nothing was delivered.',
    ),
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
    totals: Type.Object(figures, { description: 'Results of all deliveries in the period.' }),
    series: Type.Array(
      Type.Object({ at: timestamp({ description: 'Start of the hour or day.' }), ...counts }),
    ),
    groups: Type.Array(
      Type.Object({
        name: Type.String({
          description: 'Name of the group. Empty for names that are not counted separately.',
        }),
        label: nullable(
          Type.String({ description: 'Name of the template, for `by=template`. Null otherwise.' }),
        ),
        ...figures,
        trend: Type.Object(
          { sent: trend, delivered: trend, deferred: trend, bounced: trend },
          { description: 'Counts over time, one number for each point of `series`.' },
        ),
      }),
      { description: 'Results by name, the most mail first.' },
    ),
  },
  { $id: 'Deliverability' },
);

const workerSchema = Type.Object(
  {
    id: Type.Integer(),
    host: nullable(Type.String({ description: 'Host name of the machine. Only operators see it.' })),
    pid: nullable(Type.Integer({ description: 'Process id of the worker. Only operators see it.' })),
    started_at: timestamp(),
    heartbeat_at: timestamp(),
    heartbeat_age_seconds: Type.Number({ description: 'Number of seconds since the last heartbeat.' }),
    alive: Type.Boolean({ description: 'Whether the last heartbeat is less than 15 seconds old.' }),
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
      summary: 'Get delivery results by provider, domain, template, stream, tag or reason',
      description:
        'Results count recipients at the time of the event. Mail that was deferred twice counts twice as deferred. Mail that bounced after it was accepted counts as delivered and as bounced. In each hour 50 names of an organization are counted separately; the others are summed up under an empty name.',
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
      description: 'The workers deliver the mail of all organizations. Only operators see their hosts.',
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
