/** How many messages this worker sent to a site in the last minute, and how many of them the site accepted. */
import { MinuteCount } from './pacer.ts';
import type { Traffic } from './rate-limit.ts';

export class SiteTraffic {
  readonly #sent: MinuteCount;
  readonly #taken: MinuteCount;

  /** `speed` is how much faster than real time waits run. */
  constructor(speed: number) {
    this.#sent = new MinuteCount(speed);
    this.#taken = new MinuteCount(speed);
  }

  began(nowMs: number): void {
    this.#sent.add(nowMs);
  }

  took(nowMs: number): void {
    this.#taken.add(nowMs);
  }

  /** Extrapolated to `workers` workers that send as much as this one. */
  lastMinute(nowMs: number, takenSince: number, workers = 1): Traffic {
    const sent = this.#sent.total(nowMs) * workers;
    return { sent, took: this.#taken.total(nowMs) * workers, takenSince };
  }
}
