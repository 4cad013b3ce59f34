/**
 * The way of one delivery that may go several ways:
 *
 *   in_hand ──choose──▶ chosen ──acquire──▶ sending ──finished──▶ (another) ──▶ sending … ──release──▶ gone
 *                                   └── every way is set aside, or takes nothing now ──▶ refused ──▶ gone
 *
 * It has a slot of one site at a time (site-slot.ts): that of the way it takes. A way that is set aside is passed over.
 * One that is well and busy is waited for: limits are there to be kept, and not to send mail another way.
 */
import { MINUTE_MS } from '../../kit/runtime/durations.ts';
import type { ClaimedDelivery } from '../../outbox/states.ts';
import type { Attempt } from '../policy/decide.ts';
import type { ConnectionSlot, Way } from './connection-slot.ts';
import type { Outlook } from './local-site.ts';
import type { Site } from './site.ts';

/** What it asks of all sites. */
export interface RoutedSlotSites {
  nowMs(): number;
  readonly pulse: { readonly speed: number; readonly random: () => number };
  outlookOf(site: Site, domain: string): Outlook;
  /** In how many minutes to come back to one that takes nothing now. */
  reserveTurn(site: Site, domain: string): number;
  enter(site: Site, delivery: ClaimedDelivery): ConnectionSlot;
}

/** Transports that are talked to in one attempt: enough for a fallback of a fallback. */
const MAX_TALKED_TO = 3;
const SHORTEST_WAIT_MS = 1_000;
/** Nobody tells mail that waits for a transport when an operator has mended it. */
const LONGEST_WAIT_MS = 5 * MINUTE_MS;
/** Where nobody knows until when. */
const UNKNOWN_WAIT_MS = 15_000;
/** What waits for the same does not come back at once. */
const SPREAD = 0.25;

export class RoutedSlot implements ConnectionSlot {
  readonly site: Site;
  readonly #home: Site;
  readonly #delivery: ClaimedDelivery;
  readonly #sites: RoutedSlotSites;
  readonly #leave: () => void;
  #ways: Way[] = [];
  #way: Way | null = null;
  #slot: ConnectionSlot | null = null;
  #talkedTo = 0;
  #isGone = false;
  #isClosed = false;
  #isPassedOver = false;
  #waitMs = Number.POSITIVE_INFINITY;

  /** `home` is where it goes if no rule is for it. `leave` is called when it has a slot of a site, or needs none any more. */
  constructor(home: Site, delivery: ClaimedDelivery, sites: RoutedSlotSites, leave: () => void) {
    this.site = home.destination ?? home;
    this.#home = home;
    this.#delivery = delivery;
    this.#sites = sites;
    this.#leave = once(leave);
  }

  get connections(): number {
    return this.#slot?.connections ?? 1;
  }

  get way(): Way | null {
    return this.#way;
  }

  /** For a delivery that was refused: not to be tried before then. */
  get putOffUntilMs(): number | null {
    if (this.#slot !== null || this.#isClosed) return null;
    const { speed, random } = this.#sites.pulse;
    const known = this.#waitMs === Number.POSITIVE_INFINITY ? UNKNOWN_WAIT_MS / speed : this.#waitMs;
    const waitMs = Math.max(SHORTEST_WAIT_MS / speed, Math.min(known, LONGEST_WAIT_MS / speed));
    return this.#sites.nowMs() + waitMs * (1 + SPREAD * random());
  }

  get isIncomplete(): boolean {
    return this.#isPassedOver || this.#ways.length > 0;
  }

  choose(waysFrom: (home: Site) => readonly Way[]): void {
    this.#ways = [...waysFrom(this.#home)];
  }

  async acquire(): Promise<boolean> {
    const isOpen = await this.#open();
    this.#leave();
    return isOpen;
  }

  /** Takes the next way that is open, after one that did not work. False: there is none, and the last one stands. */
  async another(): Promise<boolean> {
    this.#talkedTo += 1;
    this.#way?.passedOver?.();
    if (this.#talkedTo >= MAX_TALKED_TO) return false;
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
    for (let way = this.#ways.shift(); way !== undefined && !this.#isGone; way = this.#ways.shift()) {
      const outlook = this.#sites.outlookOf(way.site, domain);
      const wasPassedOver = this.#isPassedOver;
      this.#isPassedOver = true;
      if (outlook.kind === 'closed') this.#isClosed = true;
      if (outlook.kind === 'later') {
        this.#noteWait(this.#sites.reserveTurn(way.site, domain) * MINUTE_MS);
        return false;
      }
      if (outlook.kind === 'open' && !(await this.#isAdmitted(way))) {
        this.#noteWait(LONGEST_WAIT_MS);
        if (way.waits) return false;
        continue;
      }
      if (outlook.kind === 'open' && (await this.#enter(way))) {
        this.#isPassedOver = wasPassedOver;
        return true;
      }
      way.passedOver?.();
      const untilMs = outlook.kind === 'aside' ? outlook.untilMs : null;
      this.#noteWait(untilMs === null ? null : (untilMs - this.#sites.nowMs()) * this.#sites.pulse.speed);
    }
    return false;
  }

  async #isAdmitted(way: Way): Promise<boolean> {
    return way.admit === undefined || (await way.admit());
  }

  async #enter(way: Way): Promise<boolean> {
    const slot = this.#sites.enter(way.site, this.#delivery);
    // From here on it counts for that site, where it may wait for long.
    this.#leave();
    if (!(await slot.acquire())) {
      slot.release();
      return false;
    }
    this.#slot?.release();
    this.#slot = slot;
    this.#way = way;
    return true;
  }

  /** In real time, as if nothing were sped up. */
  #noteWait(ms: number | null): void {
    this.#waitMs = Math.min(this.#waitMs, (ms ?? UNKNOWN_WAIT_MS) / this.#sites.pulse.speed);
  }
}

function once(work: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) work();
    isDone = true;
  };
}
