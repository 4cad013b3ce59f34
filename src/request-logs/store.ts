/** The one writer of `request_logs`. */
import { actorNames } from '../accounts/actor-name.ts';
import { patternInJson, patternOf, type RenameIn } from '../database/renamed-address.ts';
import { adHoc, type Sql, sql, Where } from '../database/sql.ts';
import { DAY_MS } from '../runtime/durations.ts';
import { uuidv7Floor } from '../runtime/ids.ts';
import type { Problem } from '../runtime/service-error.ts';
import type { LogEntry } from './entry.ts';

export const KEPT_ENTRIES = 10_000;
const KEPT_MS = 7 * DAY_MS;

export interface LogRow {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly code: string | null;
  readonly message: string | null;
  readonly key_id: string | null;
  readonly user_id: string | null;
  readonly caller_name: string | null;
  readonly request_id: string | null;
  readonly duration_ms: number;
  readonly count: number;
  readonly facts: {
    readonly fields: readonly Problem[];
    readonly recipients: readonly string[];
    readonly excerpt: Record<string, unknown> | null;
  };
}

type NamelessRow = Omit<LogRow, 'caller_name'>;

export interface LogFilter {
  readonly status: number | null;
  readonly code: string | null;
  readonly path: string | null;
  readonly keyId: string | null;
  /** In lower case. */
  readonly recipient: string | null;
  readonly requestId: string | null;
  readonly fromMs: number | null;
  readonly toMs: number | null;
}

/** Entries are inserted again when the answer to the first insert was lost. */
const insert = sql(
  'request_logs.insert',
  `INSERT INTO request_logs (organization_id, id, method, path, status, code, message, key_id, user_id, request_id,
                             duration_ms, count, facts)
   SELECT * FROM unnest($1::text[], $2::uuid[], $3::text[], $4::text[], $5::smallint[], $6::text[], $7::text[], $8::text[],
                        $9::text[], $10::text[], $11::integer[], $12::integer[], $13::jsonb[])
   ON CONFLICT DO NOTHING`,
  { home: 'cell' },
);

const trim = sql(
  'request_logs.trim',
  `DELETE FROM request_logs
   WHERE organization_id = $1
     AND id <= (SELECT id FROM request_logs WHERE organization_id = $1 ORDER BY id DESC OFFSET $2 LIMIT 1)`,
  { home: 'cell', organization: '$1' },
);

const deleteOld = sql(
  'request_logs.delete',
  'DELETE FROM request_logs WHERE organization_id = $1 AND id < $2',
  { home: 'cell', organization: '$1' },
);

/** One primary key lookup for each. */
const organizations = sql<{ id: string }>(
  'request_logs.organizations',
  `WITH RECURSIVE present AS (
     (SELECT organization_id AS id FROM request_logs ORDER BY organization_id LIMIT 1)
     UNION ALL
     SELECT (SELECT organization_id FROM request_logs WHERE organization_id > present.id ORDER BY organization_id LIMIT 1)
     FROM present WHERE present.id IS NOT NULL
   ) SELECT id FROM present WHERE id IS NOT NULL`,
  { home: 'cell' },
);

const refusedSince = sql<RefusedCount>(
  'request_logs.refused_since',
  `SELECT code, sum(count)::integer AS count FROM request_logs
   WHERE organization_id = $1 AND id >= $2 AND user_id IS NULL AND method <> 'GET' AND code IS NOT NULL
   GROUP BY code ORDER BY count DESC, code`,
  { home: 'cell', organization: '$1' },
);

export interface RefusedCount {
  readonly code: string;
  readonly count: number;
}

export async function insertLogEntries(db: Sql, entries: readonly LogEntry[]): Promise<void> {
  const column = <T>(read: (entry: LogEntry) => T): T[] => entries.map(read);
  await db.exec(insert, [
    column((entry) => entry.organizationId),
    column((entry) => entry.id),
    column((entry) => entry.method),
    column((entry) => entry.path),
    column((entry) => entry.status),
    column((entry) => entry.code),
    column((entry) => entry.message),
    column((entry) => entry.keyId),
    column((entry) => entry.userId),
    column((entry) => entry.requestId),
    column((entry) => entry.durationMs),
    column((entry) => entry.count),
    column(({ fields, recipients, excerpt }) => JSON.stringify({ fields, recipients, excerpt })),
  ]);
}

/** Keeps the newest entries of one organization. */
export async function trimLog(db: Sql, organizationId: string): Promise<void> {
  await db.exec(trim, [organizationId, KEPT_ENTRIES]);
}

