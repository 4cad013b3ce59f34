/**
 * One reader of `GET /events/stream`: server-sent events, each with its id, so that a reader that reconnects sends its position
 * (`Last-Event-ID`) and misses nothing. If no new event matches the reader's filter, an id alone is sent as the position.
 *
 * Owns the response after the handover, and the data that waits for its reader: at most MAX_UNREAD_BYTES and one poll's events.
 * States: joined → catching up, as fast as the reader reads → live → ended. It ends when the reader disconnects or does not
 * keep up, when it has sent MAX_CAUGHT_UP old events, when the reader's key is revoked or user removed, after MAX_AGE_MS, or
 * when the server stops. Readers reconnect automatically and continue from there.
 */
import type { ServerResponse } from 'node:http';
import { MINUTE_MS } from '../runtime/durations.ts';
import { eventId } from './read.ts';
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
  /** The limit of written but unread data. Beyond it, the next write ends the stream. */
  readonly unreadBytes: number;
  /** The number of new events kept while the stream catches up. Further events are read again later. */
  readonly waiting: number;
  /** The number of events that one connection scans to catch up. */
  readonly caughtUp: number;
  /** The timeout for a reader that reads nothing. */
  readonly stallMs: number;
}

const STREAM_LIMITS: StreamLimits = {
  unreadBytes: 512 * 1024,
  waiting: 1_000,
  caughtUp: 100_000,
  stallMs: 30_000,
};

const HEARTBEAT_MS = 15_000;
/** The maximum age of a poll in progress when this reader joined. */
const MAX_LOOK_MS = 10_000;
const MAX_AGE_MS = 10 * MINUTE_MS;
/** Revocation takes effect within two seconds everywhere; a lookup is cached for most of the first. */
const ADMISSION_MS = 1_000;
/** While catching up, this many events are written before the stream checks whether the reader keeps up. */
const PIECE = 100;
/** The time that the reader has to read the end of the stream. */
const END_WITHIN_MS = 5_000;
/** How long readers wait before they reconnect. */
const RETRY_MS = 2_000;

export class LiveStream {
  readonly #options: LiveStreamOptions;
  readonly #limits: StreamLimits;
  readonly #timers: NodeJS.Timeout[];
  #leave: () => void = () => {};
  #ended = false;
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
    options.response.once('close', () => this.end());
    this.#timers = [
      setInterval(() => this.#beat(), HEARTBEAT_MS),
      setInterval(() => void this.#checkAdmission(), ADMISSION_MS),
      setTimeout(() => this.end(), MAX_AGE_MS),
    ];
    for (const timer of this.#timers) timer.unref();
  }

  /** Joins before it catches up, so that no event is missed in between. */
  async start(): Promise<void> {
    const { tail, organizationId, afterId } = this.#options;
    const joinedMs = tail.nowMs();
    const leave = await tail.follow(organizationId, (events) => this.#receive(events));
    if (this.#ended) return leave();
    this.#leave = leave;
    this.#write(`retry: ${RETRY_MS}\n\n`);
    const caughtUp = afterId === null ? new Set<string>() : await this.#catchUp(afterId, joinedMs);
    this.#send((this.#waiting ?? []).filter(({ id }) => !caughtUp.has(id)));
    this.#waiting = null;
  }

  end(): void {
    if (this.#ended) return;
    this.#stop();
    const { response } = this.#options;
    response.end();
    const destroyTimer = setTimeout(() => response.destroy(), END_WITHIN_MS).unref();
    response.once('close', () => clearTimeout(destroyTimer));
  }

  /** For a reader that does not read: an end would wait behind all unread data. */
  #cutOff(): void {
    this.#stop();
    this.#options.response.destroy();
  }

  #stop(): void {
    this.#ended = true;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#leave();
    this.#waiting = null;
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
        if (this.#ended) return sent;
      }
      from = tail.floorAt(joinedMs);
    } while (this.#missed);
    return sent;
  }

  /** False once the stream has ended. */
  async #sendSlowly(events: readonly StreamRow[]): Promise<boolean> {
    for (let at = 0; at < events.length; at += PIECE) {
      this.#send(events.slice(at, at + PIECE));
      if (this.#ended) return false;
      if (await isDrained(this.#options.response, this.#limits.stallMs)) continue;
      if (!this.#ended) this.#cutOff();
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
    if (text !== '') this.#write(text);
  }

  /** Sends an id without data: readers store it and raise no event. */
  #mark(): void {
    if (this.#lookedAt === null || this.#lookedAt === this.#lastSent) return;
    this.#lastSent = this.#lookedAt;
    this.#write(`id: ${eventId(this.#lookedAt)}\n\n`);
  }

  /** While the database is down no reader is disconnected, because no new events are read either. */
  async #checkAdmission(): Promise<void> {
    if (!(await this.#options.isAdmitted().catch(() => true))) this.end();
  }

  #beat(): void {
    this.#write(': still here\n\n');
    this.#mark();
  }

  #write(text: string): void {
    const { response } = this.#options;
    if (this.#ended) return;
    if (response.writableLength > this.#limits.unreadBytes) this.#cutOff();
    else response.write(text);
  }
}

/** True once the reader has read the written data; false if it was too slow or disconnected. */
function isDrained(response: ServerResponse, withinMs: number): Promise<boolean> {
  if (response.destroyed) return Promise.resolve(false);
  if (!response.writableNeedDrain) return Promise.resolve(true);
  return new Promise((resolve) => {
    const done = (drained: boolean) => {
      clearTimeout(timer);
      response.off('drain', onDrain);
      response.off('close', onClose);
      resolve(drained);
    };
    const onDrain = () => done(true);
    const onClose = () => done(false);
    const timer = setTimeout(onClose, withinMs).unref();
    response.on('drain', onDrain);
    response.on('close', onClose);
  });
}
