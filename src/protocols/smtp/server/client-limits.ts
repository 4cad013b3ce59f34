/** How much one client may ask of a mail server in a minute. How many connections it may have is for session-slots.ts. */
import { AddressQuotas } from '../../../runtime/address-quotas.ts';
import { isLoopbackPeer } from '../../../runtime/caller-address.ts';

export type Limits<Counted extends string> = SessionLimits &
  Readonly<Record<Counted | 'connections', number>>;

export interface SessionLimits {
  readonly sessions: number;
  readonly sessionsPerAddress: number;
}

interface ClientLimitsOptions<Counted extends string> {
  /** What is counted is so many per address and minute. */
  readonly limits: Limits<Counted>;
  readonly nowMs: () => number;
  /** Whom the limits do not concern; this machine itself unless said otherwise. */
  readonly exempt?: ((address: string) => boolean) | undefined;
  /** Who is over one of these has to wait for the next minute altogether. */
  readonly barring?: readonly NoInfer<Counted>[];
}

export class ClientLimits<Counted extends string> extends AddressQuotas<Counted | 'connections'> {
  readonly #barring: readonly Counted[];

  constructor({ limits, nowMs, exempt = isLoopbackPeer, barring = [] }: ClientLimitsOptions<Counted>) {
    super({ limits, nowMs, exempt });
    this.#barring = barring;
  }

  /** Counts a connection, and says whether it may be used. */
  mayConnect(address: string): boolean {
    return this.allows(address, 'connections') && !this.#barring.some((what) => this.isOver(address, what));
  }
}
