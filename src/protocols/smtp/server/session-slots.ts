/**
 * Which connections a mail server keeps when more clients come than it has room for.
 *
 * It owns one slot for each open connection, and for a day the networks of clients that have proven themselves: they logged
 * in, or delivered a message. Part of the slots is kept for those. When no slot is left, the connection that does
 * least makes room for the newcomer, so that clients which hold connections without using them keep nobody out.
 */
import { remoteNetwork } from '../../../runtime/caller-address.ts';
import { DAY_MS } from '../../../runtime/durations.ts';
import { TtlCache } from '../../../runtime/ttl-cache.ts';
import type { SessionLimits } from './client-limits.ts';

/** `idle`: neither logged in nor sending a message. `stalled`: doing either, without getting on. */
export type Activity = 'idle' | 'stalled' | 'busy';

/** Whatever is at the other end of a slot: a TLS handshake, then a session. */
export interface Occupant {
  readonly activity: Activity;
  /** Ends the connection in favour of another; its slot is taken from it already. */
  makeRoom(): void;
}

export interface Slot {
  occupant: Occupant;
  /** The client has logged in, or delivered a message. */
  prove(): void;
  leave(): void;
}

interface TakenSlot extends Slot {
  readonly network: string;
  isProven: boolean;
}

const KEPT_PART = 0.25;
const REMEMBER_MS = DAY_MS;
const MAX_REMEMBERED = 10_000;

export class SessionSlots {
  readonly #limits: SessionLimits;
  readonly #maxUnproven: number;
  readonly #proven: TtlCache<true>;
  /** In the order in which they were taken. */
  readonly #slots = new Set<TakenSlot>();

  constructor(limits: SessionLimits, nowMs: () => number, keptPart = KEPT_PART) {
    this.#limits = limits;
    this.#maxUnproven = Math.ceil(limits.sessions * (1 - keptPart));
    this.#proven = new TtlCache({ keepMs: REMEMBER_MS, max: MAX_REMEMBERED, clock: { nowMs } });
  }

  /** A slot, or why there is none: the address has enough of them, or nobody can be dropped. */
  take(address: string, occupant: Occupant): Slot | 'address_full' | 'server_full' {
    const network = remoteNetwork(address);
    const own = [...this.#slots].filter((slot) => slot.network === network).length;
    if (own >= this.#limits.sessionsPerAddress) return 'address_full';
    const isProven = this.#proven.get(network) !== undefined;
    if (!this.#makeRoom(isProven)) return 'server_full';
    const slot: TakenSlot = {
      network,
      isProven,
      occupant,
      prove: () => this.#prove(slot),
      leave: () => this.#slots.delete(slot),
    };
    this.#slots.add(slot);
    return slot;
  }

  #prove(slot: TakenSlot): void {
    slot.isProven = true;
    this.#proven.set(slot.network, true);
  }

  #makeRoom(isProven: boolean): boolean {
    const all = [...this.#slots];
    const unproven = all.filter((slot) => !slot.isProven);
    if (!isProven && unproven.length >= this.#maxUnproven) return this.#drop(leastUseful(unproven));
    return all.length < this.#limits.sessions || this.#drop(leastUseful(all));
  }

  #drop(slot: TakenSlot | undefined): boolean {
    if (slot === undefined) return false;
    this.#slots.delete(slot);
    slot.occupant.makeRoom();
    return true;
  }
}

/**
 * Of the clients that do least, the oldest connection of the network that has most of them: a client that opens connections
 * without end drops its own, and a slow one beside it has time. Undefined where all are busy.
 */
function leastUseful(slots: readonly TakenSlot[]): TakenSlot | undefined {
  const ranked = slots.map((slot) => ({ slot, rank: rankOf(slot) })).filter(({ rank }) => rank !== null) as {
    slot: TakenSlot;
    rank: number;
  }[];
  const lowest = Math.min(...ranked.map(({ rank }) => rank));
  const candidates = ranked.filter(({ rank }) => rank === lowest).map(({ slot }) => slot);
  const counts = new Map<string, number>();
  for (const { network } of candidates) counts.set(network, (counts.get(network) ?? 0) + 1);
  const most = Math.max(...counts.values());
  return candidates.find(({ network }) => counts.get(network) === most);
}

function rankOf({ isProven, occupant: { activity } }: TakenSlot): number | null {
  if (activity === 'busy') return null;
  return (isProven ? 2 : 0) + (activity === 'stalled' ? 1 : 0);
}
