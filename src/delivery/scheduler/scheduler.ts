/**
 * Decides which mail is delivered next: finds lanes with due mail, picks the next ones, claims, and tracks the deliveries in hand.
 *
 * A lane, from a look that saw due mail in it until a claim that found it empty:
 *
 *   seen ──its site is known──▶ queued ──its turn, and the site has room──▶ claimed from ──is empty──▶ forgotten
 *     └──it is not: looked up──▶┘    ▲────────────── has more ──────────────────┘
 *
 * A delivery, from its claim on; site-slot.ts has the part between:
 *
 *   claimed: in hand ──deliver──▶ settled, or released ──release──▶ not in hand
 *
 * The scheduler itself:
 *
 *            next               nothing was claimed           wake, or REST_MS
 *   ready ──────────▶ asking ─────────────────────▶ resting ──────────────────▶ ready
 *     ▲                 │ something was, or it failed
 *     └─────────────────┘
 *
 * Looking and claiming never run at the same time: a claim that finds a lane empty takes it out of the queue, and must
 * not undo what a look has seen meanwhile.
 *
 * A claim whose answer is lost leaves orphans: deliveries that are claimed and in no worker's memory. So after a failed claim, and
 * every few seconds, the worker compares its claims in the table with the deliveries in hand and releases the others.
 */
import type { Database } from '../../database/database.ts';
import { claim, claimExpired } from '../../outbox/claim.ts';
import { type Lane, laneText } from '../../outbox/lanes.ts';
import { keyText, releaseOrphanedClaims } from '../../outbox/settle.ts';
import type { Claimant, ClaimedDelivery } from '../../outbox/states.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Mode } from '../../runtime/config.ts';
import type { Service } from '../../runtime/lifecycle.ts';
import type { Log } from '../../runtime/log.ts';
import { type ConnectionSlot, UNLIMITED_SLOT } from './connection-slot.ts';
import { DeliveredDomains } from './delivered-domains.ts';
import { FairQueue, type SiteWant } from './fair-queue.ts';
import { LaneFinder } from './lane-finder.ts';
import { LanePlaces, type LaneRouting } from './lane-places.ts';
import { SiteDirectory, type SiteLookup } from './site-directory.ts';
import { Sites, type SitesOptions } from './sites.ts';

export interface SchedulerOptions extends Pick<SitesOptions, 'random' | 'speed' | 'onAttempt' | 'cell'> {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly epoch: number;
  readonly mode: Mode;
  readonly router: SiteLookup;
  readonly routes: LaneRouting;
  /** False while nothing may be claimed. */
  readonly mayClaim: () => boolean;
}

/** A claimed delivery on its way. */
export interface Dispatched {
  readonly delivery: ClaimedDelivery;
  readonly slot: ConnectionSlot;
}

type State = { readonly kind: 'ready' | 'asking' } | { readonly kind: 'resting'; readonly untilMs: number };

/** Deliveries in hand. Most of them wait for a connection and use little memory. */
export const CAPACITY = 2_000;
/** How often to look for mail without a wake-up. */
export const POLL_MS = 1_000;
const RECONCILE_EVERY_MS = 5_000;
const EXPIRED_EVERY_MS = 1_000;
const EXPIRED_AT_ONCE = 200;
/** Deliveries finish one by one, and each of them asks for more. */
const REST_MS = 3;

const READY: State = { kind: 'ready' };

export class Scheduler implements Service {
  readonly name = 'delivery scheduler';
  readonly #options: SchedulerOptions;
  readonly #claimant: Claimant;
  readonly #sites: Sites;
  readonly #directory: SiteDirectory;
  readonly #laneFinder: LaneFinder;
  readonly #places: LanePlaces;
  #queue = new FairQueue();
  readonly #inHand = new Map<string, ClaimedDelivery>();
  #state: State = READY;
  #isQuick = false;
  #reconciledMs = Number.NEGATIVE_INFINITY;
  #expiredMs = Number.NEGATIVE_INFINITY;
  #alarm: NodeJS.Timeout | null = null;
  #onWork: () => void = () => {};

