/**
 * The sites that this worker sends to.
 *
 * Owns a LocalSite for each site in use. Every SYNC_MS it reads the conditions that all workers share (shared-conditions.ts),
 * together with the list of live workers.
 *
 * A failure counts against the site only where site-evidence.ts allows that. Otherwise it counts against a queue of the
 * domain's own (`UnverifiedDomainSite`). An unverified domain queues there from its first failure, or from the start where the
 * site serves other domains (unverified-domain-limiter.ts), until mail for the domain is accepted.
 *
 * Every worker computes its own part of a site's connections from the list of live workers (site-share.ts), so the
 * parts add up to the limit, except in the seconds after a worker starts or stops.
 */
import type { Database } from '../../database/database.ts';
import type { ClaimedDelivery } from '../../outbox/states.ts';
import type { Clock } from '../../runtime/clock.ts';
import { MINUTE_MS } from '../../runtime/durations.ts';
import type { Service } from '../../runtime/lifecycle.ts';
import type { Log } from '../../runtime/log.ts';
import { SingleFlight } from '../../runtime/single-flight.ts';
import type { Attempt } from '../policy/decide.ts';
import type { ConnectionSlot } from './connection-slot.ts';
import type { DeliveredDomains } from './delivered-domains.ts';
import { KnownDomains } from './known-domains.ts';
import { LiveWorkers, type LiveWorkersOptions } from './live-workers.ts';
import { LocalSite, type SiteShare } from './local-site.ts';
import type { LeftOver } from './plan-capacity.ts';
import { RoutedMail } from './routed-mail.ts';
import { SharedConditions } from './shared-conditions.ts';
import {
  type ConnectedSite,
  type DestinationSite,
  type HomeSite,
  type RoutedSite,
  type Site,
  sharedSite,
  unverifiedDomainSite,
  unverifiedDomainSiteName,
} from './site.ts';
import {
  cleared,
  narrowed,
  type SiteCondition,
  siteStateOf,
  takesUnverifiedDomains,
  type Why,
} from './site-condition.ts';
import { type AttemptReport, conditionAfter } from './site-reaction.ts';
import { type SiteSignal, signalOf } from './site-signal.ts';
import { SiteSlot } from './site-slot.ts';

export interface SitesOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly random: () => number;
  /** How much faster than real time blocks and slow times run. */
  readonly speed: number;
  readonly epoch: number;
  /** The name of this worker's cell; null where there is only one cell. */
  readonly cell?: string | null;
  readonly delivered: Pick<DeliveredDomains, 'has' | 'anyAt' | 'note'>;
  readonly sources: LiveWorkersOptions['sources'];
  /** For metrics. */
  readonly onAttempt?: ((provider: string, attempt: Attempt, tookMs: number) => void) | undefined;
}

const SYNC_MS = 2_000;
/** A site without mail for this long is forgotten, together with its congestion window. */
const FORGET_MS = 10 * MINUTE_MS;

export class Sites implements Service {
  readonly name = 'sites';
  readonly #options: SitesOptions;
  readonly #locals = new Map<string, LocalSite>();
  readonly #knownDomains: KnownDomains;
  readonly #conditions: SharedConditions;
  readonly #workers: LiveWorkers;
  readonly #routed = new RoutedMail(this, (site) => this.#localOf(site));
  #timer: NodeJS.Timeout | undefined;
  readonly #syncs = new SingleFlight<'sync', void>();
  #closed = false;
  #onChange: () => void = () => {};

  constructor(options: SitesOptions) {
    this.#options = options;
    this.#conditions = new SharedConditions(options.db, options.log);
    this.#workers = new LiveWorkers(options);
    this.#knownDomains = new KnownDomains(options.delivered);
  }

  /** Sets the listener that is called when a site may take more mail. */
  onChange(listener: () => void): void {
    this.#onChange = listener;
  }

