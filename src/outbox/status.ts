/** The state of the queue, for operators. Reads only. */
import { type Sql, sql } from '../database/sql.ts';
import type { Mode } from '../runtime/config.ts';
import { LEASE_MS } from './lease.ts';

export interface QueueStatus {
  /** Not yet due: scheduled, or waiting for the next try. */
  readonly waiting: number;
  readonly due: number;
  readonly claimed: number;
  readonly oldestDueSeconds: number | null;
}

export interface WorkerStatus {
  readonly epoch: number;
  readonly host: string;
  readonly pid: number;
  readonly startedAt: Date;
  readonly heartbeatAgeSeconds: number;
  readonly alive: boolean;
}

const selectQueue = sql<QueueStatus>(
  'outbox.status',
  `SELECT count(*) FILTER (WHERE worker IS NULL AND due_at > now()) AS waiting,
          count(*) FILTER (WHERE worker IS NULL AND due_at <= now()) AS due,
          count(*) FILTER (WHERE worker IS NOT NULL) AS claimed,
          round(extract(epoch FROM now() - min(due_at) FILTER (WHERE worker IS NULL AND due_at <= now())), 1)
            ::float8 AS "oldestDueSeconds"
   FROM outbox`,
  { home: 'cell' },
);

const selectWorkers = sql<WorkerStatus>(
  'workers.status',
  `SELECT epoch, host, pid, started_at AS "startedAt",
          round(extract(epoch FROM now() - heartbeat_at), 1)::float8 AS "heartbeatAgeSeconds",
          heartbeat_at > now() - $1 * interval '1 millisecond' AS alive
   FROM workers ORDER BY epoch`,
  { home: 'cell' },
);

export interface DomainQueue extends QueueStatus {
  readonly domain: string;
}

/** Reads the whole queue: for operators, and for metrics that may be some seconds old. */
const selectDomains = sql<DomainQueue>(
  'outbox.status_by_domain',
  `SELECT domain,
          count(*) FILTER (WHERE worker IS NULL AND due_at > now()) AS waiting,
          count(*) FILTER (WHERE worker IS NULL AND due_at <= now()) AS due,
          count(*) FILTER (WHERE worker IS NOT NULL) AS claimed,
          round(extract(epoch FROM now() - min(due_at) FILTER (WHERE worker IS NULL AND due_at <= now())), 1)
            ::float8 AS "oldestDueSeconds"
   FROM outbox GROUP BY domain`,
  { home: 'cell' },
);

/**
 * The due mail of one organization, counted up to a limit, so that the cost of a long queue is bounded. By priority, because
 * the index of waiting mail has that order.
 */
const selectDue = sql<{ due: number; oldest: Date | null }>(
  'outbox.due_of_organization',
  `SELECT count(*) AS due, min(d.due_at) AS oldest
   FROM generate_series(0, 2) AS p(priority)
   CROSS JOIN LATERAL (
     SELECT o.due_at FROM outbox o
     WHERE o.organization_id = $1 AND o.priority = p.priority AND o.worker IS NULL AND o.due_at <= $2
     ORDER BY o.due_at LIMIT $3
   ) AS d`,
  { home: 'cell', organization: '$1' },
);

export const MAX_DUE_COUNTED = 10_000;

export interface DueMail {
  /** At most MAX_DUE_COUNTED, which then means that number or more. */
  readonly due: number;
  readonly oldestDueAt: Date | null;
}

export async function dueOf(db: Sql, organizationId: string, nowMs: number): Promise<DueMail> {
  const row = await db.one(selectDue, [organizationId, new Date(nowMs), MAX_DUE_COUNTED]);
  return { due: Math.min(row.due, MAX_DUE_COUNTED), oldestDueAt: row.oldest };
}

