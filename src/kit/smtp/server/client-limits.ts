/**
 * How much one client may ask of a mail server in a minute. How many connections it may have is for session-slots.ts.
 *
 * It owns, for each address (of IPv6 each network of 64 bits), what it did in the current minute. This machine itself is
 * not counted. At most MAX_ADDRESSES are remembered, those that did something last.
 */
import { isIPv6 } from 'node:net';
import { BoundedMap } from '../../runtime/bounded-map.ts';
import { MINUTE_MS } from '../../runtime/durations.ts';

export type Limits<Counted extends string> = SessionLimits &
  Readonly<Record<Counted | 'connections', number>>;

export interface SessionLimits {
  readonly sessions: number;
  readonly sessionsPerAddress: number;
}

export interface ClientLimitsOptions<Counted extends string> {
  /** What is counted is so many per address and minute. */
  readonly limits: Limits<Counted>;
  readonly nowMs: () => number;
  /** Whom the limits by the minute do not concern; this machine itself unless said otherwise. */
  readonly exempt?: ((address: string) => boolean) | undefined;
  /** Who is over one of these has to wait for the next minute altogether. */
  readonly barring?: readonly NoInfer<Counted>[];
}

const MAX_ADDRESSES = 20_000;

export class ClientLimits<Counted extends string> {
  readonly #limits: Limits<Counted>;
  readonly #nowMs: () => number;
  readonly #exempt: (address: string) => boolean;
  readonly #barring: readonly (Counted | 'connections')[];
  readonly #counts = new BoundedMap<string, number>(MAX_ADDRESSES);
  #minute = 0;

  constructor({ limits, nowMs, exempt = isLoopbackPeer, barring = [] }: ClientLimitsOptions<Counted>) {
    this.#limits = limits;
    this.#nowMs = nowMs;
    this.#exempt = exempt;
    this.#barring = barring;
  }

  /** Counts a connection, and says whether it may be used. */
  mayConnect(address: string): boolean {
    return this.allows(address, 'connections') && !this.#barring.some((what) => this.isOver(address, what));
  }

  /** Counts one more, and says whether there may be. */
  allows(address: string, what: Counted | 'connections'): boolean {
    if (this.#exempt(address)) return true;
    const key = this.#keyOf(address, what);
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    return count <= this.#limits[what];
  }

  /** Whether there were too many already. */
  isOver(address: string, what: Counted | 'connections'): boolean {
    if (this.#exempt(address)) return false;
    return (this.#counts.get(this.#keyOf(address, what)) ?? 0) > this.#limits[what];
  }

  #keyOf(address: string, what: Counted | 'connections'): string {
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