  constructor(options: SchedulerOptions) {
    this.#options = options;
    const { db, log, clock, router, routes } = options;
    const delivered = new DeliveredDomains();
    const siteOf = (domain: string) => router.site(domain);
    this.#claimant = options;
    this.#laneFinder = new LaneFinder({ db, nowMs: steadyMs });
    this.#directory = new SiteDirectory({ db, log, nowMs: () => clock.nowMs(), delivered, siteOf });
    this.#sites = new Sites({ ...options, delivered, sources: () => routes.sources() });
    this.#places = new LanePlaces(this.#sites, this.#directory, routes);
    this.#sites.onChange(() => this.#wakeUp());
  }

  /** Sets the listener that is called when `next` may return mail. */
  onWork(listener: () => void): void {
    this.#onWork = listener;
  }

  async start(): Promise<void> {
    await this.#sites.start();
    await this.#directory.start();
  }

  /** Allows no more connections: deliveries that wait for a connection are released. */
  close(): void {
    this.#sites.close();
  }

  async stop(): Promise<void> {
    await this.#directory.stop();
    await this.#sites.stop();
  }

  /** There is new mail. With `lanes`, the lanes need not be searched for. */
  wake(lanes?: readonly Lane[]): void {
    this.#laneFinder.notice(lanes);
    this.#wakeUp();
  }

  /** There will be mail at that time. The poll finds mail that is due later than the next poll. */
  wakeAt(untilMs: number): void {
    const inMs = untilMs - this.#options.clock.nowMs();
    if (inMs < POLL_MS) setTimeout(() => this.wake(), Math.max(0, inMs)).unref();
  }

