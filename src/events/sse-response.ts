/**
 * A response of server-sent events, from the handover to its end. It ends when the reader disconnects or leaves too much
 * unread, when its key is revoked, its user removed or its session ended, after MAX_AGE_MS, or when the server stops. Readers
 * reconnect automatically.
 */
import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import { MINUTE_MS } from '../runtime/durations.ts';

interface SseOptions {
  readonly response: ServerResponse;
  /** False once the caller's access has ended. */
  readonly isAdmitted: () => Promise<boolean>;
  /** The limit of written but unread data. Beyond it, the next write ends the stream. */
  readonly unreadBytes?: number | undefined;
  readonly onBeat?: () => void;
  readonly onEnd: () => void;
}

const UNREAD_BYTES = 512 * 1024;
const HEARTBEAT_MS = 15_000;
const MAX_AGE_MS = 10 * MINUTE_MS;
/** Revocation takes effect within two seconds everywhere; a lookup is cached for most of the first. */
const ADMISSION_MS = 1_000;
/** The time that the reader has to read the end of the stream. */
const END_WITHIN_MS = 5_000;
/** How long readers wait before they reconnect. */
const RETRY_MS = 2_000;

export class SseResponse {
  readonly #options: SseOptions;
  readonly #timers: NodeJS.Timeout[];
  #ended = false;

  constructor(options: SseOptions) {
    this.#options = options;
    options.response.once('close', () => this.end());
    this.#timers = [
      setInterval(() => this.#beat(), HEARTBEAT_MS),
      setInterval(() => void this.#checkAdmission(), ADMISSION_MS),
      setTimeout(() => this.end(), MAX_AGE_MS),
    ];
    for (const timer of this.#timers) timer.unref();
  }

  get ended(): boolean {
    return this.#ended;
  }

  begin(): void {
    this.write(`retry: ${RETRY_MS}\n\n`);
  }

  write(text: string): void {
    const { response, unreadBytes = UNREAD_BYTES } = this.#options;
    if (this.#ended) return;
    if (response.writableLength > unreadBytes) this.cutOff();
    else response.write(text);
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
  cutOff(): void {
    this.#stop();
    this.#options.response.destroy();
  }

  /** True once the reader has read the written data; false if it was too slow or disconnected. */
  isDrained(withinMs: number): Promise<boolean> {
    const { response } = this.#options;
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

  #stop(): void {
    this.#ended = true;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#options.onEnd();
  }

  /** While the database is down no reader is disconnected, because no new events are read either. */
  async #checkAdmission(): Promise<void> {
    if (!(await this.#options.isAdmitted().catch(() => true))) this.end();
  }

  #beat(): void {
    this.write(': still here\n\n');
    this.#options.onBeat?.();
  }
}

/** `x-accel-buffering` disables the response buffering of proxies. */
export const STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'x-accel-buffering': 'no',
};

/** From here on the stream owns the response. */
export function handOver(reply: FastifyReply): void {
  reply.hijack();
  reply.raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    ...STREAM_HEADERS,
    // The connection is not reused, so a stopping server need not wait for it to become idle.
    connection: 'close',
  });
}
