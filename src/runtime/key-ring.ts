/**
 * The master keys of the installation: the one that is used now, and those before it, which still open what was sealed
 * with them and still vouch for links and return paths in mail that is long out.
 *
 * Which key is whose turn is not decided here: the database says from when on each is used (`turns`), so that every
 * process changes at the same moment, and so that mail that is tried again is made with the key it was first made with.
 */
import { type Clock, systemClock } from './clock.ts';
import type { KeyPurpose, SecretKey } from './secret-key.ts';

/** From `fromMs` on, the key of this id is used for what is new. */
export interface KeyTurn {
  readonly id: string;
  readonly fromMs: number;
}

/** The keys of one purpose. */
export interface DerivedKeys {
  /** For something that was made at that time. */
  at(ms: number): Buffer;
  /** Each that something may have been made with, the likeliest first. */
  all(): readonly Buffer[];
}

interface KeyRingOptions {
  readonly clock?: Clock;
  /** Reads the keys from where they are kept; what is kept may grow while we run. */
  readonly reread?: () => readonly SecretKey[];
}

/** A sealed value of nobody's key must not make us read a file for everyone who asks for it. */
const REREAD_MS = 1_000;

export class KeyRing {
  readonly #clock: Clock;
  readonly #reread: () => readonly SecretKey[];
  #keys: readonly SecretKey[];
  #turns: readonly KeyTurn[] = [];
  #rereadAtMs = Number.NEGATIVE_INFINITY;

  /** The first key is used as long as nobody says otherwise. */
  constructor(keys: readonly SecretKey[], options: KeyRingOptions = {}) {
    if (keys.length === 0) throw new Error('A key ring needs a key.');
    this.#keys = keys;
    this.#clock = options.clock ?? systemClock;
    this.#reread = options.reread ?? (() => this.#keys);
  }

  get keys(): readonly SecretKey[] {
    return this.#keys;
  }

  /** The same in every process and at every time, whatever the database says. */
  get first(): SecretKey {
    return this.#keys[0] as SecretKey;
  }

  /** What new values are sealed with. */
  get current(): SecretKey {
    return this.at(this.#clock.nowMs());
  }

  at(ms: number): SecretKey {
    const turn = this.#turns.findLast(({ fromMs }) => fromMs <= ms) ?? this.#turns[0];
    return this.#known(turn?.id) ?? this.first;
  }

  /** Looks where keys are kept when it is not known: another process may have just added it. */
  find(id: string): SecretKey | undefined {
    const known = this.#known(id);
    if (known !== undefined || performance.now() - this.#rereadAtMs < REREAD_MS) return known;
    this.refresh();
    return this.#known(id);
  }

  /** Reads the keys again from where they are kept. */
  refresh(): void {
    this.#rereadAtMs = performance.now();
    this.#keys = this.#reread();
  }

  /** Those of keys that are not known here are left out; returns their ids. */
  setTurns(turns: readonly KeyTurn[]): string[] {
    const known = turns.filter(({ id }) => this.find(id) !== undefined);
    this.#turns = known.toSorted((a, b) => a.fromMs - b.fromMs);
    return turns.filter((turn) => !known.includes(turn)).map(({ id }) => id);
  }

  /** The current one first, because most of what comes back is recent. */
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

/** The first answer that any of the keys gives. */
export function withAnyKey<T>(keys: DerivedKeys, read: (key: Buffer) => T | null): T | null {
  for (const key of keys.all()) {
    const found = read(key);
    if (found !== null) return found;
  }
  return null;
}
