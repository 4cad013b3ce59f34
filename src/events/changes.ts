/**
 * Follows which types of events an organization gets, without reading the events: for pages that load their data again when
 * something has happened. A flood of mail costs such a reader one short message a second.
 *
 * An event becomes visible some time after its id was created, and out of order (`tail.ts`). So every poll counts the events of the last
 * seconds by type and by the span of time in their id. A count that has grown since the last poll means new events.
 */
import { type Sql, sql } from '../database/sql.ts';
import { uuidv7Floor } from '../runtime/ids.ts';
import type { Log } from '../runtime/log.ts';
import type { EventType } from './append.ts';
import { type NewsPoll, SharedPolls } from './shared-polls.ts';

interface EventChangesOptions {
  readonly db: Sql;
  readonly log: Log;
  readonly nowMs: () => number;
}

const POLL_INTERVAL_MS = 1_000;
/** Longer than any statement that writes events takes to commit. */
const LOOK_BACK_MS = 10_000;
/** The first ten characters of an id are its time without the last twelve bits. */
const SPAN_MS = 4_096;
/** The newest events that are counted. With more in the last seconds, each poll finds new ones anyway. */
const MAX_COUNTED = 20_000;

interface CountRow {
  span: string;
  type: EventType;
  count: number;
}

const countRecent = sql<CountRow>(
  'events.count_recent',
  `SELECT span, told.type, count(*) AS count
   FROM (SELECT left(id::text, 10) AS span, type, started_at FROM events
         WHERE organization_id = $1 AND id > $2 ORDER BY id DESC LIMIT $3) AS recent
   CROSS JOIN LATERAL (VALUES (recent.type), (CASE WHEN started_at IS NOT NULL THEN 'processing' END)) AS told(type)
   WHERE told.type IS NOT NULL
   GROUP BY span, told.type`,
  { home: 'cell', organization: '$1' },
);

export class EventChanges {
  readonly #polls: SharedPolls<readonly EventType[]>;

  constructor(options: EventChangesOptions) {
    this.#polls = new SharedPolls({
      create: (organizationId) => new ChangesPoll(options, organizationId),
      intervalMs: POLL_INTERVAL_MS,
      log: options.log,
    });
  }

  /**
   * Calls `follower` at once with the types of the last ten seconds, and then with those of new events, until the returned function is called.
   */
  follow(organizationId: string, follower: (types: readonly EventType[]) => void): Promise<() => void> {
    return this.#polls.follow(organizationId, follower);
  }
}

class ChangesPoll implements NewsPoll<readonly EventType[]> {
  readonly #options: EventChangesOptions;
  readonly #organizationId: string;
  #counted: readonly CountRow[] = [];
  #lookedMs: number | null = null;

  constructor(options: EventChangesOptions, organizationId: string) {
    this.#options = options;
    this.#organizationId = organizationId;
  }

  recent(): readonly EventType[] {
    return typesOf(this.#counted);
  }

  async look(tell?: (types: readonly EventType[]) => boolean): Promise<void> {
    const nowMs = this.#options.nowMs();
    // After a pause, the poll starts before the pause.
    const fromMs = Math.min(nowMs, this.#lookedMs ?? nowMs) - LOOK_BACK_MS;
    const floor = uuidv7Floor(fromMs - (fromMs % SPAN_MS));
    const counted = await this.#options.db.many(countRecent, [this.#organizationId, floor, MAX_COUNTED]);
    const before = new Map(this.#counted.map(({ span, type, count }) => [span + type, count]));
    const grown = counted.filter(({ span, type, count }) => count > (before.get(span + type) ?? 0));
    this.#counted = counted;
    this.#lookedMs = nowMs;
    if (grown.length > 0) tell?.(typesOf(grown));
  }
}

function typesOf(rows: readonly CountRow[]): EventType[] {
  return [...new Set(rows.map(({ type }) => type))].sort();
}
