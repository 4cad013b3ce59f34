/**
 * The slot of a delivery that has several egress paths:
 *
 *   in_hand ──choose──▶ chosen ──acquire──▶ sending ──finished──▶ (acquireNext) ──▶ sending … ──release──▶ gone
 *                                   └── every path is blocked, or takes nothing now ──▶ refused ──▶ gone
 *
 * The slot holds a SiteSlot (site-slot.ts) of the path in use. Paths whose site is blocked or paused are skipped. At a site that
 * is open and busy the delivery waits, because a limit must not move mail to another path.
 */

import type { ClaimedDelivery } from '../../outbox/states.ts';
import { MINUTE_MS } from '../../runtime/durations.ts';
import type { Attempt } from '../policy/decide.ts';
import type { ConnectionSlot, EgressPath, RoutedConnectionSlot } from './connection-slot.ts';
import type { Availability } from './local-site.ts';
import { type DestinationSite, type HomeSite, recipientSite } from './site.ts';

/** The functions of the sites that a routed slot uses. */
export interface RoutedSlotSites {
  nowMs(): number;
  readonly timing: { readonly speed: number; readonly random: () => number };
  availabilityOf(site: DestinationSite, domain: string): Availability;
  /** In how many minutes to try again at a site that takes nothing now. */
  reserveTurn(site: DestinationSite, domain: string): number;
  enter(site: DestinationSite, delivery: ClaimedDelivery): ConnectionSlot;
}

/** The most paths tried in one attempt: enough for a fallback of a fallback. */
const MAX_TRIED = 3;
const SHORTEST_WAIT_MS = 1_000;
/** Bounds the wait, because nothing wakes mail when an operator has repaired its transport. */
const LONGEST_WAIT_MS = 5 * MINUTE_MS;
/** The wait where its end is unknown. */
const UNKNOWN_WAIT_MS = 15_000;
/** Jitter: mail that waits for the same site does not return all at once. */
const JITTER = 0.25;

export class RoutedSlot implements RoutedConnectionSlot {
  readonly kind = 'routed';
  readonly site: HomeSite;
  readonly #home: HomeSite;
  readonly #delivery: ClaimedDelivery;
  readonly #sites: RoutedSlotSites;
  readonly #leave: () => void;
  #paths: EgressPath[] = [];
  #path: EgressPath | null = null;
  #slot: ConnectionSlot | null = null;
  #tried = 0;
  #isGone = false;
  #isClosed = false;
  #hasSkipped = false;
  #waitMs = Number.POSITIVE_INFINITY;

  /** `home` is the site if no rule matches. `leave` is called when the delivery has a slot of a site, or needs none any more. */
  constructor(home: HomeSite, delivery: ClaimedDelivery, sites: RoutedSlotSites, leave: () => void) {
    this.site = recipientSite(home);
    this.#home = home;
    this.#delivery = delivery;
    this.#sites = sites;
    this.#leave = once(leave);
  }

  get connections(): number {
    return this.#slot?.connections ?? 1;
  }

  get path(): EgressPath | null {
    return this.#path;
  }

  get putOffUntilMs(): number | null {
    if (this.#slot !== null || this.#isClosed) return null;
    const { speed, random } = this.#sites.timing;
    const known = this.#waitMs === Number.POSITIVE_INFINITY ? UNKNOWN_WAIT_MS / speed : this.#waitMs;
    const waitMs = Math.max(SHORTEST_WAIT_MS / speed, Math.min(known, LONGEST_WAIT_MS / speed));
    return this.#sites.nowMs() + waitMs * (1 + JITTER * random());
  }

  get isIncomplete(): boolean {
    return this.#hasSkipped || this.#paths.length > 0;
  }

  choose(pathsFrom: (home: HomeSite) => readonly EgressPath[]): void {
    this.#paths = [...pathsFrom(this.#home)];
  }

  async acquire(): Promise<boolean> {
    const isOpen = await this.#open();
    this.#leave();
    return isOpen;
  }

  async acquireNext(): Promise<boolean> {
    this.#tried += 1;
    this.#path?.skipped?.();
    if (this.#tried >= MAX_TRIED) return false;
    return this.#open();
  }

  finished(attempt: Attempt, recipient: string): boolean {
    return this.#slot?.finished(attempt, recipient) ?? false;
  }

  release(): void {
    this.#isGone = true;
    this.#leave();
    this.#slot?.release();
  }

  async #open(): Promise<boolean> {
    const { domain } = this.#delivery;
    for (let path = this.#paths.shift(); path !== undefined && !this.#isGone; path = this.#paths.shift()) {
      const availability = this.#sites.availabilityOf(path.site, domain);
      const hadSkipped = this.#hasSkipped;
      this.#hasSkipped = true;
      if (availability.kind === 'closed') this.#isClosed = true;
      if (availability.kind === 'later') {
        this.#noteWait(this.#sites.reserveTurn(path.site, domain) * MINUTE_MS);
        return false;
      }
      if (availability.kind === 'open' && !(await isAdmitted(path))) {
        this.#noteWait(LONGEST_WAIT_MS);
        if (path.waits) return false;
        continue;
      }
      if (availability.kind === 'open' && (await this.#enter(path))) {
        this.#hasSkipped = hadSkipped;
        return true;
      }
      path.skipped?.();
      const untilMs = availability.kind === 'blocked' ? availability.untilMs : null;
      this.#noteWait(untilMs === null ? null : (untilMs - this.#sites.nowMs()) * this.#sites.timing.speed);
    }
    return false;
  }

  async #enter(path: EgressPath): Promise<boolean> {
    const slot = this.#sites.enter(path.site, this.#delivery);
    // From here on the delivery counts for that site, where it may wait for long.
    this.#leave();
    if (!(await slot.acquire())) {
      slot.release();
      return false;
    }
    this.#slot?.release();
    this.#slot = slot;
    this.#path = path;
    return true;
  }

  /** `ms` is in real time; null where the end of the wait is unknown. */
  #noteWait(ms: number | null): void {
    this.#waitMs = Math.min(this.#waitMs, (ms ?? UNKNOWN_WAIT_MS) / this.#sites.timing.speed);
  }
}

async function isAdmitted(path: EgressPath): Promise<boolean> {
  return path.admit === undefined || (await path.admit());
}

function once(work: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) work();
    isDone = true;
  };
}