  async start(): Promise<void> {
    await this.sync();
    this.#timer = setInterval(() => {
      this.sync().catch((error) => this.#options.log.warn({ err: error }, 'cannot read the state of sites'));
    }, SYNC_MS);
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#syncs.settled();
    await this.#conditions.settled();
  }

  /** How many deliveries to claim for a site. Call the function once for each site. `tight`: this worker has little room left. */
  rooms(tight: boolean): (site: Site) => number {
    const nowMs = this.nowMs();
    const forUnverified = new Map<LocalSite, number>();
    const forPlans: LeftOver = new Map();
    return (site) => {
      if (site.kind === 'routed') return this.#routed.room(site, forPlans, tight);
      const local = this.#localOf(site);
      if (site.kind !== 'unverified_domain') return local.room(nowMs, tight);
      // The domain's mail now queues at the site. A room of one lets the scheduler reach the lane and move it.
      if (!this.#isQueuedAlone(site.shared, site.name)) return 1;
      const shared = this.#localOf(site.shared);
      const left = forUnverified.get(shared) ?? shared.unverifiedDomains.room;
      // One delivery at a time. Once a message is accepted, the domain's mail queues at the site.
      const room = local.isIdle ? Math.min(local.room(nowMs, tight), left, 1) : 0;
      forUnverified.set(shared, left - room);
      return room;
    };
  }

  /** Counts one more delivery in hand at the site. `home` is its site if no rule of the route table matches. */
  admit(site: Site, delivery: ClaimedDelivery, home: HomeSite): ConnectionSlot {
    if (site.kind === 'routed') return this.#routed.admit(site, home, delivery);
    return new SiteSlot(this.#localOf(site), delivery, this);
  }

  /** The same for a path of a routed delivery. */
  enter(site: DestinationSite, delivery: ClaimedDelivery): ConnectionSlot {
    return new SiteSlot(this.#localOf(this.placeOf(site, delivery.domain)), delivery, this);
  }

  get timing(): { readonly speed: number; readonly random: () => number } {
    return this.#options;
  }

  /** The queue of a lane that the route table has placed at `site`. */
  queueOf(site: HomeSite | RoutedSite, domain: string): Site {
    return site.kind === 'routed' ? this.#routed.queueOf(site, domain) : this.placeOf(site, domain);
  }

  /** The queue for mail to a domain of this site: the site itself, or the domain's own queue at the site. */
  placeOf(site: DestinationSite, domain: string): ConnectedSite {
    if (site.policy.congestionControl !== 'learning') return site;
    if (this.#knownDomains.knows(site, domain, this.nowMs())) return site;
    const name = unverifiedDomainSiteName(site, domain);
    return this.#isQueuedAlone(site, name) ? unverifiedDomainSite(site, domain) : site;
  }

  /** Whether an unverified domain has a queue of its own. At a site that is not open, verified domains try first. */
  #isQueuedAlone(site: DestinationSite, place: string): boolean {
    const isOpen = this.#isOpen(site);
    if (!this.#knownDomains.serves(site, this.nowMs())) return isOpen && this.#hasFailed(place);
    return isOpen || this.#hasFailed(place);
  }

  #hasFailed(place: string): boolean {
    return this.#conditions.has(place) || this.#locals.get(place)?.failed === true;
  }

  /** Allows no more connections, and refuses the deliveries that wait for a connection. */
  close(): void {
    for (const local of this.#locals.values()) local.close();
    this.#closed = true;
  }

  nowMs(): number {
    return this.#options.clock.nowMs();
  }

  /** Judges an attempt for its site. True when the site refused the connection only because of our other connections. */
  learn(local: LocalSite, about: Omit<AttemptReport, 'isAccepted'>, attempt: Attempt): boolean {
    const { policy, provider } = local.site;
    this.#options.onAttempt?.(provider, attempt, this.nowMs() - about.begunMs);
    if (policy.congestionControl === 'none') return false;
    const isAccepted = attempt.outcome.kind === 'delivered';
    const signal = signalOf({ isRetry: about.isRetry, ...attempt }, policy);
    if (signal.kind !== 'crowded') {
      this.#react(local, { isAccepted, ...about }, signal);
      return false;
    }
    if (this.#narrow(this.#localOf(sharedSite(local.site)), signal.why, signal.beside)) return true;
    this.#react(local, { isAccepted, ...about }, { ...signal, kind: 'failure' });
    return false;
  }

  #react(local: LocalSite, report: AttemptReport, signal: Exclude<SiteSignal, { kind: 'crowded' }>): void {
    const { random, speed } = this.#options;
    const moment = { nowMs: this.nowMs(), random, speed };
    const isFirstEver = report.isAccepted && !this.#knownDomains.serves(sharedSite(local.site), moment.nowMs);
    for (const affected of this.#affectedBy(local, report, signal)) {
      const reaction = conditionAfter(affected, signal, report, moment, this.#workers.size);
      // All evidence against the site came from unverified domains.
      const after = isFirstEver ? cleared(reaction) : reaction;
      if (after !== affected.condition) this.#change(affected, after);
    }
  }

  /**
   * Limits the site to one connection less than this worker has, the refused one included. `beside` counts the other
   * connections that the server has accepted, in use or idle. False when there is no other connection: then their number was
   * not the reason.
   */
  #narrow(local: LocalSite, why: Why, beside: number): boolean {
    const busy = Math.min(local.busy + local.unverifiedDomains.busy, local.connections) - 1;
    const ours = Math.max(busy, Math.min(beside, local.connections));
    if (ours < 1) return false;
    this.#change(local, narrowed(local.condition, why, ours * this.#workers.size, { nowMs: this.nowMs() }));
    return true;
  }

  /** Sites that are not open, for metrics. */
  conditions(): ReadonlyMap<string, SiteCondition> {
    return this.#conditions.all;
  }

  /** Reads the conditions and the workers that other processes have stored. */
  sync(): Promise<void> {
    return this.#syncs.run('sync', () => this.#sync());
  }

  async #sync(): Promise<void> {
    await this.#workers.read();
    await this.#conditions.read();
    this.#refresh();
    this.#onChange();
  }

  #refresh(): void {
    const nowMs = this.nowMs();
    this.#knownDomains.forgetOld(nowMs);
    for (const [name, local] of this.#locals) {
      if (local.isIdle && nowMs - local.touchedMs > FORGET_MS) {
        this.#locals.delete(name);
        continue;
      }
      local.become(this.#conditions.of(name), nowMs);
      Object.assign(local, this.#shareOf(local.site));
      local.admit(nowMs);
    }
  }

  /** What the attempt counts for: the site, or the domain alone. At a relay always the relay, because recipients do not choose it. */
  #affectedBy(local: LocalSite, { domain, isAccepted }: AttemptReport, signal: SiteSignal): LocalSite[] {
    if (local.site.policy.congestionControl !== 'learning') return [local];
    const shared = sharedSite(local.site);
    if (isAccepted) {
      this.#knownDomains.noteAccepted(shared, domain, this.nowMs());
      return [...new Set([local, this.#localOf(shared)])];
    }
    if (signal.kind === 'silent' || signal.kind === 'reachable') return [local];
    if (this.#knownDomains.weigh(shared, domain, this.nowMs()) === 'site')
      return [...new Set([local, this.#localOf(shared)])];
    const own = this.#localOf(unverifiedDomainSite(shared, domain));
    own.failed = true;
    return [own];
  }

  #change(local: LocalSite, condition: SiteCondition): void {
    const { name } = local.site;
    const { log } = this.#options;
    const nowMs = this.nowMs();
    const state = siteStateOf(condition, nowMs);
    if (state === 'open' && siteStateOf(local.condition, nowMs) !== 'open') local.window.restart();
    local.become(condition, nowMs);
    this.#conditions.set(name, condition);
    Object.assign(local, this.#shareOf(local.site));
    log.info({ site: name, state, ...condition }, 'a site changed');
    local.admit(nowMs);
  }

  #localOf(site: ConnectedSite): LocalSite {
    let local = this.#locals.get(site.name);
    if (local === undefined) {
      const condition = this.#conditionOf(site);
      local = new LocalSite(site, condition, this.#shareOf(site), this.#options.speed, this.#bondOf(site));
      if (this.#closed) local.close();
      this.#locals.set(site.name, local);
    }
    local.touchedMs = this.nowMs();
    if (site.kind === 'unverified_domain') this.#localOf(site.shared);
    return local;
  }

  /** The options that connect the queue of an unverified domain to its site. */
  #bondOf(site: ConnectedSite): ConstructorParameters<typeof LocalSite>[4] {
    if (site.kind !== 'unverified_domain') return {};
    const { shared } = site;
    const { speed } = this.#options;
    const mayServe = () => takesUnverifiedDomains(this.#conditionOf(shared), this.nowMs(), speed);
    return { mayServe, among: this.#localOf(shared).unverifiedDomains };
  }

  #isOpen(site: DestinationSite): boolean {
    return siteStateOf(this.#conditionOf(site), this.nowMs()) === 'open';
  }

  #conditionOf({ name }: Site): SiteCondition {
    return this.#conditions.of(name);
  }

  #shareOf(site: ConnectedSite): SiteShare {
    return this.#workers.shareOf(site, this.#conditionOf(site));
  }
}
