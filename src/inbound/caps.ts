/**
 * Limits untrusted mail that waits to be read, or that is kept for the operator. It is counted in messages and bytes, in total
 * and for each sender address. Signed return paths and public addresses are counted separately, so that junk to `postmaster`
 * never blocks a bounce. Pure, except for the tallies passed in.
 */
import { isLoopbackPeer, remoteNetwork } from '../runtime/caller-address.ts';

interface Cap {
  readonly messages: number;
  readonly bytes: number;
}

export interface Caps {
  readonly inAll: Cap;
  readonly ofSender: Cap;
  /** To the return path of one delivery, which its recipients know, or to the report address of one domain. */
  readonly ofDelivery: Cap;
}

/** The kind of address: the return path of a delivery, a public address, or a domain's report address. */
export type InboundKind = 'signed' | 'open' | 'report';

export type CapsByKind = Readonly<Record<InboundKind, Caps>>;

export interface WaitingCount {
  readonly kind: InboundKind;
  readonly remoteAddress: string;
  /** The delivery, or the domain of a report. Null for public addresses. */
  readonly delivery: string | null;
  readonly messages: number;
  readonly bytes: number;
}

const KIB = 1024;
const MIB = KIB * KIB;
const NO_CAP: Cap = { messages: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY };

/** A process that cannot read for an hour must not lose bounces; senders that get 452 keep them for days. */
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

/** As much as an operator is likely to read. */
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

/** The caps that an item counts towards. Mail from this machine itself has no sender to limit. */
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

/** The items to remove, from a list with the newest first. */
export function exceeding<T extends WaitingCount>(newestFirst: readonly T[], caps: CapsByKind): T[] {
  const tally = new Tally();
  return newestFirst.filter((one) => {
    if (!tally.fits(one, caps)) return true;
    tally.add(one, caps);
    return false;
  });
}
