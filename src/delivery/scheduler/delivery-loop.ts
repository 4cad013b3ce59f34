/**
 * Everything between the queue and one delivery, put together: sites, the directory of their domains, the lane finder,
 * the dispatcher, and the loop that asks for more when there is room.
 *
 * Stopping: deliveries that wait for a connection go back to the queue at once, those that have one finish within
 * the loop's time to drain.
 */
import type { Database } from '../../kit/database/database.ts';
import type { Clock } from '../../kit/runtime/clock.ts';
import type { Mode } from '../../kit/runtime/config.ts';
import type { Service } from '../../kit/runtime/lifecycle.ts';
import type { Log } from '../../kit/runtime/log.ts';
import { WorkLoop } from '../../kit/work-loop/loop.ts';
import type { ClaimedDelivery } from '../../outbox/states.ts';
import type { Router } from '../attempt/route.ts';
import type { ConnectionSlot } from './connection-slot.ts';
import { DeliveredDomains } from './delivered-domains.ts';
import { type Dispatched, Dispatcher } from './dispatcher.ts';
import { LaneFinder } from './lane-finder.ts';
import { SiteDirectory } from './site-directory.ts';
import { Sites, type SitesOptions } from './sites.ts';

export interface DeliveryLoopOptions extends Pick<SitesOptions, 'random' | 'speed' | 'onAttempt'> {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly epoch: number;
  readonly mode: Mode;
  readonly router: Pick<Router, 'site'>;
  /** False while nothing may be claimed. */
  readonly mayClaim: () => boolean;
  readonly deliver: (delivery: ClaimedDelivery, slot: ConnectionSlot) => Promise<void>;
  /** How long stop() waits for what has a connection. */
  readonly drainMs: number;
}

/** Deliveries in hand: most of them wait for their turn and hold next to nothing. */
const CAPACITY = 2_000;
const POLL_MS = 1_000;

export class DeliveryLoop implements Service {
  readonly name = 'delivery loop';
  readonly #options: DeliveryLoopOptions;
  readonly #sites: Sites;
  readonly #directory: SiteDirectory;
  readonly #dispatcher: Dispatcher;
  readonly #loop: WorkLoop<Dispatched>;

  constructor(options: DeliveryLoopOptions) {
    this.#options = options;
    const { db, log, epoch, mode, clock, router } = options;
    const nowMs = () => clock.nowMs();
    // How often to look must not depend on a clock that may be set.
    const steadyMs = () => performance.now();
    const delivered = new DeliveredDomains();
    this.#sites = new Sites({ ...options, delivered, onChange: () => this.#dispatcher.reconsider() });
    this.#directory = new SiteDirectory({
      db,
      log,
      nowMs,
      delivered,
      siteOf: (domain) => router.site(domain),
    });
    this.#dispatcher = new Dispatcher({
      db,
      log,
      claimant: { epoch, mode },
      nowMs: steadyMs,
      sites: this.#sites,
      directory: this.#directory,
      laneFinder: new LaneFinder({ db, nowMs: steadyMs }),
      capacity: CAPACITY,
      onChange: () => this.#loop.wake(),
    });
    this.#loop = new WorkLoop<Dispatched>({
      name: 'delivery',
      log,
      capacity: CAPACITY,
      pollMs: POLL_MS,
      drainMs: options.drainMs,
      claim: async (limit) => (options.mayClaim() ? this.#dispatcher.next(limit) : []),
      work: (dispatched) => this.#work(dispatched),
    });
  }

  get sites(): Pick<Sites, 'conditions' | 'nowMs'> {
    return this.#sites;
  }

  async start(): Promise<void> {
    await this.#sites.start();
    await this.#directory.start();
    await this.#loop.start();
  }

  async stop(): Promise<void> {
    this.#sites.close();
    await this.#loop.stop();
    await this.#directory.stop();
    await this.#sites.stop();
  }

  /** Resolves when nothing is in hand. To be asked after stop(). */
  idle(): Promise<void> {
    return this.#loop.idle();
  }

  /** There is new mail. */
  notice(): void {
    this.#dispatcher.notice();
  }

  /** There will be mail then. Later than the next poll, the poll finds it. */
  noticeAt(untilMs: number): void {
    const inMs = untilMs - this.#options.clock.nowMs();
    if (inMs < POLL_MS) setTimeout(() => this.notice(), Math.max(0, inMs)).unref();
  }

  /** It was given back to the queue untried. */
  handedBack(delivery: ClaimedDelivery): void {
    this.#dispatcher.handedBack(delivery);
  }

  async #work({ delivery, slot }: Dispatched): Promise<void> {
    try {
      await this.#options.deliver(delivery, slot);
    } finally {
      this.#dispatcher.done(delivery);
    }
  }
}
