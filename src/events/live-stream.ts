/**
 * One reader of `GET /events/stream`: server-sent events, each with its id, so that a reader that was cut off says
 * how far it came (`Last-Event-ID`) and misses nothing. Where none of what happened was asked for, an id alone says how
 * far it came.
 *
 * Owns the response once it is handed over, and what waits for its reader: MAX_UNREAD_BYTES and one look's events at
 * most. States: joined → catching up, as fast as the reader reads → live → ended. It ends when the reader leaves, when
 * the reader does not keep up, when it was told MAX_CAUGHT_UP old events, when its key is revoked or the
 * person removed, after MAX_AGE_MS, or when the server stops. Readers come back by themselves and go on from there.
 */
import type { ServerResponse } from 'node:http';
import { MINUTE_MS } from '../runtime/durations.ts';
import { isDrained } from './drained.ts';
import { eventId } from './read.ts';
import { type StreamRow, streamView } from './stream.ts';
import type { EventTail } from './tail.ts';

export interface LiveStreamOptions {
  readonly tail: EventTail;
  readonly organizationId: string;
  /** The last event that the reader has. */
  readonly afterId: string | null;
  readonly wants: (event: StreamRow) => boolean;
  /** False once its key was revoked, or the person has left. */
  readonly isAdmitted: () => Promise<boolean>;
  readonly response: ServerResponse;
  readonly limits?: Partial<StreamLimits>;
}

export interface StreamLimits {
  /** What is written and not taken: beyond this, whatever comes next is the end. */
  readonly unreadBytes: number;
  /** What happens while it catches up is kept so far, and else read again. */
  readonly waiting: number;
  /** Events that one connection looks through to catch up. */
  readonly caughtUp: number;
  /** For a reader that takes nothing at all. */
  readonly stallMs: number;
}

export const STREAM_LIMITS: StreamLimits = {
  unreadBytes: 512 * 1024,
  waiting: 1_000,
  caughtUp: 100_000,
  stallMs: 30_000,
};

const HEARTBEAT_MS = 15_000;
/** How long ago the look may have begun that was under way when this one joined. */
const MAX_LOOK_MS = 10_000;
const MAX_AGE_MS = 10 * MINUTE_MS;
/** Revoking takes effect within a second or two everywhere; what is looked up is remembered for most of one. */
const ADMISSION_MS = 1_000;
/** While it catches up, so many are written before it is seen whether they are taken. */
const PIECE = 100;
/** An end that the reader does not take is none. */
const END_WITHIN_MS = 5_000;
/** How long readers wait before they come back. */
const RETRY_MS = 2_000;

export class LiveStream {
  readonly #options: LiveStreamOptions;
  readonly #limits: StreamLimits;
  readonly #timers: NodeJS.Timeout[];
  #leave: () => void = () => {};
  #ended = false;
  /** What happened while it caught up; null when it is live. */
  #waiting: StreamRow[] | null = [];
  /** More happened than may wait: it is read again. */
  #missed = false;
  /** The last event that was looked at, and the last that the reader was told of. */
  #lookedAt: string | null = null;
  #told: string | null = null;

  constructor(options: LiveStreamOptions) {
    this.#options = options;
    this.#limits = { ...STREAM_LIMITS, ...options.limits };
    options.response.once('close', () => this.end());
    this.#timers = [
      setInterval(() => this.#beat(), HEARTBEAT_MS),
      setInterval(() => void this.#askAdmission(), ADMISSION_MS),
      setTimeout(() => this.end(), MAX_AGE_MS),
    ];
    for (const timer of this.#timers) timer.unref();
  }

  /** Joins first and catches up second, so that nothing falls in between. */
  async start(): Promise<void> {
    const { tail, organizationId, afterId } = this.#options;
    const joinedMs = tail.nowMs();
    const leave = await tail.follow(organizationId, (events) => this.#hear(events));
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
    const impatient = setTimeout(() => response.destroy(), END_WITHIN_MS).unref();
    response.once('close', () => clearTimeout(impatient));
  }

  /** For a reader that does not read: an end would wait behind everything else. */
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

  #hear(events: readonly StreamRow[]): void {
    if (this.#waiting === null) {
      this.#send(events);
      return;
    }
    this.#waiting.push(...events);
    if (this.#waiting.length <= this.#limits.waiting) return;
    this.#waiting = [];
    this.#missed = true;
  }

  /** As fast as the reader reads. Returns what it sent of what may also be waiting. */
  async #catchUp(afterId: string, joinedMs: number): Promise<ReadonlySet<string>> {
    const { tail, organizationId } = this.#options;
    const sent = new Set<string>([afterId]);
    // No older ones can be waiting, nor be read again.
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

  /** False when it is over. */
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
    this.#told = wanted.at(-1)?.id ?? this.#told;
    const text = wanted
      .map(streamView)
      .map((event) => `id: ${event.id}\ndata: ${JSON.stringify(event)}\n\n`)
      .join('');
    if (text !== '') this.#write(text);
  }

  /** An id without data: readers remember it and are told nothing. */
  #mark(): void {
    if (this.#lookedAt === null || this.#lookedAt === this.#told) return;
    this.#told = this.#lookedAt;
    this.#write(`id: ${eventId(this.#lookedAt)}\n\n`);
  }

  /** While the database is away nobody is sent away: it has nothing to tell either. */
  async #askAdmission(): Promise<void> {
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
