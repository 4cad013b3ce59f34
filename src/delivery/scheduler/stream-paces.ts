/**
 * How fast mail of limited streams goes, as a worker knows it. Turns are taken from the database, a few at a time, so that all
 * workers together send no more than a minute and an hour of the clock allow. Mail that gets none is put off to a time of its own,
 * one after the other as fast as the stream goes: it does not come back all at once.
 *
 * Owns the turns in hand of each stream, and the end of the line that its mail waits in. Mail of other streams costs nothing.
 */
import type { DeliverableEmail } from '../../emails/store-delivery.ts';
import { streamOf, TRANSACTIONAL } from '../../emails/stream.ts';
import type { Sql } from '../../kit/database/sql.ts';
import { BoundedMap } from '../../kit/runtime/bounded-map.ts';
import type { Clock } from '../../kit/runtime/clock.ts';
import { MINUTE_MS } from '../../kit/runtime/durations.ts';
import { type ClaimedDelivery, wasPutOff } from '../../outbox/states.ts';
import { KnownStreams } from '../../streams/known-streams.ts';
import { noteLine, type StreamKey, takeTurns, untilMore } from '../../streams/pace-store.ts';
import { isLimited, type StreamPace, spacingMs } from '../../streams/stream.ts';

export interface StreamPacesOptions {
  readonly db: Sql;
  readonly clock: Clock;
}

interface Pace {
  readonly limits: StreamPace;
  inHand: number;
  /** What is in hand is of a minute that is over then. */
  heldUntilMs: number;
  /** Nothing is left: not asked again before. */
  emptyUntilMs: number;
  /** The last turn of the line. */
  lineEndMs: number;
  /** The end of the line as it was told to others. */
  toldEndMs: number;
  taking: Promise<void> | null;
}

/** Of what a minute or an hour allows, as much is taken at once: what a worker does not use is lost for the minute. */
const CHUNK = { part: 1 / 20, most: 100 };
/** A limit may be changed meanwhile; and who comes back for nothing costs something. */
const LONGEST_WAIT_MS = 30 * MINUTE_MS;
const SPREAD = 0.5;
/** How far the line grows before others are told of it. */
const TOLD_EVERY_MS = 1_000;
const MAX_PACES = 10_000;

export class StreamPaces {
  readonly #options: StreamPacesOptions;
  readonly #streams: KnownStreams;
  readonly #paces = new BoundedMap<string, Pace>(MAX_PACES);

  constructor(options: StreamPacesOptions) {
    this.#options = options;
    this.#streams = new KnownStreams(options.db, options.clock);
  }

  /** Null: it may be sent, and counts. Otherwise, when to come back. */
  async putOffUntil(
    delivery: ClaimedDelivery,
    { tags, createdAtMs, scheduledAtMs }: Pick<DeliverableEmail, 'tags' | 'createdAtMs' | 'scheduledAtMs'>,
  ): Promise<number | null> {
    const stream = tags === null ? TRANSACTIONAL : streamOf(tags);
    if (stream === TRANSACTIONAL) return null;
    const key = { organizationId: delivery.organizationId, stream };
    const pace = await this.#paceOf(key);
    if (pace === null) return null;
    const isNew = !wasPutOff(delivery, Math.max(createdAtMs, scheduledAtMs ?? 0));
    const isBehindOthers = isNew && pace.lineEndMs > this.#options.clock.nowMs();
    if (!isBehindOthers && (await this.#hasTurn(key, pace))) return null;
    const turnMs = this.#joinLine(pace);
    await this.#tellLine(key, pace);
    return turnMs;
  }

  async #paceOf({ organizationId, stream }: StreamKey): Promise<Pace | null> {
    const limits = await this.#streams.of(organizationId, stream);
    if (limits === undefined || !isLimited(limits)) return null;
    const key = `${organizationId} ${stream}`;
    const known = this.#paces.get(key);
    if (known !== undefined && isSame(known.limits, limits)) return known;
    const pace = {
      limits,
      inHand: 0,
      heldUntilMs: 0,
      emptyUntilMs: 0,
      lineEndMs: 0,
      toldEndMs: 0,
      taking: null,
    };
    this.#paces.set(key, pace);
    return pace;
  }

  async #hasTurn(key: StreamKey, pace: Pace): Promise<boolean> {
    const { clock } = this.#options;
    while (!this.#holds(pace) && clock.nowMs() >= pace.emptyUntilMs) {
      pace.taking ??= this.#take(key, pace).finally(() => {
        pace.taking = null;
      });
      await pace.taking;
    }
    if (!this.#holds(pace)) return false;
    pace.inHand -= 1;
    return true;
  }

  #holds({ inHand, heldUntilMs }: Pace): boolean {
    return inHand > 0 && this.#options.clock.nowMs() < heldUntilMs;
  }

  async #take(key: StreamKey, pace: Pace): Promise<void> {
    const { db, clock } = this.#options;
    for (const mails of new Set([chunkOf(pace.limits), 1])) {
      const leftMs = await takeTurns(db, key, mails, pace.limits);
      if (leftMs === null) continue;
      // At the very end of a minute they are for the next mail that asks, and not for never.
      pace.heldUntilMs = clock.nowMs() + Math.max(1, leftMs);
      pace.inHand = mails;
      return;
    }
    pace.emptyUntilMs = clock.nowMs() + (await untilMore(db, key, pace.limits));
  }

  #joinLine(pace: Pace): number {
    const nowMs = this.#options.clock.nowMs();
    const nextMs = Math.max(pace.lineEndMs, pace.emptyUntilMs, nowMs) + spacingMs(pace.limits);
    const latestMs = nowMs + LONGEST_WAIT_MS;
    pace.lineEndMs = Math.min(nextMs, latestMs);
    return nextMs > latestMs ? latestMs + LONGEST_WAIT_MS * SPREAD * Math.random() : nextMs;
  }

  /** For those who want to foretell when mail would be sent. */
  async #tellLine(key: StreamKey, pace: Pace): Promise<void> {
    if (pace.lineEndMs < pace.toldEndMs + TOLD_EVERY_MS) return;
    pace.toldEndMs = pace.lineEndMs;
    await noteLine(this.#options.db, key, pace.lineEndMs - this.#options.clock.nowMs());
  }
}

function isSame(one: StreamPace, other: StreamPace): boolean {
  return one.messagesPerMinute === other.messagesPerMinute && one.messagesPerHour === other.messagesPerHour;
}

function chunkOf({ messagesPerMinute, messagesPerHour }: StreamPace): number {
  const least = Math.min(
    messagesPerMinute ?? messagesPerHour ?? 1,
    messagesPerHour ?? messagesPerMinute ?? 1,
  );
  return Math.max(1, Math.min(CHUNK.most, Math.floor(least * CHUNK.part)));
}

export interface Pacing {
  /** Null: it may be sent. Otherwise, when to come back. */
  putOffUntil(delivery: ClaimedDelivery, email: DeliverableEmail): Promise<number | null>;
}

/** Mail that the first lets pass is asked of the second. */
export function inTurn(first: Pacing, second: Pacing): Pacing {
  return {
    putOffUntil: async (delivery, email) =>
      (await first.putOffUntil(delivery, email)) ?? second.putOffUntil(delivery, email),
  };
}
