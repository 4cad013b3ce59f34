/**
 * Requests that hold the event loop of the API for more than 50 ms of processor time: nobody else is answered meanwhile. Many are under
 * way at once, so whichever was when a turn took too long is asked again, alone, and counts only where it does so every time.
 */
import { type FuzzOptions, type FuzzReport, note, send } from './ask.ts';
import type { Caller, FuzzFixture } from './fixture.ts';
import type { FuzzRequest } from './request.ts';

export interface AskedRequest {
  readonly request: FuzzRequest;
  readonly caller: Caller;
  readonly fromMs: number;
  readonly toMs: number;
}

export class HeldLoops {
  readonly #fixture: FuzzFixture;
  readonly #options: FuzzOptions;
  #asked: AskedRequest[] = [];
  /** Turns that were looked at. */
  #seen = 0;

  constructor(fixture: FuzzFixture, options: FuzzOptions) {
    this.#fixture = fixture;
    this.#options = options;
  }

  add(asked: AskedRequest): void {
    this.#asked.push(asked);
  }

  /** To be called while no request is under way. */
  async examine(report: FuzzReport): Promise<void> {
    const { loop } = this.#fixture;
    const turns = (await loop.turns()).slice(this.#seen);
    const suspects = this.#asked.filter(({ fromMs, toMs }) =>
      turns.some((turn) => turn.fromMs <= toMs && fromMs <= turn.toMs),
    );
    this.#asked = [];
    for (const { request, caller } of suspects) {
      const heldMs = await loop.heldEachTimeMs(() => this.#again(request, caller));
      report.suspects += 1;
      if (heldMs > 0)
        note(this.#fixture, report, request, caller, `holds the event loop for ${heldMs} ms, every time`);
    }
    this.#seen = (await loop.turns()).length;
  }

  /** Not with its key: the first answer would only be repeated. */
  async #again(request: FuzzRequest, caller: Caller): Promise<void> {
    const { 'idempotency-key': _, ...headers } = request.headers;
    const signal = AbortSignal.timeout(this.#options.limitMs);
    await send(this.#fixture.url, { ...request, headers }, caller, signal).catch(() => null);
  }
}