/** Run by a chore: keeps entries for 7 days, and at most the newest 10,000 of an organization. */
export async function deleteOldLogEntries(db: Sql, nowMs: number): Promise<void> {
  for (const { id } of await db.many(organizations)) {
    await db.exec(deleteOld, [id, uuidv7Floor(nowMs - KEPT_MS)]);
    await trimLog(db, id);
  }
}

const COLUMNS = `l.id, l.method, l.path, l.status, l.code, l.message, l.key_id, l.user_id, l.request_id, l.duration_ms, l.count,
  l.facts`;

/** An organization has so few entries that all can be scanned. */
export async function pageOfLog(
  db: Sql,
  organizationId: string,
  filter: LogFilter,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{ rows: LogRow[]; total: number }> {
  const counted = whereOf(organizationId, filter);
  const where = whereOf(organizationId, filter);
  const page = `LIMIT ${where.param(limit)} OFFSET ${where.param(offset)}`;
  const [rows, counts] = await Promise.all([
    db.many(
      adHoc<NamelessRow>(`SELECT ${COLUMNS} FROM request_logs l ${where} ORDER BY l.id DESC ${page}`, {
        home: 'cell',
        organization: '$1',
      }),
      where.params,
    ),
    db.one(
      adHoc<{ count: number }>(`SELECT count(*) FROM request_logs l ${counted}`, {
        home: 'cell',
        organization: '$1',
      }),
      counted.params,
    ),
  ]);
  return { rows: await withNames(db, rows), total: counts.count };
}

/** Adds the current names of keys and users, which are in another database than the log. */
async function withNames(db: Sql, rows: readonly NamelessRow[]): Promise<LogRow[]> {
  const names = await actorNames(db, [...new Set(rows.flatMap((row) => callerIdOf(row) ?? []))]);
  return rows.map((row) => ({ caller_name: names.get(callerIdOf(row) ?? '') ?? null, ...row }));
}

function callerIdOf({ key_id, user_id }: NamelessRow): string | null {
  return key_id ?? user_id;
}

function whereOf(organizationId: string, filter: LogFilter): Where {
  const where = new Where().add('l.organization_id = ?', organizationId);
  if (filter.status !== null) where.add('l.status = ?', filter.status);
  if (filter.code !== null) where.add('l.code = ?', filter.code);
  if (filter.path !== null) where.add('position(? in l.path) > 0', filter.path);
  if (filter.keyId !== null) where.add('l.key_id = ?', filter.keyId);
  if (filter.requestId !== null) where.add('l.request_id = ?', filter.requestId);
  if (filter.recipient !== null) where.add(`jsonb_exists(l.facts->'recipients', ?)`, filter.recipient);
  if (filter.fromMs !== null) where.add('l.id >= ?', uuidv7Floor(filter.fromMs));
  if (filter.toMs !== null) where.add('l.id < ?', uuidv7Floor(filter.toMs + 1));
  return where;
}

const find = sql<NamelessRow>(
  'request_logs.find',
  `SELECT ${COLUMNS} FROM request_logs l WHERE l.organization_id = $1 AND l.id = $2`,
  { home: 'cell', organization: '$1' },
);

export async function findLogEntry(db: Sql, organizationId: string, id: string): Promise<LogRow | undefined> {
  const [row] = await withNames(db, await db.many(find, [organizationId, id]));
  return row;
}

/** Refused requests of programs by reason, most frequent first. */
export function countRefusedSince(db: Sql, organizationId: string, sinceMs: number): Promise<RefusedCount[]> {
  return db.many(refusedSince, [organizationId, uuidv7Floor(sinceMs)]);
}

const erase = sql(
  'request_logs.erase',
  `UPDATE request_logs SET message = regexp_replace(message, $2, $4, 'gi'),
     facts = jsonb_set_lax('{"fields": [], "excerpt": null}', '{recipients}',
                           regexp_replace((facts->'recipients')::text, $3, $4, 'gi')::jsonb)
   WHERE organization_id = $1 AND (message ~* $2 OR facts::text ~* $3)`,
  { home: 'cell', organization: '$1' },
);

/** Keeps that a request was refused, and removes its recipient and anything that may identify the recipient. */
export const eraseFromRequestLog: RenameIn = async (tx, organizationId, renamed) => {
  await tx.exec(erase, [organizationId, patternOf(renamed), patternInJson(renamed), renamed.shownAs]);
};