  /** The deliveries to make now, at most `limit`. Each is in hand until `release`. */
  async next(limit: number): Promise<Dispatched[]> {
    if (this.#isResting() || !this.#options.mayClaim()) return [];
    if (this.#state.kind !== 'ready') throw new Error(`Asked for more mail while ${this.#state.kind}.`);
    this.#state = { kind: 'asking' };
    try {
      const dispatched = await this.#findAndClaim(limit);
      this.#state = dispatched.length > 0 ? READY : { kind: 'resting', untilMs: steadyMs() + REST_MS };
      return dispatched;
    } catch (error) {
      this.#state = READY;
      this.#reconciledMs = Number.NEGATIVE_INFINITY;
      throw error;
    }
  }

  /** A dispatched delivery was settled, or released to the queue. */
  release(delivery: ClaimedDelivery): void {
    const key = keyText(delivery);
    // A delivery that was claimed again meanwhile is another object.
    if (this.#inHand.get(key) === delivery) this.#inHand.delete(key);
  }

  /** The route table has changed. Where rules may need the sites of recipients behind a relay, all sites are looked up again. */
  reroute(): void {
    if (this.#options.router.recipientSite !== undefined) {
      this.#directory.forget();
      this.#queue = new FairQueue(); // the patrol finds its lanes again
    }
    this.#wakeUp();
  }

  /** The delivery was released untried: its lane has due mail, and no other notice will come. */
  requeue(delivery: ClaimedDelivery): void {
    this.#place(delivery);
  }

  /** Announced lanes come before periodic work, but at most every other time. */
  async #findAndClaim(limit: number): Promise<Dispatched[]> {
    this.#isQuick = !this.#isQuick && this.#laneFinder.hasHints;
    if (this.#isQuick) {
      for (const lane of this.#laneFinder.takeHints()) this.#place(lane);
      return this.#claim(limit);
    }
    await this.#reconcile();
    const expired = await this.#claimExpired(limit);
    await this.#look();
    return [...expired, ...(await this.#claim(limit - expired.length))];
  }

  /** Runs between claims: what is claimed and not in hand then is an orphan. */
  async #reconcile(): Promise<void> {
    const { db, log } = this.#options;
    const nowMs = steadyMs();
    if (nowMs - this.#reconciledMs < RECONCILE_EVERY_MS) return;
    const orphans = await releaseOrphanedClaims(db, this.#claimant.epoch, [...this.#inHand.values()]);
    this.#reconciledMs = nowMs;
    if (orphans === 0) return;
    log.warn({ deliveries: orphans }, 'released deliveries that were claimed and never received');
    this.#laneFinder.notice();
  }

  async #claimExpired(limit: number): Promise<Dispatched[]> {
    if (steadyMs() - this.#expiredMs < EXPIRED_EVERY_MS) return [];
    const expired = await claimExpired(this.#options.db, this.#claimant, Math.min(limit, EXPIRED_AT_ONCE));
    if (expired.length < EXPIRED_AT_ONCE) this.#expiredMs = steadyMs();
    return expired.map((delivery) => {
      const site = this.#directory.known(delivery.domain) ?? null;
      return this.#dispatch(delivery, { ...UNLIMITED_SLOT, site });
    });
  }

  async #look(): Promise<void> {
    const found = await this.#laneFinder.look({ busy: this.#queue.size > 0, full: this.#queue.isFull });
    for (const lane of found) this.#place(lane);
    if (this.#laneFinder.isHurrying) this.#onWork();
  }

  async #claim(limit: number): Promise<Dispatched[]> {
    const rooms = this.#sites.rooms(this.#inHand.size > CAPACITY / 2);
    const wants = this.#queue.wants(limit, rooms).filter((want) => this.#isInPlace(want));
    if (wants.length === 0) return [];
    const claimed = await claim(this.#options.db, this.#claimant, wants);
    const byLane = new Map(wants.map((want) => [laneText(want), { want, missing: want.room }]));
    const dispatched = claimed.map((delivery) => {
      const asked = byLane.get(laneText(delivery)) as { want: SiteWant; missing: number };
      asked.missing -= 1;
      const { site } = asked.want;
      return this.#dispatch(delivery, this.#sites.admit(site, delivery, this.#places.homeOf(asked.want)));
    });
    for (const { want, missing } of byLane.values()) this.#afterClaim(want, missing);
    // The lanes that had the room are empty: others may have it now.
    if (claimed.length === 0) this.#wakeUp();
    return dispatched;
  }

  #dispatch(delivery: ClaimedDelivery, slot: ConnectionSlot): Dispatched {
    this.#inHand.set(keyText(delivery), delivery);
    return { delivery, slot };
  }

  #place({ domain, organizationId, priority }: Lane): void {
    const lane = { domain, organizationId, priority };
    if (this.#queue.has(lane)) return;
    const site = this.#directory.known(domain);
    if (site === undefined) void this.#placeWhenKnown(lane);
    else this.#queue.add(lane, this.#places.of(lane, site));
  }

  async #placeWhenKnown(lane: Lane): Promise<void> {
    const site = await this.#directory.find(lane.domain);
    if (site === null) return; // the patrol will find the lane again
    this.#queue.add(lane, this.#places.of(lane, site));
    this.#wakeUp();
  }

  /** Whether the lane still queues at this site: a domain may become verified while its lane waits. Moves the lane otherwise. */
  #isInPlace(want: SiteWant): boolean {
    if (this.#places.of(want, this.#places.homeOf(want)).name === want.site.name) return true;
    this.#queue.remove(want);
    this.#place(want);
    this.#wakeUp();
    return false;
  }

  /** A lane that gave less than asked is empty. A lane that stays moves if the hosts of its domain have changed. */
  #afterClaim(lane: SiteWant, missing: number): void {
    const site = this.#directory.known(lane.domain);
    if (missing > 0) this.#queue.remove(lane);
    else if (site === undefined || this.#places.of(lane, site).name !== lane.site.name) {
      this.#queue.remove(lane);
      this.#place(lane);
    }
  }

  /** There is more mail, or more room for mail. */
  #wakeUp(): void {
    if (this.#state.kind === 'resting') this.#state = READY;
    this.#onWork();
  }

  /** While it rests, a question sets a timer that wakes the listener at the end of the rest. */
  #isResting(): boolean {
    if (this.#state.kind !== 'resting') return false;
    const leftMs = this.#state.untilMs - steadyMs();
    if (leftMs <= 0) {
      this.#state = READY;
      return false;
    }
    this.#alarm ??= setTimeout(() => {
      this.#alarm = null;
      this.#onWork();
    }, leftMs).unref();
    return true;
  }
}

/** Intervals must not depend on a clock that may be set. */
function steadyMs(): number {
  return performance.now();
}
