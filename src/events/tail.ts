/**
 * Follows an organization's events in real time.
 *
 * An id begins with the time of its creation, but an event becomes visible only when its transaction commits, some time later
 * and out of order. So every poll reads a little further back and emits the events that it has not emitted before.
 */
import { type Sql, sql } from '../database/sql.ts';
import { uuidv7Floor, uuidv7Ms } from '../runtime/ids.ts';
import type { Log } from '../runtime/log.ts';
import type { Stored } from './read.ts';
import { type NewsPoll, SharedPolls } from './shared-polls.ts';
import { eventsOf } from './started.ts';
import { STREAM_COLUMNS, type StreamRow } from './stream.ts';

interface EventTailOptions {
  readonly db: Sql;
  readonly log: Log;
  readonly nowMs: () => number;
  /** The database that reconnecting followers catch up from; `db` by default. */
  readonly past?: (organizationId: string) => Sql;
}

/** Gets events in the order in which they were found. */
type Follower = (events: readonly StreamRow[]) => void;

const CHECK_INTERVAL_MS = 500;
/** Longer than any statement that writes events takes to commit. */
const LOOK_BACK_MS = 10_000;
const AT_ONCE = 1_000;

const selectAfter = sql<Stored<StreamRow>>(
  'events.after',
  `SELECT ${STREAM_COLUMNS} FROM events WHERE organization_id = $1 AND id > $2 ORDER BY id LIMIT $3`,
  { home: 'cell', organization: '$1' },
);

export class EventTail {
  readonly #options: EventTailOptions;
  readonly #polls: SharedPolls<readonly StreamRow[]>;

  constructor(options: EventTailOptions) {
    this.#options = options;
    this.#polls = new SharedPolls({
      create: (organizationId) => new TailPoll(options, organizationId),
      intervalMs: CHECK_INTERVAL_MS,
      log: options.log,
    });
  }

  /** Passes on every event from now on, until the returned function is called. */
  follow(organizationId: string, follower: Follower): Promise<() => void> {
    return this.#polls.follow(organizationId, follower);
  }

  nowMs(): number {
    return this.#options.nowMs();
  }

  /** Every event that becomes visible after this time has a greater id. */
  floorAt(ms: number): string {
    return uuidv7Floor(ms - LOOK_BACK_MS);
  }

  /** The floor for a reader that saw an event: events that were late for this reader have a greater id, too. */
  floorOf(eventId: string): string {
    return this.floorAt(uuidv7Ms(eventId));
  }

  /** Events with a greater id, oldest first, in pages. */
  async *since(organizationId: string, floor: string): AsyncGenerator<readonly StreamRow[]> {
    const db = this.#options.past?.(organizationId) ?? this.#options.db;
    let after = floor;
    for (;;) {
      const rows = await db.many(selectAfter, [organizationId, after, AT_ONCE]);
      if (rows.length > 0) yield eventsOf(rows);
      if (rows.length < AT_ONCE) return;
      after = rows.at(-1)?.id ?? after;
    }
  }
}

class TailPoll implements NewsPoll<readonly StreamRow[]> {
  readonly #options: EventTailOptions;
  readonly #organizationId: string;
  readonly #handedOn = new Set<string>();
  #lookedMs: number | null = null;

  constructor(options: EventTailOptions, organizationId: string) {
    this.#options = options;
    this.#organizationId = organizationId;
  }

  async look(tell?: (events: readonly StreamRow[]) => boolean): Promise<void> {
    const nowMs = this.#options.nowMs();
    // After a pause, the poll starts before the pause.
    let after = uuidv7Floor(Math.min(nowMs, this.#lookedMs ?? nowMs) - LOOK_BACK_MS);
    // Ids that the next poll may find again; after a long pause these are few of this poll's events.
    const floor = uuidv7Floor(nowMs - LOOK_BACK_MS);
    for (;;) {
      const rows = await this.#options.db.many(selectAfter, [this.#organizationId, after, AT_ONCE]);
      const fresh = eventsOf(rows).filter(({ id }) => !this.#handedOn.has(id));
      for (const { id } of fresh) if (id >= floor) this.#handedOn.add(id);
      if (fresh.length > 0 && tell?.(fresh) === false) return;
      after = rows.at(-1)?.id ?? after;
      if (rows.length < AT_ONCE) break;
    }
    this.#lookedMs = nowMs;
    // Ids were added in about the order of their time, so the oldest come first.
    for (const id of this.#handedOn) {
      if (id >= floor) break;
      this.#handedOn.delete(id);
    }
  }
}
