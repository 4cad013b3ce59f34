/**
 * One reader of `GET /events/stream`: server-sent events, each with its id, so that a reader that was cut off says
 * how far it came (`Last-Event-ID`) and misses nothing.
 *
 * Owns the response once it is handed over. It ends when the reader leaves, when the reader does not keep up, after
 * MAX_AGE_MS (the key may have been revoked), or when the server stops. Readers come back by themselves.
 */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { StreamRow } from '../../events/stream.ts';
import type { EventTail } from '../../events/tail.ts';
import { streamView } from './view.ts';

export interface LiveStreamOptions {
  readonly tail: EventTail;
  readonly organizationId: string;
  /** The last event that the reader has. */
  readonly afterId: string | null;
  readonly wants: (event: StreamRow) => boolean;
  readonly response: ServerResponse;
}

const HEARTBEAT_MS = 15_000;
const MAX_AGE_MS = 10 * 60_000;
/** Where a reader does not keep up, so much waits for it in memory. */
const MAX_UNREAD_BYTES = 1024 * 1024;
const MAX_REMEMBERED = 50_000;
/** How long readers wait before they come back. */
const RETRY_MS = 2_000;

export class LiveStream {
  readonly #options: LiveStreamOptions;
  readonly #timers: NodeJS.Timeout[];
  #leave: () => void = () => {};
  #ended = false;

  constructor(options: LiveStreamOptions) {
    this.#options = options;
    options.response.once('close', () => this.end());
    this.#timers = [
      setInterval(() => this.#write(': still here\n\n'), HEARTBEAT_MS),
      setTimeout(() => this.end(), MAX_AGE_MS),
    ];
    for (const timer of this.#timers) timer.unref();
  }

  /** Joins first and catches up second, so that nothing falls in between. */
  async start(): Promise<void> {
    const { tail, organizationId, afterId } = this.#options;
    let waiting: StreamRow[] | null = [];
    const leave = await tail.follow(organizationId, (events) => {
      if (waiting === null) this.#send(events);
      else waiting.push(...events);
    });
    if (this.#ended) return leave();
    this.#leave = leave;
    this.#write(`retry: ${RETRY_MS}\n\n`);
    const caughtUp = afterId === null ? new Set() : await this.#catchUp(afterId);
    this.#send(waiting.filter(({ id }) => !caughtUp.has(id)));
    waiting = null;
  }

  /** As fast as the reader reads. */
  async #catchUp(afterId: string): Promise<ReadonlySet<string>> {
    const { tail, organizationId, response } = this.#options;
    const sent = new Set<string>();
    for await (const page of tail.since(organizationId, afterId)) {
      if (this.#ended) break;
      this.#send(page.filter(({ id }) => id !== afterId));
      if (sent.size > MAX_REMEMBERED) sent.clear(); // the oldest; what follows goes back a few seconds only
      for (const { id } of page) sent.add(id);
      if (response.writableNeedDrain) await Promise.race([once(response, 'drain'), once(response, 'close')]);
    }
    return sent;
  }

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#leave();
    this.#options.response.end();
  }

  #send(events: readonly StreamRow[]): void {
    const text = events
      .filter(this.#options.wants)
      .map(streamView)
      .map((event) => `id: ${event.id}\ndata: ${JSON.stringify(event)}\n\n`)
      .join('');
    if (text !== '') this.#write(text);
  }

  #write(text: string): void {
    const { response } = this.#options;
    if (this.#ended) return;
    response.write(text);
    if (response.writableLength > MAX_UNREAD_BYTES) this.end();
  }
}
