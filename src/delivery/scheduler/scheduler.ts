/**
 * Which mail goes next: finds lanes with due mail, decides whose turn it is, claims, and knows what is in hand.
 *
 * A lane, from a look that saw due mail in it until a claim that found it empty:
 *
 *   seen ──its site is known──▶ queued ──its turn, and the site has room──▶ claimed from ──is empty──▶ forgotten
 *     └──it is not: looked up──▶┘    ▲────────────── has more ──────────────────┘
 *
 * A delivery, from its claim on; site-slot.ts has the part between:
 *
 *   claimed: in hand ──deliver──▶ settled, or given back ──release──▶ not in hand
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
 * A claim whose answer is lost leaves mail claimed that nobody has. So after a claim that failed, and from time to time,
 * what the table says this worker holds is compared with what it has in hand; the rest goes back.
 */
import type { Database } from '../../kit/database/database.ts';
import type { Clock } from '../../kit/runtime/clock.ts';
import type { Mode } from '../../kit/runtime/config.ts';
import type { Service } from '../../kit/runtime/lifecycle.ts';
import type { Log } from '../../kit/runtime/log.ts';
import { claim, claimExpired } from '../../outbox/claim.ts';
import { type Lane, laneText } from '../../outbox/lanes.ts';
import { keyText, releaseOrphanedClaims } from '../../outbox/settle.ts';
import type { Claimant, ClaimedDelivery } from '../../outbox/states.ts';
import { type ConnectionSlot, FREE_SLOT } from './connection-slot.ts';
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

/** Deliveries in hand: most of them wait for their turn and hold next to nothing. */
export const CAPACITY = 2_000;
/** How often to ask for more when nobody wakes us. */
export const POLL_MS = 1_000;
const RECONCILE_EVERY_MS = 5_000;
const EXPIRED_EVERY_MS = 1_000;
const EXPIRED_AT_ONCE = 200;
/** Deliveries finish one by one, and after every one of them somebody asks. */
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
    this.#sites.onChange(() => this.#ring());
  }

  /** Whoever asks for work is told when asking is worth while. */
  onWork(listener: () => void): void {
    this.#onWork = listener;
  }

  async start(): Promise<void> {
    await this.#sites.start();
    await this.#directory.start();
  }

  /** Nobody gets a connection any more: deliveries that wait for one are given back. */
  close(): void {
    this.#sites.close();
  }

  async stop(): Promise<void> {
    await this.#directory.stop();
    await this.#sites.stop();
  }

  /** There is new mail; where `lanes` says in which, nobody has to look for it. */
  wake(lanes?: readonly Lane[]): void {
    this.#laneFinder.notice(lanes);
    this.#ring();
  }

  /** There will be mail then. Later than the next poll, the poll finds it. */
  wakeAt(untilMs: number): void {
    const inMs = untilMs - this.#options.clock.nowMs();
    if (inMs < POLL_MS) setTimeout(() => this.wake(), Math.max(0, inMs)).unref();
  }

  /** What to deliver now, at most `limit`. Each is in hand until it is released. */
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

  /** A dispatched delivery is settled, or back in the queue. */
  release(delivery: ClaimedDelivery): void {
    const key = keyText(delivery);
    // Given back and claimed again, it is another one by now.
    if (this.#inHand.get(key) === delivery) this.#inHand.delete(key);
  }

  /** The route table has changed. Where sites know more of recipients because of that, all of them are asked for again. */
  reroute(): void {
    if (this.#options.router.recipientSite !== undefined) {
      this.#directory.forget();
      this.#queue = new FairQueue(); // the patrol finds its lanes again
    }
    this.#ring();
  }

  /** It was given back to the queue untried: its lane has mail that is due, and nobody else will say so. */
  requeue(delivery: ClaimedDelivery): void {
    this.#place(delivery);
  }

  /** Mail that somebody told of goes before what is done from time to time; every other time at most. */
  async #findAndClaim(limit: number): Promise<Dispatched[]> {
    this.#isQuick = !this.#isQuick && this.#laneFinder.isTold;
    if (this.#isQuick) {
      for (const lane of this.#laneFinder.takeTold()) this.#place(lane);
      return this.#claim(limit);
    }
    await this.#reconcile();
    const expired = await this.#claimExpired(limit);
    await this.#look();
    return [...expired, ...(await this.#claim(limit - expired.length))];
  }

  /** Between claims: what is claimed and not in hand now is in nobody's hand. */
  async #reconcile(): Promise<void> {
    const { db, log } = this.#options;
    const nowMs = steadyMs();
    if (nowMs - this.#reconciledMs < RECONCILE_EVERY_MS) return;
    const strays = await releaseOrphanedClaims(db, this.#claimant.epoch, [...this.#inHand.values()]);
    this.#reconciledMs = nowMs;
    if (strays === 0) return;
    log.warn({ deliveries: strays }, 'gave back deliveries that were claimed and never came');
    this.#laneFinder.notice();
  }

  async #claimExpired(limit: number): Promise<Dispatched[]> {
    if (steadyMs() - this.#expiredMs < EXPIRED_EVERY_MS) return [];
    const expired = await claimExpired(this.#options.db, this.#claimant, Math.min(limit, EXPIRED_AT_ONCE));
    if (expired.length < EXPIRED_AT_ONCE) this.#expiredMs = steadyMs();
    return expired.map((delivery) => {
      const site = this.#directory.known(delivery.domain) ?? null;
      return this.#dispatch(delivery, { ...FREE_SLOT, site });
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
    // Lanes that were believed to have mail had the room; it is the others' now.
    if (claimed.length === 0) this.#ring();
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
    if (site === null) return; // the patrol comes by again
    this.#queue.add(lane, this.#places.of(lane, site));
    this.#ring();
  }

  /** Domains are set apart and let back in while their lanes wait: those are placed anew before anything is claimed. */
  #isInPlace(want: SiteWant): boolean {
    if (this.#places.of(want, this.#places.homeOf(want)).name === want.site.name) return true;
    this.#queue.remove(want);
    this.#place(want);
    this.#ring();
    return false;
  }

  /** A lane that gave less than asked is empty. One that stays is placed anew where its place has changed: hosts move. */
  #afterClaim(lane: SiteWant, missing: number): void {
    const site = this.#directory.known(lane.domain);
    if (missing > 0) this.#queue.remove(lane);
    else if (site === undefined || this.#places.of(lane, site).name !== lane.site.name) {
      this.#queue.remove(lane);
      this.#place(lane);
    }
  }

  /** Asking is worth while again: there is more mail, or more room for it. */
  #ring(): void {
    if (this.#state.kind === 'resting') this.#state = READY;
    this.#onWork();
  }

  /** Who asks while it rests is told when the rest is over. */
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

/** How often to look must not depend on a clock that may be set. */
function steadyMs(): number {
  return performance.now();
}
