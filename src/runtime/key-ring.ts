/**
 * The master keys of the installation: the current one, and earlier ones, which still decrypt old values and
 * verify links and return paths in mail sent long ago.
 *
 * The database schedules when each key becomes current (`turns`), so that all processes switch at the same
 * moment, and so that a retried email uses the key it was first composed with.
 */
import { type Clock, systemClock } from './clock.ts';
import type { KeyPurpose, SecretKey } from './secret-key.ts';

/** From `fromMs` on, new values use this key. */
export interface KeyTurn {
  readonly id: string;
  readonly fromMs: number;
}

export interface DerivedKeys {
  /** The key for something created at that time. */
  at(ms: number): Buffer;
  /** All keys that may have been used, most likely first. */
  all(): readonly Buffer[];
}

interface KeyRingOptions {
  readonly clock?: Clock;
  /** Reads the stored keys again, because keys can be added while the process runs. */
  readonly reread?: () => readonly SecretKey[];
}

/** Limits file reads: sealed values with an unknown key must not cause one read per request. */
const REREAD_MS = 1_000;

export class KeyRing {
  readonly #clock: Clock;
  readonly #reread: () => readonly SecretKey[];
  #keys: readonly SecretKey[];
  #turns: readonly KeyTurn[] = [];
  #rereadAtMs = Number.NEGATIVE_INFINITY;

  /** The first key is current until turns are set. */
  constructor(keys: readonly SecretKey[], options: KeyRingOptions = {}) {
    if (keys.length === 0) throw new Error('A key ring needs a key.');
    this.#keys = keys;
    this.#clock = options.clock ?? systemClock;
    this.#reread = options.reread ?? (() => this.#keys);
  }

  get keys(): readonly SecretKey[] {
    return this.#keys;
  }

  /** The same in every process and at all times, regardless of the turns. */
  get first(): SecretKey {
    return this.#keys[0] as SecretKey;
  }

  /** Encrypts new values. */
  get current(): SecretKey {
    return this.at(this.#clock.nowMs());
  }

  at(ms: number): SecretKey {
    const turn = this.#turns.findLast(({ fromMs }) => fromMs <= ms) ?? this.#turns[0];
    return this.#known(turn?.id) ?? this.first;
  }

  /** Reads the stored keys again when the id is unknown: another process may just have added the key. */
  find(id: string): SecretKey | undefined {
    const known = this.#known(id);
    if (known !== undefined || performance.now() - this.#rereadAtMs < REREAD_MS) return known;
    this.refresh();
    return this.#known(id);
  }

  /** Reads the stored keys again. */
  refresh(): void {
    this.#rereadAtMs = performance.now();
    this.#keys = this.#reread();
  }

  /** Skips keys that are unknown here and returns their ids. */
  setTurns(turns: readonly KeyTurn[]): string[] {
    const known = turns.filter(({ id }) => this.find(id) !== undefined);
    this.#turns = known.toSorted((a, b) => a.fromMs - b.fromMs);
    return turns.filter((turn) => !known.includes(turn)).map(({ id }) => id);
  }

  /** The current key first, because most values to check are recent. */
  get likeliestFirst(): readonly SecretKey[] {
    const { current } = this;
    return [current, ...this.#keys.filter((key) => key !== current).reverse()];
  }

  keysFor(purpose: KeyPurpose): DerivedKeys {
    return {
      at: (ms) => this.at(ms).derive(purpose),
      all: () => this.likeliestFirst.map((key) => key.derive(purpose)),
    };
  }

  #known(id: string | undefined): SecretKey | undefined {
    return this.#keys.find((key) => key.id === id);
  }
}

/** The first non-null result among the keys. */
export function withAnyKey<T>(keys: DerivedKeys, read: (key: Buffer) => T | null): T | null {
  for (const key of keys.all()) {
    const found = read(key);
    if (found !== null) return found;
  }
  return null;
}
