/** The registered workers in the protocol model: one row for each epoch, with its heartbeats. */
import { LEASE_MS } from '../../src/outbox/lease.ts';

interface Registration {
  beatMs: number;
  beats: number;
}

export class ModelRegistry {
  readonly #rows = new Map<number, Registration>();
  #lastEpoch = 0;

  /** Returns the new epoch. */
  add(nowMs: number): number {
    this.#lastEpoch += 1;
    this.#rows.set(this.#lastEpoch, { beatMs: nowMs, beats: 0 });
    return this.#lastEpoch;
  }

  get(epoch: number): Registration | undefined {
    return this.#rows.get(epoch);
  }

  remove(epoch: number): void {
    this.#rows.delete(epoch);
  }

  get epochs(): readonly number[] {
    return [...this.#rows.keys()];
  }

  /** All heartbeats become older. */
  age(ms: number): void {
    for (const row of this.#rows.values()) row.beatMs -= ms;
  }

  isOld(epoch: number, nowMs: number): boolean {
    const row = this.#rows.get(epoch);
    return row === undefined || nowMs - row.beatMs > LEASE_MS;
  }
}
