/**
 * What the work loop asks for more: finds due mail, decides whose turn it is, claims it.
 *
 * Owns the fair queue and what is in hand. Looking and claiming never run at the same time: a claim that finds a lane empty
 * takes it out of the queue, and must not undo what a look has seen meanwhile.
 *
 * A claim whose answer is lost leaves mail claimed that nobody has. So after a claim that failed, and from time to time,
 * what the table says this worker holds is compared with what it has in hand; the rest goes back.
 */
import type { Database } from '../../kit/database/database.ts';
import type { Log } from '../../kit/runtime/log.ts';
import { claim, claimExpired } from '../../outbox/claim.ts';
import { type Lane, laneText } from '../../outbox/lanes.ts';
import { giveBackStrays, keyText } from '../../outbox/settle.ts';
import type { Claimant, ClaimedDelivery } from '../../outbox/states.ts';
import { type ConnectionSlot, FREE_SLOT } from './connection-slot.ts';
import { FairQueue, type SiteWant } from './fair-queue.ts';
import type { LaneFinder } from './lane-finder.ts';
import type { SiteDirectory } from './site-directory.ts';
import type { Sites } from './sites.ts';

export interface DispatcherOptions {
  readonly db: Database;
  readonly log: Log;
  readonly claimant: Claimant;
  /** From a clock that is never set. */
  readonly nowMs: () => number;
  readonly sites: Pick<Sites, 'rooms' | 'admit' | 'placeOf'>;
  readonly directory: Pick<SiteDirectory, 'find' | 'known'>;
  readonly laneFinder: Pick<LaneFinder, 'look' | 'notice' | 'isHurrying'>;
  /** How many deliveries the loop holds at most. */
  readonly capacity: number;
  /** Asking again is worth while. */
  readonly onChange: () => void;
}

/** A claimed delivery on its way. */
export interface Dispatched {
  readonly delivery: ClaimedDelivery;
  readonly slot: ConnectionSlot;
}

const RECONCILE_EVERY_MS = 5_000;
const EXPIRED_EVERY_MS = 1_000;
const EXPIRED_AT_ONCE = 200;
/** Deliveries finish one by one, and every one of them makes the loop ask. */
const REST_MS = 3;

