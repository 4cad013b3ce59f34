/**
 * How much of strangers' mail there may be: what waits to be read, and what is kept for the operator. Counted in messages
 * and bytes, in all and for each sender's address; apart for signed return paths and for the addresses that anybody
 * knows, so that junk to `postmaster` never keeps a bounce out. Pure, but for the tallies it is given.
 */
import { isLoopbackPeer, remoteNetwork } from '../runtime/caller-address.ts';

export interface Cap {
  readonly messages: number;
  readonly bytes: number;
}

export interface Caps {
  readonly inAll: Cap;
  readonly ofSender: Cap;
  /** To the return path of one delivery, which its recipients know, or to the address of one domain's reports. */
  readonly ofDelivery: Cap;
}

/** What it was sent to: the return path of a delivery, an address that anybody knows, or where a domain's reports go. */
export type InboundKind = 'signed' | 'open' | 'report';

export type CapsByKind = Readonly<Record<InboundKind, Caps>>;

export interface WaitingCount {
  readonly kind: InboundKind;
  readonly remoteAddress: string;
  /** Or the domain that is reported about. Null for the addresses that anybody knows. */
  readonly delivery: string | null;
  readonly messages: number;
  readonly bytes: number;
}

const KIB = 1024;
const MIB = KIB * KIB;
const NO_CAP: Cap = { messages: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY };

/** A process that cannot read for an hour must not lose bounces; senders that are told 452 keep them for days. */
export const WAITING_CAPS: CapsByKind = {
  signed: {
    inAll: { messages: 50_000, bytes: 256 * MIB },
    ofSender: { messages: 10_000, bytes: 64 * MIB },
    ofDelivery: { messages: 20, bytes: 2 * MIB },
  },
  open: {
    inAll: { messages: 2_000, bytes: 64 * MIB },
    ofSender: { messages: 200, bytes: 8 * MIB },
    ofDelivery: NO_CAP,
  },
  report: {
    inAll: { messages: 2_000, bytes: 64 * MIB },
    ofSender: { messages: 200, bytes: 16 * MIB },
    ofDelivery: { messages: 200, bytes: 16 * MIB },
  },
};

/** As much as an operator looks at. */
export const KEPT_CAPS: CapsByKind = {
  signed: {
    inAll: { messages: 500, bytes: 32 * MIB },
    ofSender: { messages: 100, bytes: 4 * MIB },
    ofDelivery: { messages: 5, bytes: MIB },
  },
  open: {
    inAll: { messages: 500, bytes: 32 * MIB },
    ofSender: { messages: 50, bytes: 2 * MIB },
    ofDelivery: NO_CAP,
  },
  report: {
    inAll: { messages: 100, bytes: 32 * MIB },
    ofSender: { messages: 20, bytes: 8 * MIB },
    ofDelivery: { messages: 10, bytes: 8 * MIB },
  },
};

/** How much there is of each thing that is capped. */
export class Tally {
  readonly #counts = new Map<string, { messages: number; bytes: number }>();

  fits(one: WaitingCount, caps: CapsByKind): boolean {
    return capped(one, caps).every(([key, cap]) => {
      const { messages, bytes } = this.#counts.get(key) ?? { messages: 0, bytes: 0 };
      return messages + one.messages <= cap.messages && bytes + one.bytes <= cap.bytes;
    });
  }

  add(one: WaitingCount, caps: CapsByKind): void {
    for (const [key] of capped(one, caps)) {
      const count = this.#counts.get(key) ?? { messages: 0, bytes: 0 };
      this.#counts.set(key, { messages: count.messages + one.messages, bytes: count.bytes + one.bytes });
    }
  }
}

/** What an item counts towards. This machine itself is nobody who could be blamed. */
function capped(one: WaitingCount, caps: CapsByKind): readonly (readonly [string, Cap])[] {
  const { kind } = one;
  const { inAll, ofSender, ofDelivery } = caps[kind];
  return [
    [kind, inAll],
    ...(isLoopbackPeer(one.remoteAddress)
      ? []
      : [[`${kind} ${remoteNetwork(one.remoteAddress)}`, ofSender] as const]),
    ...(one.delivery === null ? [] : [[`to ${one.delivery}`, ofDelivery] as const]),
  ];
}

/** Those that have to go, of a list with the newest first. */
export function exceeding<T extends WaitingCount>(newestFirst: readonly T[], caps: CapsByKind): T[] {
  const tally = new Tally();
  return newestFirst.filter((one) => {
    if (!tally.fits(one, caps)) return true;
    tally.add(one, caps);
    return false;
  });
}
