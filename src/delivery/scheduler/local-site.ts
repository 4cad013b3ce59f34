/**
 * The state of one site in this worker.
 *
 * Owns how many deliveries are in hand (claimed and not finished), how many of those have a connection (`busy`), which ones
 * wait for a connection, the congestion window, and the evidence about the pace. A delivery is in hand → (waiting) → busy →
 * gone. When the site stops accepting mail, the waiting deliveries are refused and go back to the queue untried.
 *
 * `connections` and `mayProbe` are set at every sync, because they depend on the other workers.
 */

import { MINUTE_MS } from '../../runtime/durations.ts';
import { PaceEvidence } from './pace-evidence.ts';
import { Pacer } from './pacer.ts';
import { isResting } from './rate-limit.ts';
import type { ConnectedSite } from './site.ts';
import { type SiteCondition, siteStateOf } from './site-condition.ts';
import { SiteTraffic } from './site-traffic.ts';
import { UnverifiedDomainLimiter } from './unverified-domain-limiter.ts';
import { Window } from './window.ts';

/** Finished deliveries are counted over spans of this length. */
const SPAN_MS = 200;

/** Routed mail is put off, and not kept in hand, where more deliveries wait for a connection. */
const LONGEST_LINE = 50;
/** The time between the turns of mail that is put off, where the site has no pace. */
const SPACING_MS = 100;
const MAX_TURN_MS = 5 * MINUTE_MS;

type Turn = (mayGo: boolean) => void;

/** This worker's share of a site's limits. */
export interface SiteShare {
  readonly connections: number;
  readonly mayProbe: boolean;
  readonly perMinute: number | null;
}

/**
 * What a site offers a routed delivery. `open`: a connection, perhaps after a wait. `later`: the site is open, but accepts nothing
 * from this worker at the moment. `blocked`: the site is blocked, probing or paused. `closed`: this worker sends no more mail.
 */
export type Availability =
  | { readonly kind: 'open' | 'later' | 'closed' }
  | { readonly kind: 'blocked'; readonly untilMs: number | null };

export class LocalSite {
  readonly site: ConnectedSite;
  readonly window = new Window();
  readonly evidence: PaceEvidence;
  readonly traffic: SiteTraffic;
  /** This worker's share of the site's connections. */
  connections: number;
  /** Whether this worker tries first after a block. */
  mayProbe: boolean;
  /** This worker's share of the site's messages a minute; null where they are unlimited. */
  perMinute: number | null;
  touchedMs = 0;
  /** For the queue of an unverified domain: mail failed here. */
  failed = false;
  /** The domains with queues of their own at this site. */
  readonly unverifiedDomains = new UnverifiedDomainLimiter(this);
  readonly #pacer: Pacer;
  #condition: SiteCondition;
  #inHand = 0;
  #busy = 0;
  #waiting: Turn[] = [];
  readonly #speed: number;
  /** The last turn that was reserved. */
  #turnMs = 0;
  #closed = false;
  #span = { startMs: 0, count: 0, before: 0 };

  /** Whether any mail may be sent: the queue of an unverified domain waits while its site is not open. */
  readonly #mayServe: () => boolean;
  /** For the queue of an unverified domain: the limiter of all unverified domains at the site. */
  readonly #among: UnverifiedDomainLimiter | undefined;

  /** `speed` is how much faster than real time waits run. */
  constructor(
    site: ConnectedSite,
    condition: SiteCondition,
    share: SiteShare,
    speed: number,
    {
      mayServe = () => true,
      among,
    }: { mayServe?: () => boolean; among?: UnverifiedDomainLimiter | undefined } = {},
  ) {
    this.site = site;
    this.#condition = condition;
    this.#speed = speed;
    this.evidence = new PaceEvidence(speed);
    this.#pacer = new Pacer(speed);
    this.traffic = new SiteTraffic(speed);
    this.connections = share.connections;
    this.mayProbe = share.mayProbe;
    this.perMinute = share.perMinute;
    if (share.perMinute !== null) this.#pacer.begin();
    this.#mayServe = mayServe;
    this.#among = among;
  }

  get condition(): SiteCondition {
    return this.#condition;
  }

  /** A new pace begins with a wait, and clears the evidence about the old pace. */
  become(condition: SiteCondition, nowMs: number): void {
    const before = this.#condition;
    this.#condition = condition;
    const { slow } = condition;
    if (slow?.pace === before.slow?.pace && slow?.changedMs === before.slow?.changedMs) return;
    this.evidence.restart(nowMs);
    this.#pacer.restart();
    if (slow !== null) this.#pacer.available(slow.pace, nowMs);
  }

  /** How many connections to its hosts this worker may have, including those of other queues. */
  get openAtMost(): number {
    return this.#among?.connections ?? this.connections;
  }

  /** No delivery is in hand. */
  get isIdle(): boolean {
    return this.#inHand === 0 && this.unverifiedDomains.inHand === 0;
  }

  /** A delivery waits for a connection. */
  get isAwaited(): boolean {
    return this.#waiting.length > 0;
  }

  get busy(): number {
    return this.#busy;
  }

