/**
 * Rate limits of streams. A worker reserves a few messages at a time in the database, so that all workers together stay within
 * the limits of a minute and an hour. Mail without a reservation is put off, each message to a time of its own at the pace of
 * the stream, so that it does not return all at once.
 *
 * Owns the reservations of each stream, and the end of the line in which its mail waits. Mail of unlimited streams costs nothing.
 */

import type { Sql } from '../../database/sql.ts';
import type { DeliverableEmail } from '../../emails/store-delivery.ts';
import { type ClaimedDelivery, wasPutOff } from '../../outbox/states.ts';
import { BoundedMap } from '../../runtime/bounded-map.ts';
import type { Clock } from '../../runtime/clock.ts';
import { MINUTE_MS } from '../../runtime/durations.ts';
import { SingleFlight } from '../../runtime/single-flight.ts';
import { KnownStreams } from '../../streams/known-streams.ts';
import { noteLine, type StreamKey, takeTurns, untilMore } from '../../streams/pace-store.ts';
import { isLimited, type StreamPace, spacingMs } from '../../streams/stream.ts';

interface StreamPacesOptions {
  readonly db: Sql;
  readonly clock: Clock;
}

interface Pace {
  readonly limits: StreamPace;
  inHand: number;
  /** The end of the minute that the reservations belong to. */
  heldUntilMs: number;
  /** Nothing is left: the database is not queried again before this time. */
  emptyUntilMs: number;
  /** The last turn of the line. */
  lineEndMs: number;
  /** The end of the line as it was last published. */
  publishedEndMs: number;
}

/** The share of a limit that is reserved at once. Unused reservations are lost for the minute. */
const CHUNK = { part: 1 / 20, most: 100 };
/** The limit may change meanwhile, so mail returns after this time at the latest. A shorter wait would cost more useless claims. */
const LONGEST_WAIT_MS = 30 * MINUTE_MS;
const SPREAD = 0.5;
/** How far the line grows before its end is published. */
const PUBLISH_EVERY_MS = 1_000;
const MAX_PACES = 10_000;

export class StreamPaces {
  readonly #options: StreamPacesOptions;
  readonly #streams: KnownStreams;
  readonly #paces = new BoundedMap<string, Pace>(MAX_PACES);
  readonly #taking = new SingleFlight<Pace, void>();

  constructor(options: StreamPacesOptions) {
    this.#options = options;
    this.#streams = new KnownStreams(options.db, options.clock);
  }

  /** Null: the mail may be sent, and is counted. Otherwise when to try again. */
  async putOffUntil(
    delivery: ClaimedDelivery,
    {
      stream,
      createdAtMs,
      scheduledAtMs,
    }: Pick<DeliverableEmail, 'stream' | 'createdAtMs' | 'scheduledAtMs'>,
  ): Promise<number | null> {
    if (stream === null) return null;
    const key = { organizationId: delivery.organizationId, stream };
    const pace = await this.#paceOf(key);
    if (pace === null) return null;
    const isNew = !wasPutOff(delivery, Math.max(createdAtMs, scheduledAtMs ?? 0));
    const isBehindOthers = isNew && pace.lineEndMs > this.#options.clock.nowMs();
    if (!isBehindOthers && (await this.#hasTurn(key, pace))) return null;
    const turnMs = this.#joinLine(pace);
    await this.#publishLineEnd(key, pace);
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
      publishedEndMs: 0,
    };
    this.#paces.set(key, pace);
    return pace;
  }

  async #hasTurn(key: StreamKey, pace: Pace): Promise<boolean> {
    const { clock } = this.#options;
    while (!this.#holds(pace) && clock.nowMs() >= pace.emptyUntilMs) {
      await this.#taking.run(pace, () => this.#take(key, pace));
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
      // At the very end of a minute the reservations are still valid for the next mail.
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

  /** Publishes the end of the line, for forecasts of when mail is sent. */
  async #publishLineEnd(key: StreamKey, pace: Pace): Promise<void> {
    if (pace.lineEndMs < pace.publishedEndMs + PUBLISH_EVERY_MS) return;
    pace.publishedEndMs = pace.lineEndMs;
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
  /** Null: the mail may be sent. Otherwise when to try again. */
  putOffUntil(delivery: ClaimedDelivery, email: DeliverableEmail): Promise<number | null>;
}

/** Mail that passes the first limit is checked against the second. */
export function inSequence(first: Pacing, second: Pacing): Pacing {
  return {
    putOffUntil: async (delivery, email) =>
      (await first.putOffUntil(delivery, email)) ?? second.putOffUntil(delivery, email),
  };
}
