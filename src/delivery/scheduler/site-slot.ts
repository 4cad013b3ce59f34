/**
 * The slot of a delivery that has one site:
 *
 *   in_hand ──acquire──▶ waiting ──its turn──▶ sending ──finished, release──▶ gone
 *                           │                                                   ▲
 *                           └── refused, or queued at the wrong site ▶ refused ─┘
 *
 * `release` leads from every state to gone. The delivery counts as in hand until then. It occupies a connection only while
 * sending.
 */
import type { ClaimedDelivery } from '../../outbox/states.ts';
import type { Attempt } from '../policy/decide.ts';
import type { DirectSlot } from './connection-slot.ts';
import type { LocalSite } from './local-site.ts';
import { type ConnectedSite, type DestinationSite, sharedSite } from './site.ts';
import type { AttemptReport } from './site-reaction.ts';

type Delivery = Pick<ClaimedDelivery, 'domain' | 'attempt'>;

/** The functions of the sites that a slot uses. */
interface SlotSites {
  nowMs(): number;
  placeOf(site: DestinationSite, domain: string): ConnectedSite;
  learn(local: LocalSite, about: Omit<AttemptReport, 'isAccepted'>, attempt: Attempt): boolean;
}

type State = 'in_hand' | 'waiting' | 'sending' | 'refused' | 'gone';

export class SiteSlot implements DirectSlot {
  readonly kind = 'direct';
  readonly #local: LocalSite;
  readonly #delivery: Delivery;
  readonly #sites: SlotSites;
  #state: State = 'in_hand';
  #sinceMs = 0;

  constructor(local: LocalSite, delivery: Delivery, sites: SlotSites) {
    this.#local = local;
    this.#delivery = delivery;
    this.#sites = sites;
    local.enter();
  }

  get site(): DestinationSite {
    return sharedSite(this.#local.site);
  }

  get connections(): number {
    return this.#local.openAtMost;
  }

  async acquire(): Promise<boolean> {
    this.#expect('in_hand');
    this.#state = 'waiting';
    const mayGo = !this.#isMisplaced() && (await this.#local.takeSlot(this.#sites.nowMs()));
    this.#expect('waiting');
    if (mayGo && !this.#isMisplaced()) {
      this.#state = 'sending';
      this.#sinceMs = this.#sites.nowMs();
      return true;
    }
    if (mayGo) this.#local.freeSlot(this.#sites.nowMs());
    this.#state = 'refused';
    return false;
  }

  finished(attempt: Attempt, recipient: string): boolean {
    this.#expect('sending');
    const { domain, attempt: number } = this.#delivery;
    const about = { domain, recipient, isRetry: number > 1, begunMs: this.#sinceMs };
    const isUntried = this.#sites.learn(this.#local, about, attempt);
    this.release();
    return isUntried;
  }

  release(): void {
    const before = this.#state;
    this.#state = 'gone';
    if (before === 'gone') return;
    this.#local.leave();
    if (before === 'sending') this.#local.freeSlot(this.#sites.nowMs());
  }

  #expect(state: State): void {
    if (this.#state !== state) throw new Error(`A delivery is ${this.#state} at its site, and not ${state}.`);
  }

  /** The domain became verified or unverified since the claim: the delivery queues again, at the right site. */
  #isMisplaced(): boolean {
    const { site } = this.#local;
    return this.#sites.placeOf(sharedSite(site), this.#delivery.domain).name !== site.name;
  }
}
