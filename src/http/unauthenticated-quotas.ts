/**
 * What an address may ask of the API within a minute before it is known who asks, beside the count of all its requests
 * (rate-limit.ts). Each of these costs more than an answer from memory: a query, a password hash, or a page.
 */
import { AddressQuotas } from '../runtime/address-quotas.ts';
import { isLoopbackPeer } from '../runtime/caller-address.ts';
import type { Clock } from '../runtime/clock.ts';
import { ApiError } from './errors.ts';

export interface UnauthenticatedLimits {
  /** API keys and sessions that are looked up in the database and not found. */
  readonly keyLookUps: number;
  /** Requests without a key or session that change something: signing in and up, new passwords, invites. */
  readonly accountRequests: number;
  /** Names of hosts that are looked up: those of requests, and those that a proxy wants a certificate for. */
  readonly hostLookUps: number;
  /** Everything outside of the API: the dashboard, the documentation, tracked links, the pixel, unsubscribing. */
  readonly pages: number;
}

type UnauthenticatedCounted = keyof UnauthenticatedLimits;

/** Pages: the image proxies of large mail services fetch the pixels of whole campaigns from a few addresses. */
const LIMITS: UnauthenticatedLimits = {
  keyLookUps: 600,
  accountRequests: 300,
  hostLookUps: 6_000,
  pages: 60_000,
};

const REFUSALS: Readonly<Record<UnauthenticatedCounted, string>> = {
  keyLookUps: 'Too many unknown API keys or sessions from your address. Check the key, then try again.',
  accountRequests: 'Too many attempts from your address. Try again in a minute.',
  hostLookUps: 'Too many requests for unknown hosts from your address. Try again in a minute.',
  pages: 'Too many requests from your address. Try again in a minute.',
};

/** A proxy on this machine that is not configured as trusted makes everybody this machine: its pages are not counted. */
const NOT_OF_THIS_MACHINE: ReadonlySet<UnauthenticatedCounted> = new Set(['pages', 'hostLookUps']);

export class UnauthenticatedQuotas extends AddressQuotas<UnauthenticatedCounted> {
  constructor(clock: Clock, limits: Partial<UnauthenticatedLimits> = {}) {
    super({
      limits: { ...LIMITS, ...limits },
      nowMs: () => clock.nowMs(),
      exempt: (address, what) => NOT_OF_THIS_MACHINE.has(what) && isLoopbackPeer(address),
    });
  }

  /** Counts one more, and throws where there were enough. */
  take(address: string | undefined, what: UnauthenticatedCounted): void {
    if (this.allows(address, what)) return;
    throw new ApiError('RATE_LIMITED', [], REFUSALS[what], { retryAfterSeconds: this.resetSeconds });
  }
}
