/**
 * Events as they happen, for those who follow an organization's.
 *
 * An id begins with the time at which it was made, but an event is seen only when its transaction commits, some time
 * later and not in order. So every look goes back a little and hands on what it has not handed on before.
 *
 * Owns a feed for each organization that somebody follows: its followers, and the ids it handed on lately. A feed
 * looks while it has followers, one look at a time, and is forgotten with the last of them.
 */
import { type Sql, sql } from '../database/sql.ts';
import { uuidv7Floor, uuidv7Ms } from '../runtime/ids.ts';
import type { Log } from '../runtime/log.ts';
import { STREAM_COLUMNS, type StreamRow } from './stream.ts';

export interface EventTailOptions {
  readonly db: Sql;
  readonly log: Log;
  readonly nowMs: () => number;
  /** What those who come back catch up with is read here; `db` unless given. */
  readonly past?: (organizationId: string) => Sql;
}

/** Gets events in the order they were found. */
export type Follower = (events: readonly StreamRow[]) => void;

const CHECK_INTERVAL_MS = 500;
/** Longer than any statement that writes events takes to commit. */
const LOOK_BACK_MS = 10_000;
const AT_ONCE = 1_000;

const selectAfter = sql<StreamRow>(
  'events.after',
  `SELECT ${STREAM_COLUMNS} FROM events WHERE organization_id = $1 AND id > $2 ORDER BY id LIMIT $3`,
  { home: 'cell', organization: '$1' },
);

export class EventTail {
  readonly #options: EventTailOptions;
  readonly #feeds = new Map<string, Feed>();

  constructor(options: EventTailOptions) {
    this.#options = options;
  }

  /** Everything from now on, until the function it resolves to is called. */
  async follow(organizationId: string, follower: Follower): Promise<() => void> {
    let feed = this.#feeds.get(organizationId);
    if (feed === undefined) {
      feed = new Feed(this.#options, organizationId);
      this.#feeds.set(organizationId, feed);
    }
    const joined = feed;
    joined.followers.add(follower);
    const leave = () => {
      joined.followers.delete(follower);
      if (joined.followers.size > 0 || this.#feeds.get(organizationId) !== joined) return;
      joined.stop();
      this.#feeds.delete(organizationId);
    };
    try {
      await joined.begun;
    } catch (error) {
      leave();
      throw error;
    }
    return leave;
  }

  nowMs(): number {
    return this.#options.nowMs();
  }

  /** Everything that can become visible from a time on has a greater id than this. */
  floorAt(ms: number): string {
    return uuidv7Floor(ms - LOOK_BACK_MS);
  }

  /** The same for whoever saw an event: what was late for them has a greater id, too. */
  floorOf(eventId: string): string {
    return this.floorAt(uuidv7Ms(eventId));
  }

  /** What has a greater id, oldest first, in pages. */
  async *since(organizationId: string, floor: string): AsyncGenerator<readonly StreamRow[]> {
    const db = this.#options.past?.(organizationId) ?? this.#options.db;
    let after = floor;
    for (;;) {
      const rows = await db.many(selectAfter, [organizationId, after, AT_ONCE]);
      if (rows.length > 0) yield rows;
      if (rows.length < AT_ONCE) return;
      after = rows.at(-1)?.id ?? after;
    }
  }
}

class Feed {
  readonly followers = new Set<Follower>();
  /** The first look only learns what is there. */
  readonly begun: Promise<void>;
  readonly #options: EventTailOptions;
  readonly #organizationId: string;
  readonly #handedOn = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;
  #lookedMs: number | null = null;

  constructor(options: EventTailOptions, organizationId: string) {
    this.#options = options;
    this.#organizationId = organizationId;
    this.begun = this.#look().then(() => this.#schedule());
    this.begun.catch(() => this.stop());
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  #schedule(): void {
    if (this.#stopped) return;
    this.#timer = setTimeout(() => void this.#lookAndHandOn(), CHECK_INTERVAL_MS).unref();
  }

  async #lookAndHandOn(): Promise<void> {
    try {
      await this.#look((events) => {
        for (const follower of this.followers) follower(events);
      });
    } catch (error) {
      this.#options.log.debug({ err: error }, 'cannot look for new events');
    }
    this.#schedule();
  }

  async #look(handOn?: Follower): Promise<void> {
    const nowMs = this.#options.nowMs();
    // After a time without a look, back to before it.
    let after = uuidv7Floor(Math.min(nowMs, this.#lookedMs ?? nowMs) - LOOK_BACK_MS);
    // What the next look may find again; after a long time without one it is little of what this one finds.
    const floor = uuidv7Floor(nowMs - LOOK_BACK_MS);
    for (;;) {
      const rows = await this.#options.db.many(selectAfter, [this.#organizationId, after, AT_ONCE]);
      const fresh = rows.filter(({ id }) => !this.#handedOn.has(id));
      for (const { id } of fresh) if (id >= floor) this.#handedOn.add(id);
      if (fresh.length > 0 && !this.#stopped) handOn?.(fresh);
      after = rows.at(-1)?.id ?? after;
      if (rows.length < AT_ONCE || this.#stopped) break;
    }
    this.#lookedMs = nowMs;
    // Added in about the order of their time, so the old ones are first.
    for (const id of this.#handedOn) {
      if (id >= floor) break;
      this.#handedOn.delete(id);
    }
  }
}
