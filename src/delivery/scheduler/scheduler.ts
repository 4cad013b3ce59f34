/**
 * Decides which mail is delivered next: finds lanes with due mail, picks the next lanes, claims their mail, and tracks the
 * deliveries in hand.
 *
 * The states of a lane, from the read that finds due mail to the claim that finds the lane empty:
 *
 *   seen ──site is known──▶ queued ──its turn, and the site has room──▶ claimed from ──is empty──▶ removed
 *     └──site is looked up──▶┘    ▲────────────── has more ──────────────────┘
 *
 * The states of a delivery, from its claim on (site-slot.ts describes the connection):
 *
 *   claimed: in hand ──deliver──▶ settled, released, or dropped because the claim is not on disk ──release──▶ not in hand
 *
 * The states of the scheduler:
 *
 *            next               nothing was claimed           wake, or REST_MS
 *   ready ──────────▶ asking ─────────────────────▶ resting ──────────────────▶ ready
 *     ▲                 │ mail was claimed, or the claim failed
 *     └─────────────────┘
 *
 * Reads of due lanes and claims never run at the same time: a claim removes an empty lane from the queue, and must not remove a
 * lane in which a concurrent read has found new mail.
 *
 * A claim whose result is lost leaves orphans: deliveries that are claimed and in no worker's memory. So after a failed claim, and
 * every RECONCILE_EVERY_MS, the worker compares its claims in the table with the deliveries in hand and releases the others.
 */
import type { Database } from '../../database/database.ts';
import { claimEarly, claimExpired } from '../../outbox/claim.ts';
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

/** A claimed delivery with its connection slot. */
export interface Dispatched {
  readonly delivery: ClaimedDelivery;
  readonly slot: ConnectionSlot;
  /** Whether the claim is on disk. The delivery must not be handed over to a server before, or if it is false. */
  readonly isClaimed: Promise<boolean>;
}

type State = { readonly kind: 'ready' | 'asking' } | { readonly kind: 'resting'; readonly untilMs: number };

/** Deliveries in hand. Most of them wait for a connection and use little memory. */
export const CAPACITY = 2_000;
/** How often to look for mail without a wake-up. */
export const POLL_MS = 1_000;
const RECONCILE_EVERY_MS = 5_000;
const EXPIRED_EVERY_MS = 1_000;
const EXPIRED_AT_ONCE = 200;
/** A pause after an empty claim, because every finished delivery triggers another claim. */
const REST_MS = 3;

const READY: State = { kind: 'ready' };
const ON_DISK = Promise.resolve(true);

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

  /** Announces new mail. With `lanes`, the scheduler need not search for the lanes. */
  wake(lanes?: readonly Lane[]): void {
    this.#laneFinder.notice(lanes);
    this.#wakeUp();
  }

  /** Announces mail that is due at `untilMs`. Mail that is due after the next poll is found by a poll. */
  wakeAt(untilMs: number): void {
    const inMs = untilMs - this.#options.clock.nowMs();
    if (inMs < POLL_MS) setTimeout(() => this.wake(), Math.max(0, inMs)).unref();
  }

  /** Claims at most `limit` deliveries to make now. Each is in hand until `release`. */
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
    // If the delivery was claimed again meanwhile, the map holds another object.
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

  /** Runs between claims, so a delivery that is claimed and not in hand is an orphan. */
  async #reconcile(): Promise<void> {
    const { db, log } = this.#options;
    const nowMs = steadyMs();
    if (nowMs - this.#reconciledMs < RECONCILE_EVERY_MS) return;
    const orphans = await releaseOrphanedClaims(db, this.#claimant.epoch, [...this.#inHand.values()]);
    this.#reconciledMs = nowMs;
    if (orphans === 0) return;
    log.warn({ deliveries: orphans }, 'released deliveries that were claimed but never reached a worker');
    this.#laneFinder.notice();
  }

  async #claimExpired(limit: number): Promise<Dispatched[]> {
    if (steadyMs() - this.#expiredMs < EXPIRED_EVERY_MS) return [];
    const expired = await claimExpired(this.#options.db, this.#claimant, Math.min(limit, EXPIRED_AT_ONCE));
    if (expired.length < EXPIRED_AT_ONCE) this.#expiredMs = steadyMs();
    return expired.map((delivery) => {
      const site = this.#directory.known(delivery.domain) ?? null;
      return this.#dispatch(delivery, { ...UNLIMITED_SLOT, site }, ON_DISK);
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
    const { deliveries, committed } = await claimEarly(this.#options.db, this.#claimant, wants);
    const isClaimed = committed.then(
      () => true,
      (error: unknown) => this.#lostClaim(error),
    );
    const byLane = new Map(wants.map((want) => [laneText(want), { want, missing: want.room }]));
    const dispatched = deliveries.map((delivery) => {
      const asked = byLane.get(laneText(delivery)) as { want: SiteWant; missing: number };
      asked.missing -= 1;
      const { site } = asked.want;
      return this.#dispatch(
        delivery,
        this.#sites.admit(site, delivery, this.#places.homeOf(asked.want)),
        isClaimed,
      );
    });
    for (const { want, missing } of byLane.values()) this.#afterClaim(want, missing);
    // The lanes with room are empty, so other lanes may use the room now.
    if (deliveries.length === 0) this.#wakeUp();
    return dispatched;
  }

  #dispatch(delivery: ClaimedDelivery, slot: ConnectionSlot, isClaimed: Promise<boolean>): Dispatched {
    this.#inHand.set(keyText(delivery), delivery);
    return { delivery, slot, isClaimed };
  }

  #lostClaim(error: unknown): false {
    this.#reconciledMs = Number.NEGATIVE_INFINITY;
    this.#options.log.warn({ err: error }, 'a claim may not be on disk; its mail is claimed again');
    return false;
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

  /** Whether the lane still queues at this site. Moves the lane otherwise, for example after its domain became verified. */
  #isInPlace(want: SiteWant): boolean {
    if (this.#places.of(want, this.#places.homeOf(want)).name === want.site.name) return true;
    this.#queue.remove(want);
    this.#place(want);
    this.#wakeUp();
    return false;
  }

  /** Removes a lane with less mail than asked for: it is empty. Moves the lane if the hosts of its domain have changed. */
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

  /** While the scheduler rests, sets a timer that calls the listener at the end of the rest. */
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

/** A monotonic clock, because intervals must not depend on a clock that may be set. */
function steadyMs(): number {
  return performance.now();
}