export class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #queue = new FairQueue();
  readonly #inHand = new Map<string, ClaimedDelivery>();
  #reconciledMs = Number.NEGATIVE_INFINITY;
  #expiredMs = Number.NEGATIVE_INFINITY;
  #restUntilMs = 0;
  #alarm: NodeJS.Timeout | null = null;

  constructor(options: DispatcherOptions) {
    this.#options = options;
  }

  /** Somebody says that there is new mail. */
  notice(): void {
    this.#options.laneFinder.notice();
    this.#restUntilMs = 0;
    this.#options.onChange();
  }

  /** A site changed, and may take what it did not. */
  reconsider(): void {
    this.#restUntilMs = 0;
    this.#options.onChange();
  }

  async next(limit: number): Promise<Dispatched[]> {
    if (this.#isResting()) return [];
    await this.#reconcile();
    try {
      const expired = await this.#claimExpired(limit);
      await this.#look();
      const claimed = await this.#claim(limit - expired.length);
      if (claimed.length === 0) this.#restUntilMs = this.#options.nowMs() + REST_MS;
      return [...expired, ...claimed];
    } catch (error) {
      this.#reconciledMs = Number.NEGATIVE_INFINITY;
      throw error;
    }
  }

  /** Between claims: what is claimed and not in hand now is in nobody's hand. */
  async #reconcile(): Promise<void> {
    const { db, claimant, log } = this.#options;
    const nowMs = performance.now();
    if (nowMs - this.#reconciledMs < RECONCILE_EVERY_MS) return;
    const strays = await giveBackStrays(db, claimant.epoch, [...this.#inHand.values()]);
    this.#reconciledMs = nowMs;
    if (strays === 0) return;
    log.warn({ deliveries: strays }, 'gave back deliveries that were claimed and never came');
    this.#options.laneFinder.notice();
  }

  /** It was claimed, not tried and given back: its lane has mail that is due, and nobody else will say so. */
  handedBack(delivery: ClaimedDelivery): void {
    this.#place(delivery);
  }

  /** A dispatched delivery is settled. */
  done(delivery: ClaimedDelivery): void {
    const key = keyText(delivery);
    // Given back and claimed again, it is another one by now.
    if (this.#inHand.get(key) === delivery) this.#inHand.delete(key);
  }

  async #claimExpired(limit: number): Promise<Dispatched[]> {
    const { db, claimant, nowMs } = this.#options;
    if (nowMs() - this.#expiredMs < EXPIRED_EVERY_MS) return [];
    const expired = await claimExpired(db, claimant, Math.min(limit, EXPIRED_AT_ONCE));
    if (expired.length < EXPIRED_AT_ONCE) this.#expiredMs = nowMs();
    return expired.map((delivery) => this.#dispatch(delivery, FREE_SLOT));
  }

  async #look(): Promise<void> {
    const busy = this.#queue.size > 0;
    for (const lane of await this.#options.laneFinder.look({ busy, full: this.#queue.isFull }))
      this.#place(lane);
    if (this.#options.laneFinder.isHurrying) this.#options.onChange();
  }

  #place({ domain, organizationId, priority }: Lane): void {
    const lane = { domain, organizationId, priority };
    if (this.#queue.has(lane)) return;
    let waited = false;
    this.#options.directory.find(domain, (site) => {
      this.#queue.add(lane, this.#options.sites.placeOf(site, domain));
      if (waited) this.reconsider();
    });
    waited = true;
  }

  async #claim(limit: number): Promise<Dispatched[]> {
    const { db, claimant, sites, capacity } = this.#options;
    const tight = this.#inHand.size > capacity / 2;
    const wants = this.#queue.wants(limit, sites.rooms(tight)).filter((want) => this.#isInPlace(want));
    if (wants.length === 0) return [];
    const claimed = await claim(db, claimant, wants);
    const byLane = new Map(wants.map((want) => [laneText(want), { want, missing: want.room }]));
    const dispatched = claimed.map((delivery) => {
      const asked = byLane.get(laneText(delivery)) as { want: SiteWant; missing: number };
      asked.missing -= 1;
      return this.#dispatch(delivery, sites.admit(asked.want.site, delivery));
    });
    for (const { want, missing } of byLane.values()) this.#afterClaim(want, missing);
    return dispatched;
  }

  /** Domains are set apart and let back in while their lanes wait: those are placed anew before anything is claimed. */
  #isInPlace(want: SiteWant): boolean {
    const site = want.site.shared ?? want.site;
    if (this.#options.sites.placeOf(site, want.domain).name === want.site.name) return true;
    this.#queue.remove(want);
    this.#place(want);
    this.reconsider();
    return false;
  }

  /** A lane that gave less than asked is empty. One that stays is placed anew where its place has changed: hosts move. */
  #afterClaim(lane: SiteWant, missing: number): void {
    const { directory, sites } = this.#options;
    const site = directory.known(lane.domain);
    if (missing > 0) this.#queue.remove(lane);
    else if (site === undefined || sites.placeOf(site, lane.domain).name !== lane.site.name) {
      this.#queue.remove(lane);
      this.#place(lane);
    }
  }

  #dispatch(delivery: ClaimedDelivery, slot: ConnectionSlot): Dispatched {
    this.#inHand.set(keyText(delivery), delivery);
    return { delivery, slot };
  }

  #isResting(): boolean {
    const restMs = this.#restUntilMs - this.#options.nowMs();
    if (restMs <= 0) return false;
    this.#alarm ??= setTimeout(() => {
      this.#alarm = null;
      this.#options.onChange();
    }, restMs).unref();
    return true;
  }
}
