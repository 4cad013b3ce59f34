/**
 * How much one sender may ask of the receiver.
 *
 * It owns, for each address (of IPv6 each network of 64 bits), how many sessions it has and what it did in the current
 * minute. What a server may send by the thousand is a bounce to an address that only we could have signed; everything
 * that anybody can do is counted more strictly. This machine itself is not counted by the minute.
 *
 * At most MAX_ADDRESSES are remembered. When there are more, the minute starts over for all of them.
 */
import { isIPv6 } from 'node:net';
import { BoundedMap } from '../../kit/runtime/bounded-map.ts';
import { MINUTE_MS } from '../../kit/runtime/durations.ts';

export interface InboundLimits {
  readonly sessions: number;
  readonly sessionsPerAddress: number;
  /** Per address and minute. */
  readonly connections: number;
  readonly messages: number;
  /** To addresses that anybody knows: abuse, fbl, postmaster. */
  readonly openMessages: number;
  /** Recipients that there are not: guessing is slow. */
  readonly unknownRecipients: number;
}

export const DEFAULT_LIMITS: InboundLimits = {
  sessions: 400,
  sessionsPerAddress: 40,
  connections: 600,
  messages: 12_000,
  openMessages: 60,
  unknownRecipients: 60,
};

export type Limited = 'connections' | 'messages' | 'openMessages' | 'unknownRecipients';

const MAX_ADDRESSES = 20_000;

export class SenderLimits {
  readonly #limits: InboundLimits;
  readonly #nowMs: () => number;
  readonly #exempt: (address: string) => boolean;
  readonly #sessions = new Map<string, number>();
  readonly #counts = new BoundedMap<string, number>(MAX_ADDRESSES);
  #total = 0;
  #minute = 0;

  constructor(limits: InboundLimits, nowMs: () => number, exempt = isLoopbackPeer) {
    this.#limits = limits;
    this.#nowMs = nowMs;
    this.#exempt = exempt;
  }

  /** True when the session may begin; `leave` must follow then. */
  enter(address: string): boolean {
    const sender = remoteNetwork(address);
    const own = this.#sessions.get(sender) ?? 0;
    if (this.#total >= this.#limits.sessions || own >= this.#limits.sessionsPerAddress) return false;
    // Who is over one of these has to wait for the next minute altogether.
    if (!this.allows(address, 'connections') || this.#isOver(address, 'unknownRecipients')) return false;
    this.#sessions.set(sender, own + 1);
    this.#total += 1;
    return true;
  }

  leave(address: string): void {
    const sender = remoteNetwork(address);
    const left = (this.#sessions.get(sender) ?? 1) - 1;
    if (left > 0) this.#sessions.set(sender, left);
    else this.#sessions.delete(sender);
    this.#total -= 1;
  }

  /** Counts one more, and says whether there may be. */
  allows(address: string, what: Limited): boolean {
    if (this.#exempt(address)) return true;
    const key = this.#keyOf(address, what);
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    return count <= this.#limits[what];
  }

  #isOver(address: string, what: Limited): boolean {
    if (this.#exempt(address)) return false;
    return (this.#counts.get(this.#keyOf(address, what)) ?? 0) > this.#limits[what];
  }

  #keyOf(address: string, what: Limited): string {
    const minute = Math.floor(this.#nowMs() / MINUTE_MS);
    if (minute !== this.#minute) this.#counts.clear();
    this.#minute = minute;
    return `${what} ${remoteNetwork(address)}`;
  }
}

/** An IPv6 network of 64 bits is one customer, who may have any address in it. */
export function remoteNetwork(address: string): string {
  const v4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (v4 !== undefined) return v4;
  if (!isIPv6(address)) return address;
  const [head = '', tail] = (address.split('%')[0] as string).toLowerCase().split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length);
  const groups = [...left, ...Array<string>(zeros).fill('0'), ...right];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}

export function isLoopbackPeer(address: string): boolean {
  return /^(?:::ffff:)?127\.|^::1$/i.test(address);
}
