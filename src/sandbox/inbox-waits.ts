/**
 * Waits for mail to arrive in the inbox, for tests that read what their application sent.
 *
 * Owns the list of waiting requests. One statement searches for all of them, a few times per second and only
 * while there are any, so a hundred tests cost as much as one. Each search after the first goes back only as
 * far as the time between a message's id and its commit.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Sql, sql } from '../database/sql.ts';
import type { Clock } from '../runtime/clock.ts';
import { SECOND_MS } from '../runtime/durations.ts';
import { uuidv7Floor } from '../runtime/ids.ts';
import { ServiceError } from '../runtime/service-error.ts';

interface InboxWaitsOptions {
  readonly db: Sql;
  readonly clock: Clock;
}

interface Wait {
  readonly waitMs: number;
  /** Aborted when the client has disconnected. */
  readonly signal: AbortSignal;
}

interface Waiting {
  wanted: WantedMail;
  readonly untilMs: number;
  readonly signal: AbortSignal;
  readonly found: (id: string | null) => void;
  readonly failed: (error: unknown) => void;
}

const CHECK_INTERVAL_MS = 100;
/** Longer than the time between a message's id and its commit. */
const LOOK_BACK_MS = 10 * SECOND_MS;
const MAX_OF_ORGANIZATION = 500;
const MAX_WAITING = 5_000;
const COME_BACK_SECONDS = 5;

export class InboxWaits {
  readonly #options: InboxWaitsOptions;
  readonly #waiting = new Set<Waiting>();
  readonly #stopping = new AbortController();
  #looking: Promise<void> | null = null;

  constructor(options: InboxWaitsOptions) {
    this.#options = options;
  }

  /** The newest matching message, as soon as it arrives; null on timeout. */
  first(wanted: WantedMail, { waitMs, signal }: Wait): Promise<string | null> {
    if (this.#hasTooMany(wanted.organizationId)) throw tooMany();
    return new Promise((found, failed) => {
      const untilMs = this.#options.clock.nowMs() + waitMs;
      this.#waiting.add({ wanted, untilMs, signal, found, failed });
      this.#looking ??= this.#lookWhileAnybodyWaits();
    });
  }

  /** Answers waiting requests with null, so that clients can retry with another process. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#looking;
  }

  async #lookWhileAnybodyWaits(): Promise<void> {
    for (;;) {
      await this.#look([...this.#waiting]);
      if (this.#waiting.size === 0) break;
      await sleep(CHECK_INTERVAL_MS, undefined, { signal: this.#stopping.signal }).catch(() => {});
    }
    this.#looking = null;
  }

  async #look(all: readonly Waiting[]): Promise<void> {
    const lookedMs = this.#options.clock.nowMs();
    try {
      const ids = await newestMatching(
        this.#options.db,
        all.map(({ wanted }) => wanted),
      );
      const floor = uuidv7Floor(lookedMs - LOOK_BACK_MS);
      for (const [place, one] of all.entries()) this.#settle(one, ids.get(place) ?? null, floor);
    } catch (error) {
      for (const one of all) {
        this.#waiting.delete(one);
        one.failed(error);
      }
    }
  }

  #settle(one: Waiting, id: string | null, floor: string): void {
    const isOver =
      one.signal.aborted || this.#stopping.signal.aborted || this.#options.clock.nowMs() >= one.untilMs;
    if (id !== null || isOver) {
      this.#waiting.delete(one);
      one.found(id);
    } else if (floor > one.wanted.floor) one.wanted = { ...one.wanted, floor };
  }

  #hasTooMany(organizationId: string): boolean {
    if (this.#waiting.size >= MAX_WAITING) return true;
    let own = 0;
    for (const { wanted } of this.#waiting) if (wanted.organizationId === organizationId) own += 1;
    return own >= MAX_OF_ORGANIZATION;
  }
}

function tooMany(): ServiceError {
  const message = `At most ${MAX_OF_ORGANIZATION} requests may wait for mail at a time. Try again shortly.`;
  return new ServiceError('RATE_LIMITED', message, { retryAfterSeconds: COME_BACK_SECONDS });
}

interface WantedMail {
  readonly organizationId: string;
  /** Null matches any recipient. */
  readonly to: string | null;
  /** Part of the subject, case-insensitive; null matches any subject. */
  readonly subject: string | null;
  /** Excludes messages whose id is lower. */
  readonly floor: string;
}

const select = sql<{ place: number; id: string }>(
  'sandbox.newest_matching',
  `SELECT w.place::int - 1 AS place, m.id
   FROM unnest($1::text[], $2::text[], $3::text[], $4::uuid[]) WITH ORDINALITY
     AS w (organization_id, rcpt_to, subject, floor, place)
   CROSS JOIN LATERAL (
     SELECT m.id FROM sandbox_messages m
     WHERE m.organization_id = w.organization_id AND m.id >= w.floor
       AND (w.rcpt_to IS NULL OR lower(m.rcpt_to) = lower(w.rcpt_to))
       AND (w.subject IS NULL OR strpos(lower(m.subject), lower(w.subject)) > 0)
     ORDER BY m.id DESC LIMIT 1
   ) AS m`,
  { home: 'cell', organization: '$1' },
);

/** Results by position in the list; no entry for a request without a match. */
async function newestMatching(db: Sql, all: readonly WantedMail[]): Promise<ReadonlyMap<number, string>> {
  const rows = await db.many(select, [
    all.map((one) => one.organizationId),
    all.map((one) => one.to),
    all.map((one) => one.subject),
    all.map((one) => one.floor),
  ]);
  return new Map(rows.map(({ place, id }) => [place, id]));
}
