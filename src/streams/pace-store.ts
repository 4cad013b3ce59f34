/** How much of a limited stream was sent in this minute and this hour, by the database's clock. The one writer of `stream_paces`. */
import { type Sql, sql } from '../database/sql.ts';
import type { StreamPace } from './stream.ts';

/** The minute or the hour that is under way, since 1970. */
const NOW = {
  minute: 'floor(extract(epoch FROM now()) / 60)::bigint',
  hour: 'floor(extract(epoch FROM now()) / 3600)::bigint',
};

/** What counts already in the one that is under way. The next one is another worker's, who asked a moment later. */
const sentIn = (unit: 'minute' | 'hour') =>
  `CASE WHEN p.${unit} BETWEEN excluded.${unit} AND excluded.${unit} + 1 THEN p.${unit}_sent ELSE 0 END`;
const windowOf = (unit: 'minute' | 'hour') =>
  `CASE WHEN p.${unit} = excluded.${unit} + 1 THEN p.${unit} ELSE excluded.${unit} END`;

/** So many more, if that does not make too many: all or none. */
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

/** What may be sent of a limited stream at this moment. */
export interface TurnsLeft {
  readonly left: number;
  /** In how many ms there is more to be taken. */
  readonly moreInMs: number;
  /** For how many ms other mail waits in line already; new mail goes after it. */
  readonly lineMs: number;
}

/** More than anybody sends. */
const UNLIMITED = 2_147_483_647;

/** For how long so many may be sent, in ms; null where that would be too many. Then they count as sent. */
export async function takeTurns(
  db: Sql,
  { organizationId, stream }: StreamKey,
  mails: number,
  { messagesPerMinute, messagesPerHour }: StreamPace,
): Promise<number | null> {
  const limits = [messagesPerMinute ?? UNLIMITED, messagesPerHour ?? UNLIMITED];
  return (await db.maybeOne(take, [organizationId, stream, mails, ...limits]))?.left_ms ?? null;
}

/** In how many ms there is more to be taken, where nothing is left. */
export async function untilMore(
  db: Sql,
  { organizationId, stream }: StreamKey,
  { messagesPerHour }: StreamPace,
): Promise<number> {
  const row = await db.maybeOne(pause, [organizationId, stream, messagesPerHour ?? UNLIMITED]);
  return row?.wait_ms ?? 0;
}

/** Tells others of the line that mail waits in. It only grows: it is over when its end has come. */
export async function noteLine(
  db: Sql,
  { organizationId, stream }: StreamKey,
  untilEndMs: number,
): Promise<void> {
  await db.exec(note, [organizationId, stream, Math.round(untilEndMs)]);
}

/** Takes nothing. */
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
