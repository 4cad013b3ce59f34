/**
 * Counts the mail of limited streams sent in the current minute and hour, by the database's clock. The one writer of
 * `stream_paces`.
 */
import { type Sql, sql } from '../database/sql.ts';
import type { StreamPace } from './stream.ts';

/** The current minute and hour, counted since 1970. */
const NOW = {
  minute: 'floor(extract(epoch FROM now()) / 60)::bigint',
  hour: 'floor(extract(epoch FROM now()) / 3600)::bigint',
};

/**
 * The count of the current window. A stored window that is already the next one, from a slightly later worker, counts
 * too.
 */
const sentIn = (unit: 'minute' | 'hour') =>
  `CASE WHEN p.${unit} BETWEEN excluded.${unit} AND excluded.${unit} + 1 THEN p.${unit}_sent ELSE 0 END`;
const windowOf = (unit: 'minute' | 'hour') =>
  `CASE WHEN p.${unit} = excluded.${unit} + 1 THEN p.${unit} ELSE excluded.${unit} END`;

/** Adds this many, or none if that would exceed a limit. */
const take = sql<{ left_ms: number }>(
  'stream_paces.take',
  `WITH taken AS (
     INSERT INTO stream_paces AS p (organization_id, stream, minute, minute_sent, hour, hour_sent)
     SELECT $1, $2, ${NOW.minute}, $3, ${NOW.hour}, $3 WHERE $3 <= least($4::int, $5::int)
     ON CONFLICT (organization_id, stream) DO UPDATE SET
       minute = ${windowOf('minute')}, minute_sent = excluded.minute_sent + ${sentIn('minute')},
       hour = ${windowOf('hour')}, hour_sent = excluded.hour_sent + ${sentIn('hour')}
     WHERE excluded.minute_sent + ${sentIn('minute')} <= $4::int AND excluded.hour_sent + ${sentIn('hour')} <= $5::int
     RETURNING minute
   )
   SELECT ((minute + 1) * 60 - extract(epoch FROM clock_timestamp()))::float8 * 1000 AS left_ms FROM taken`,
  { home: 'cell', organization: '$1' },
);

const pause = sql<{ wait_ms: number }>(
  'stream_paces.pause',
  `SELECT (CASE WHEN hour = ${NOW.hour} AND hour_sent >= $3::int THEN (hour + 1) * 3600 ELSE (${NOW.minute} + 1) * 60 END
           - extract(epoch FROM now()))::float8 * 1000 AS wait_ms
   FROM stream_paces WHERE organization_id = $1 AND stream = $2`,
  { home: 'cell', organization: '$1' },
);

const note = sql(
  'stream_paces.note_line',
  `UPDATE stream_paces SET line_until = greatest(line_until, now() + $3 * interval '1 millisecond')
   WHERE organization_id = $1 AND stream = $2`,
  { home: 'cell', organization: '$1' },
);

const left = sql<TurnsLeft>(
  'stream_paces.left',
  `SELECT greatest(0, least($3::int - CASE WHEN minute >= ${NOW.minute} THEN minute_sent ELSE 0 END,
                            $4::int - CASE WHEN hour >= ${NOW.hour} THEN hour_sent ELSE 0 END)) AS left,
          (CASE WHEN hour >= ${NOW.hour} AND hour_sent >= $4::int THEN (hour + 1) * 3600 ELSE (${NOW.minute} + 1) * 60 END
           - extract(epoch FROM now()))::float8 * 1000 AS "moreInMs",
          coalesce(greatest(0, extract(epoch FROM line_until - now())), 0)::float8 * 1000 AS "lineMs"
   FROM (SELECT 1) AS always LEFT JOIN stream_paces ON organization_id = $1 AND stream = $2`,
  { home: 'cell', organization: '$1' },
);

const remove = sql(
  'stream_paces.delete',
  'DELETE FROM stream_paces WHERE organization_id = $1 AND stream = $2',
  { home: 'cell', organization: '$1' },
);

export interface StreamKey {
  readonly organizationId: string;
  readonly stream: string;
}

/** The remaining allowance of a limited stream. */
export interface TurnsLeft {
  readonly left: number;
  /** The time in ms until the allowance increases. */
  readonly moreInMs: number;
  /** The length of the existing queue in ms; new mail is scheduled after it. */
  readonly lineMs: number;
}

/** Above any real limit. */
const UNLIMITED = 2_147_483_647;

/**
 * Counts these mails as sent and returns the time in ms left for sending them; null, without counting, when that
 * would exceed a limit.
 */
export async function takeTurns(
  db: Sql,
  { organizationId, stream }: StreamKey,
  mails: number,
  { messagesPerMinute, messagesPerHour }: StreamPace,
): Promise<number | null> {
  const limits = [messagesPerMinute ?? UNLIMITED, messagesPerHour ?? UNLIMITED];
  return (await db.maybeOne(take, [organizationId, stream, mails, ...limits]))?.left_ms ?? null;
}

/** The time in ms until the allowance increases, when nothing is left. */
export async function untilMore(
  db: Sql,
  { organizationId, stream }: StreamKey,
  { messagesPerHour }: StreamPace,
): Promise<number> {
  const row = await db.maybeOne(pause, [organizationId, stream, messagesPerHour ?? UNLIMITED]);
  return row?.wait_ms ?? 0;
}

/** Publishes the end of the queue to other workers. The end only moves later. */
export async function noteLine(
  db: Sql,
  { organizationId, stream }: StreamKey,
  untilEndMs: number,
): Promise<void> {
  await db.exec(note, [organizationId, stream, Math.round(untilEndMs)]);
}

/** Reads the allowance without using any of it. */
export async function readTurns(
  db: Sql,
  { organizationId, stream }: StreamKey,
  { messagesPerMinute, messagesPerHour }: StreamPace,
): Promise<TurnsLeft> {
  return db.one(left, [organizationId, stream, messagesPerMinute ?? UNLIMITED, messagesPerHour ?? UNLIMITED]);
}

export async function deletePace(tx: Sql, { organizationId, stream }: StreamKey): Promise<void> {
  await tx.exec(remove, [organizationId, stream]);
}
