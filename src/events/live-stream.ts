/**
 * One reader of `GET /events/stream`: server-sent events, each with its id, so that a reader that reconnects sends its position
 * (`Last-Event-ID`) and misses nothing. If no new event matches the reader's filter, an id alone is sent as the position.
 *
 * Owns the data that waits for its reader: at most the unread bytes of the response and one poll's events. States: joined → catching up,
 * as fast as the reader reads → live → ended. Besides the ends of every stream (`sse-response.ts`) it ends when the reader reads
 * nothing while it catches up, and when it has sent as many old events as one connection may. Readers reconnect automatically and
 * continue from there.
 */
import type { ServerResponse } from 'node:http';
import { eventId } from './read.ts';
import { SseResponse } from './sse-response.ts';
import { type StreamRow, streamView } from './stream.ts';
import type { EventTail } from './tail.ts';

interface LiveStreamOptions {
  readonly tail: EventTail;
  readonly organizationId: string;
  /** The last event that the reader has. */
  readonly afterId: string | null;
  readonly wants: (event: StreamRow) => boolean;
  /** False once the key was revoked or the user was removed. */
  readonly isAdmitted: () => Promise<boolean>;
  readonly response: ServerResponse;
  readonly limits?: Partial<StreamLimits>;
}

export interface StreamLimits {
  /** The limit of written but unread data, of a test. */
  readonly unreadBytes?: number;
  /** The number of new events kept while the stream catches up. Further events are read again later. */
  readonly waiting: number;
  /** The number of events that one connection scans to catch up. */
  readonly caughtUp: number;
  /** The timeout for a reader that reads nothing. */
  readonly stallMs: number;
}

const STREAM_LIMITS: StreamLimits = {
  waiting: 1_000,
  caughtUp: 100_000,
  stallMs: 30_000,
};

/** The maximum age of a poll in progress when this reader joined. */
const MAX_LOOK_MS = 10_000;
/** While catching up, this many events are written before the stream checks whether the reader keeps up. */
const PIECE = 100;

export class LiveStream {
  readonly #options: LiveStreamOptions;
  readonly #limits: StreamLimits;
  readonly #response: SseResponse;
  #leave: () => void = () => {};
  /** New events that arrived while it caught up; null once it is live. */
  #waiting: StreamRow[] | null = [];
  /** More events arrived than can wait, so they are read again. */
  #missed = false;
  /** The last event scanned, and the last position sent to the reader. */
  #lookedAt: string | null = null;
  #lastSent: string | null = null;

  constructor(options: LiveStreamOptions) {
    this.#options = options;
    this.#limits = { ...STREAM_LIMITS, ...options.limits };
    this.#response = new SseResponse({
      ...options,
      unreadBytes: this.#limits.unreadBytes,
      onBeat: () => this.#mark(),
      onEnd: () => {
        this.#leave();
        this.#waiting = null;
      },
    });
  }

  /** Joins before it catches up, so that no event is missed in between. */
  async start(): Promise<void> {
    const { tail, organizationId, afterId } = this.#options;
    const joinedMs = tail.nowMs();
    const leave = await tail.follow(organizationId, (events) => this.#receive(events));
    if (this.#response.ended) return leave();
    this.#leave = leave;
    this.#response.begin();
    const caughtUp = afterId === null ? new Set<string>() : await this.#catchUp(afterId, joinedMs);
    this.#send((this.#waiting ?? []).filter(({ id }) => !caughtUp.has(id)));
    this.#waiting = null;
  }

  end(): void {
    this.#response.end();
  }

  #receive(events: readonly StreamRow[]): void {
    if (this.#waiting === null) {
      this.#send(events);
      return;
    }
    this.#waiting.push(...events);
    if (this.#waiting.length <= this.#limits.waiting) return;
    this.#waiting = [];
    this.#missed = true;
  }

  /** Writes as fast as the reader reads. Returns the sent events that may also be waiting. */
  async #catchUp(afterId: string, joinedMs: number): Promise<ReadonlySet<string>> {
    const { tail, organizationId } = this.#options;
    const sent = new Set<string>([afterId]);
    // Older events cannot be waiting, nor be read again.
    const recent = tail.floorAt(joinedMs - MAX_LOOK_MS);
    let left = this.#limits.caughtUp;
    let from = tail.floorOf(afterId);
    do {
      this.#missed = false;
      for await (const page of tail.since(organizationId, from)) {
        const fresh = page.filter(({ id }) => !sent.has(id));
        if (!(await this.#sendSlowly(fresh))) return sent;
        for (const { id } of fresh) if (id >= recent) sent.add(id);
        left -= fresh.filter(({ id }) => id > afterId).length;
        if (left <= 0) this.end();
        if (this.#response.ended) return sent;
      }
      from = tail.floorAt(joinedMs);
    } while (this.#missed);
    return sent;
  }

  /** False once the stream has ended. */
  async #sendSlowly(events: readonly StreamRow[]): Promise<boolean> {
    for (let at = 0; at < events.length; at += PIECE) {
      this.#send(events.slice(at, at + PIECE));
      if (this.#response.ended) return false;
      if (await this.#response.isDrained(this.#limits.stallMs)) continue;
      if (!this.#response.ended) this.#response.cutOff();
      return false;
    }
    this.#mark();
    return true;
  }

  #send(events: readonly StreamRow[]): void {
    const wanted = events.filter(this.#options.wants);
    this.#lookedAt = events.at(-1)?.id ?? this.#lookedAt;
    this.#lastSent = wanted.at(-1)?.id ?? this.#lastSent;
    const text = wanted
      .map(streamView)
      .map((event) => `id: ${event.id}\ndata: ${JSON.stringify(event)}\n\n`)
      .join('');
    if (text !== '') this.#response.write(text);
  }

  /** Sends an id without data: readers store it and raise no event. */
  #mark(): void {
    if (this.#lookedAt === null || this.#lookedAt === this.#lastSent) return;
    this.#lastSent = this.#lookedAt;
    this.#response.write(`id: ${eventId(this.#lookedAt)}\n\n`);
  }
}