  /**
   * How many more deliveries to claim. Enough to keep the connections busy while more are claimed and loaded: few where a
   * delivery takes minutes, many where a delivery takes a millisecond. `tight`: this worker has little room left, and only
   * sites that finish deliveries quickly may have more than one in hand.
   */
  room(nowMs: number, tight: boolean): number {
    const allowed = this.#allowed(nowMs);
    if (allowed === 0) return 0;
    const state = siteStateOf(this.#condition, nowMs);
    if (this.#pace() !== null) return Math.max(0, this.#mayGo(nowMs) - (this.#inHand - this.#busy));
    const flowing = this.#recent(nowMs);
    const depth = (tight ? 1 : 2 * allowed) + flowing;
    const most = state === 'open' ? depth : 1;
    const free = most - this.#inHand;
    // Small claims cost as much as large ones.
    return free * 3 >= most ? free : 0;
  }

  /** Allows no more connections. */
  close(): void {
    this.#closed = true;
    this.admit(0);
  }

  enter(): void {
    this.#inHand += 1;
    if (this.#among) this.#among.inHand += 1;
  }

  leave(): void {
    this.#inHand -= 1;
    if (this.#among) this.#among.inHand -= 1;
  }

  /** Resolves to true when the delivery may connect, or to false when the site takes nothing now. */
  takeSlot(nowMs: number): Promise<boolean> {
    const allowed = this.#allowed(nowMs);
    if (allowed === 0) return Promise.resolve(false);
    if (this.#hasFree(allowed) && this.#waiting.length === 0) {
      this.#start(nowMs);
      return Promise.resolve(true);
    }
    this.#among?.wait(this);
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  freeSlot(nowMs: number): void {
    this.#busy -= 1;
    if (this.#among) this.#among.busy -= 1;
    this.#count(nowMs);
    (this.#among ?? this.unverifiedDomains).admit(nowMs);
  }

  /** After a change: lets waiting deliveries connect, or refuses them when the site accepts nothing. */
  admit(nowMs: number): void {
    while (this.#waiting.length > 0) {
      const allowed = this.#allowed(nowMs);
      if (allowed > 0 && !this.#hasFree(allowed)) return;
      if (allowed > 0) this.#start(nowMs);
      this.#waiting.shift()?.(allowed > 0);
    }
  }

  /** How many connections may be used now. */
  #allowed(nowMs: number): number {
    if (this.#closed || !this.#mayServe()) return 0;
    switch (siteStateOf(this.#condition, nowMs)) {
      case 'paused':
      case 'blocked':
        return 0;
      case 'probing':
        return this.mayProbe ? 1 : 0;
      case 'slow':
        return this.mayProbe && this.#mayGo(nowMs) > 0 ? this.#atOnce() : 0;
      case 'open':
        return this.connections === 0 || this.#mayGo(nowMs) < 1 ? 0 : this.#atOnce();
    }
  }

  #atOnce(): number {
    if (this.evidence.isSuspicious) return 1;
    return Math.max(1, Math.min(this.#width(), this.#unclaimed()));
  }

  /** Messages a minute, where they are limited. */
  #pace(): number | null {
    const slow = this.#condition.slow?.pace ?? null;
    if (slow === null || this.perMinute === null) return slow ?? this.perMinute;
    return Math.min(slow, this.perMinute);
  }

  /** How many messages may go now. */
  #mayGo(nowMs: number): number {
    const pace = this.#pace();
    if (pace === null) return Number.POSITIVE_INFINITY;
    const { slow } = this.#condition;
    if (slow !== null && isResting(slow, { nowMs, speed: this.#speed })) {
      this.#pacer.restart();
      return 0;
    }
    return this.#pacer.available(pace, nowMs);
  }

  /** For a routed delivery. */
  availability(nowMs: number): Availability {
    const state = siteStateOf(this.#condition, nowMs);
    if (this.#closed) return { kind: 'closed' };
    if (state === 'paused') return { kind: 'blocked', untilMs: null };
    if (state === 'blocked') return { kind: 'blocked', untilMs: this.#condition.block?.untilMs ?? null };
    if (state === 'probing' || !this.#mayServe()) {
      const isFree = this.mayProbe && this.#busy === 0 && this.#mayServe();
      return isFree ? { kind: 'open' } : { kind: 'blocked', untilMs: null };
    }
    const mayWait = this.#waiting.length < LONGEST_LINE;
    return { kind: mayWait && this.#allowed(nowMs) > 0 ? 'open' : 'later' };
  }

  /** The minutes until a delivery that is put off returns. Each gets its own turn, so that they do not return together. */
  reserveTurn(nowMs: number): number {
    const pace = this.#pace();
    const spacingMs = pace === null ? SPACING_MS : MINUTE_MS / pace;
    const nextMs = Math.max(this.#turnMs, nowMs) + spacingMs / this.#speed;
    this.#turnMs = Math.min(nextMs, nowMs + MAX_TURN_MS / this.#speed);
    return ((this.#turnMs - nowMs) * this.#speed) / MINUTE_MS;
  }

  #width(): number {
    return this.site.policy.congestionControl === 'none'
      ? this.connections
      : this.window.width(this.connections);
  }

  /** The connections that unverified domains do not use. */
  #unclaimed(): number {
    return this.connections - this.unverifiedDomains.busy;
  }

  #hasFree(allowed: number): boolean {
    return this.#busy < allowed && this.#among?.isFull !== true;
  }

  #start(nowMs: number): void {
    this.#busy += 1;
    if (this.#among) this.#among.busy += 1;
    this.traffic.began(nowMs);
    if (this.#pace() !== null) this.#pacer.take();
  }

  #count(nowMs: number): void {
    this.#turnSpan(nowMs);
    this.#span.count += 1;
  }

  #recent(nowMs: number): number {
    this.#turnSpan(nowMs);
    return Math.max(this.#span.count, this.#span.before);
  }

  #turnSpan(nowMs: number): void {
    const spans = Math.floor((nowMs - this.#span.startMs) / SPAN_MS);
    // Below zero after the clock was set back: the counts are discarded.
    if (spans === 0) return;
    this.#span = { startMs: nowMs, count: 0, before: spans === 1 ? this.#span.count : 0 };
  }
}
