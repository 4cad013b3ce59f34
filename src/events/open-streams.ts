/** The open streams of one route, and how many there may be. */
import type { ServerResponse } from 'node:http';
import { ServiceError } from '../runtime/service-error.ts';

/** Each reader costs a connection and one or two timers. */
const MAX_OF_ORGANIZATION = 50;
const MAX_STREAMS = 2_000;

export class OpenStreams<Stream extends { end(): void }> {
  readonly #organizations = new Map<Stream, string>();

  assertRoom(organizationId: string): void {
    if (this.#organizations.size < MAX_STREAMS && this.#countOf(organizationId) < MAX_OF_ORGANIZATION) return;
    const message = `At most ${MAX_OF_ORGANIZATION} streams may be open at a time. Close a stream, or poll instead.`;
    throw new ServiceError('RATE_LIMITED', message, { retryAfterSeconds: 10 });
  }

  add(stream: Stream, organizationId: string, response: ServerResponse): void {
    this.#organizations.set(stream, organizationId);
    response.once('close', () => this.#organizations.delete(stream));
  }

  endAll(): void {
    for (const stream of this.#organizations.keys()) stream.end();
  }

  #countOf(organizationId: string): number {
    let count = 0;
    for (const one of this.#organizations.values()) if (one === organizationId) count += 1;
    return count;
  }
}
