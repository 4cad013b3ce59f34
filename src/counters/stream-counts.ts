/**
 * Statuses of an organization's emails by stream and hour of acceptance, like `hourly_counts`. The one writer of
 * `stream_counts` and `stream_reactions`. The stream `transactional` has no rows: its counts are the total minus the
 * other streams.
 */

import { call, inOrder } from '../database/call.ts';
import { type Sql, sql, unprepared } from '../database/sql.ts';
import { STREAM, TRANSACTIONAL } from '../emails/stream.ts';
import { DAY_MS } from '../runtime/durations.ts';
import { type CountMove, hourColumns, KEPT_DAYS, type PeriodCounts } from './hourly-counts.ts';

/** The parameters of `move_stream_counts`; the later ones are omitted when only `accepted` changes. */
export const STREAMS_ACCEPTED = [
  'stream_organizations',
  'streams',
  'stream_hours',
  'stream_accepted',
] as const;
const MOVED = [
  ...STREAMS_ACCEPTED,
  ...(['stream_delivered', 'stream_bounced', 'stream_failed', 'stream_opened'] as const),
] as const;

const move = sql('stream_counts.move', call('SELECT move_stream_counts', MOVED), {
  home: 'cell',
  organization: '$1',
});

/** Counts recipients of these emails. */
const addOf = (column: 'complaints' | 'clicked') =>
  `INSERT INTO stream_reactions AS c (organization_id, stream, hour, ${column})
   SELECT e.organization_id, ${STREAM}, date_trunc('hour', e.created_at AT TIME ZONE 'UTC') AT TIME ZONE 'UTC', count(*)
   FROM unnest($1::text[], $2::uuid[]) AS told(organization_id, id)
   JOIN emails e ON e.organization_id = told.organization_id AND e.id = told.id
   WHERE ${STREAM} IS NOT NULL AND e.id BETWEEN $3 AND $4
   GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
   ON CONFLICT (organization_id, stream, hour) DO UPDATE SET ${column} = c.${column} + excluded.${column}`;

/** Registered, so that they are checked against the schema. Not prepared, like all queries for weeks of mail by id. */
const ADD = {
  complaints: unprepared(
    sql('stream_reactions.add_complaints', addOf('complaints'), { home: 'cell', organization: '$1' }),
  ),
  clicked: unprepared(
    sql('stream_reactions.add_clicked', addOf('clicked'), { home: 'cell', organization: '$1' }),
  ),
};

/** `$5` is null for the sum of all streams. */
const series = sql<PeriodCounts>(
  'stream_counts.series',
  `SELECT at, sum(accepted)::int AS accepted, sum(delivered)::int AS delivered, sum(bounced)::int AS bounced,
          sum(failed)::int AS failed, sum(opened)::int AS opened, sum(complaints)::int AS complaints,
          sum(clicked)::int AS clicked
   FROM (SELECT date_trunc($4::text, hour, 'UTC') AS at, accepted, delivered, bounced, failed, opened, 0 AS complaints,
                0 AS clicked
         FROM stream_counts
         WHERE organization_id = $1 AND hour >= $2 AND hour <= $3 AND ($5::text IS NULL OR stream = $5)
         UNION ALL
         SELECT date_trunc($4::text, hour, 'UTC'), 0, 0, 0, 0, 0, complaints, clicked
         FROM stream_reactions
         WHERE organization_id = $1 AND hour >= $2 AND hour <= $3 AND ($5::text IS NULL OR stream = $5)) AS hours
   GROUP BY at ORDER BY at`,
  { home: 'cell', organization: '$1' },
);

/** Keeps the counts: those of the removed names are added to a row without a name. */
const foldOf = (table: string, columns: readonly string[]) =>
  `WITH gone AS (DELETE FROM ${table} WHERE organization_id = $1 AND stream = ANY ($2::text[]) RETURNING *)
   INSERT INTO ${table} AS c (organization_id, stream, hour, ${columns.join(', ')})
   SELECT $1, '', hour, ${columns.map((one) => `sum(${one})`).join(', ')} FROM gone GROUP BY hour ORDER BY hour
   ON CONFLICT (organization_id, stream, hour) DO UPDATE SET
     ${columns.map((one) => `${one} = c.${one} + excluded.${one}`).join(', ')}`;