/** Bounded like the query above: beyond that limit, further rows do not change the answer. */
const selectDomainsOf = sql<DomainQueue>(
  'outbox.status_of_organization',
  `SELECT domain,
          count(*) FILTER (WHERE due_at > now()) AS waiting,
          count(*) FILTER (WHERE due_at <= now()) AS due,
          0 AS claimed,
          round(extract(epoch FROM now() - min(due_at) FILTER (WHERE due_at <= now())), 1)
            ::float8 AS "oldestDueSeconds"
   FROM (
     SELECT domain, due_at FROM outbox WHERE organization_id = $1 AND worker IS NULL ORDER BY due_at LIMIT $2
   ) AS own
   GROUP BY domain`,
  { home: 'cell', organization: '$1' },
);

/** Waiting mail by the recipients' domain, among the first MAX_DUE_COUNTED by due time. */
export function queueOfOrganization(db: Sql, organizationId: string): Promise<DomainQueue[]> {
  return db.many(selectDomainsOf, [organizationId, MAX_DUE_COUNTED]);
}

const selectDueBefore = sql<{ count: number }>(
  'outbox.count_due_before',
  `SELECT count(*) FROM (
     SELECT FROM outbox
     WHERE domain = ANY($2::text[]) AND organization_id = $1 AND worker IS NULL AND due_at < $3 LIMIT $4
   ) AS earlier`,
  { home: 'cell', organization: '$1' },
);

/** Deliveries of an organization to these domains that are due before a time. At most MAX_DUE_COUNTED. */
export async function countDueBefore(
  db: Sql,
  organizationId: string,
  domains: readonly string[],
  before: Date,
): Promise<number> {
  return (await db.one(selectDueBefore, [organizationId, domains, before, MAX_DUE_COUNTED])).count;
}

const countOfMode = sql<{ count: number }>(
  'outbox.count_of_mode',
  'SELECT count(*) FROM outbox WHERE mode = $1',
  { home: 'cell' },
);

/** Deliveries of a mode that wait or are claimed. Reads the whole queue: only for the start. */
export async function queuedInMode(db: Sql, mode: Mode): Promise<number> {
  return (await db.one(countOfMode, [mode])).count;
}

const selectWaiting = sql<{ organization_id: string }>(
  'outbox.organizations',
  'SELECT DISTINCT organization_id FROM outbox ORDER BY 1',
  { home: 'cell' },
);

/** Organizations with mail in the queue. Reads the whole queue: only for a restore. */
export async function organizationsWaiting(db: Sql): Promise<string[]> {
  return (await db.many(selectWaiting)).map((row) => row.organization_id);
}

export function queueByDomain(db: Sql): Promise<DomainQueue[]> {
  return db.many(selectDomains);
}

export function queueStatus(db: Sql): Promise<QueueStatus> {
  return db.one(selectQueue);
}

const selectBusy = sql<{ busy: boolean }>(
  'outbox.is_claimed',
  'SELECT EXISTS (SELECT FROM outbox WHERE worker IS NOT NULL) AS busy',
  { home: 'cell' },
);

/** Whether any worker has claimed mail. */
export async function isAnyClaimed(db: Sql): Promise<boolean> {
  return (await db.one(selectBusy)).busy;
}

/** Due mail may wait, or belong to a worker that died. */
const selectUndelivered = sql<Undelivered>(
  'outbox.undelivered',
  `SELECT (SELECT count(*) FROM workers WHERE heartbeat_at > now() - $1 * interval '1 millisecond') AS workers,
          coalesce(extract(epoch FROM now() - least(
            (SELECT min(due_at) FROM outbox WHERE worker IS NULL AND due_at <= now()),
            (SELECT min(due_at) FROM outbox WHERE worker IS NOT NULL))), 0)::float8 AS "dueSeconds"`,
  { home: 'cell' },
);

export interface Undelivered {
  readonly workers: number;
  /** How long the oldest mail has been due; 0 if none is due. */
  readonly dueSeconds: number;
}

export function undelivered(db: Sql): Promise<Undelivered> {
  return db.one(selectUndelivered, [LEASE_MS]);
}

export function workerStatus(db: Sql): Promise<WorkerStatus[]> {
  return db.many(selectWorkers, [LEASE_MS]);
}
