/**
 * Limits what an address may request per minute before authentication, in addition to its total requests
 * (rate-limit.ts). Each of these costs more than an answer from memory: a query, a password hash, or a page.
 */
import { AddressQuotas } from '../runtime/address-quotas.ts';
import { isLoopbackPeer } from '../runtime/caller-address.ts';
import type { Clock } from '../runtime/clock.ts';
import { ApiError } from './errors.ts';

export interface UnauthenticatedLimits {
  /** API keys and sessions looked up in the database and not found. */
  readonly keyLookUps: number;
  /** Requests without a key or session that change something: sign-in, sign-up, password resets, invites. */
  readonly accountRequests: number;
  /** Host names looked up: those of requests, and those for which a proxy wants a certificate. */
  readonly hostLookUps: number;
  /** Requests outside of the API: dashboard, documentation, tracked links, open pixel, unsubscribing. */
  readonly pages: number;
}

type UnauthenticatedCounted = keyof UnauthenticatedLimits;

/**
 * The limit for pages is high because the image proxies of large mail services fetch the pixels of whole
 * campaigns from a few addresses.
 */
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

/**
 * Behind an untrusted proxy on this machine, every client appears as this machine, so its pages are not
 * counted.
 */
const NOT_OF_THIS_MACHINE: ReadonlySet<UnauthenticatedCounted> = new Set(['pages', 'hostLookUps']);

export class UnauthenticatedQuotas extends AddressQuotas<UnauthenticatedCounted> {
  constructor(clock: Clock, limits: Partial<UnauthenticatedLimits> = {}) {
    super({
      limits: { ...LIMITS, ...limits },
      nowMs: () => clock.nowMs(),
      exempt: (address, what) => NOT_OF_THIS_MACHINE.has(what) && isLoopbackPeer(address),
    });
  }

  /** Counts one more; throws at the limit. */
  take(address: string | undefined, what: UnauthenticatedCounted): void {
    if (this.allows(address, what)) return;
    throw new ApiError('RATE_LIMITED', [], REFUSALS[what], { retryAfterSeconds: this.resetSeconds });
  }
}