const fold = sql(
  'stream_counts.fold',
  foldOf('stream_counts', ['accepted', 'delivered', 'bounced', 'failed', 'opened']),
  { home: 'cell', organization: '$1' },
);
const foldReactions = sql('stream_reactions.fold', foldOf('stream_reactions', ['complaints', 'clicked']), {
  home: 'cell',
  organization: '$1',
});

const removeOld = sql('stream_counts.remove_old', 'DELETE FROM stream_counts WHERE hour < $1', {
  home: 'cell',
});
const removeOldReactions = sql(
  'stream_reactions.remove_old',
  'DELETE FROM stream_reactions WHERE hour < $1',
  { home: 'cell' },
);

/** Skips emails without a stream of their own. */
export async function moveStreamCounts(tx: Sql, moves: readonly CountMove[]): Promise<void> {
  const columns = streamColumns(moves);
  if (columns !== null) await tx.exec(move, inOrder(MOVED, columns));
}

/** The arguments of `move_stream_counts`; null if no email has a stream of its own, or nothing changes. */
export function streamColumns(moves: readonly CountMove[]) {
  const streams = new Set(moves.flatMap(({ stream }) => stream ?? []));
  if (streams.size === 0) return null;
  const all = [...streams].map((name) => {
    const columns = hourColumns(moves.filter(({ stream }) => stream === name));
    return { ...columns, streams: columns.hours.map(() => name) };
  });
  const column = (read: (one: (typeof all)[number]) => readonly unknown[]) => all.flatMap(read);
  if (column(({ hours }) => hours).length === 0) return null;
  return {
    stream_organizations: column((one) => one.hour_organizations),
    streams: column((one) => one.streams),
    stream_hours: column((one) => one.hours),
    stream_accepted: column((one) => one.hour_accepted),
    stream_delivered: column((one) => one.hour_delivered),
    stream_bounced: column((one) => one.hour_bounced),
    stream_failed: column((one) => one.hour_failed),
    stream_opened: column((one) => one.hour_opened),
  };
}

/** One entry for each email that got its first complaint, or for each recipient that followed its first link. */
export async function countInStreams(
  tx: Sql,
  column: 'complaints' | 'clicked',
  told: readonly { readonly organizationId: string; readonly emailId: string }[],
): Promise<void> {
  if (told.length === 0) return;
  const ids = told.map(({ emailId }) => emailId);
  const sorted = ids.toSorted();
  await tx.exec(ADD[column], [
    told.map(({ organizationId }) => organizationId),
    ids,
    ...[sorted[0], sorted.at(-1)],
  ]);
}

/**
 * A stream's counts by hour or UTC day, oldest first. `all`: the counts of all mail in the same period, from which
 * `transactional` is computed.
 */
export async function streamCountsByPeriod(
  db: Sql,
  organizationId: string,
  stream: string,
  { fromMs, toMs, unit }: { readonly fromMs: number; readonly toMs: number; readonly unit: 'hour' | 'day' },
  all: readonly PeriodCounts[],
): Promise<readonly PeriodCounts[]> {
  const isRest = stream === TRANSACTIONAL;
  const within = [organizationId, new Date(fromMs), new Date(toMs), unit];
  const rows = await db.many(series, [...within, isRest ? null : stream]);
  if (!isRest) return rows;
  const others = new Map(rows.map((row) => [row.at.getTime(), row]));
  return all.map((row) => less(row, others.get(row.at.getTime())));
}

/** Removes the names of streams that only erased mail had. */
export async function deleteStreamCounts(
  tx: Sql,
  organizationId: string,
  streams: readonly string[],
): Promise<void> {
  if (streams.length === 0) return;
  await tx.exec(fold, [organizationId, streams]);
  await tx.exec(foldReactions, [organizationId, streams]);
}

export async function removeOldStreamCounts(db: Sql, nowMs: number): Promise<void> {
  const before = new Date(nowMs - KEPT_DAYS * DAY_MS);
  await db.exec(removeOld, [before]);
  await db.exec(removeOldReactions, [before]);
}

function less(row: PeriodCounts, other: PeriodCounts | undefined): PeriodCounts {
  if (other === undefined) return row;
  return {
    at: row.at,
    accepted: row.accepted - other.accepted,
    delivered: row.delivered - other.delivered,
    bounced: row.bounced - other.bounced,
    failed: row.failed - other.failed,
    opened: row.opened - other.opened,
    complaints: row.complaints - other.complaints,
    clicked: row.clicked - other.clicked,
  };
}
