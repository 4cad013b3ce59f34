/** The way of one delivery through its site: in hand, with a connection's worth of room, gone. */
import type { ClaimedDelivery } from '../../outbox/states.ts';
import type { Attempt } from '../policy/decide.ts';
import type { ConnectionSlot } from './connection-slot.ts';
import type { LocalSite } from './local-site.ts';
import type { Site } from './site.ts';
import type { Testimony } from './site-reaction.ts';

type Delivery = Pick<ClaimedDelivery, 'domain' | 'attempt'>;

/** What a slot asks of all sites, and tells them. */
interface SlotSites {
  nowMs(): number;
  placeOf(site: Site, domain: string): Site;
  learn(local: LocalSite, about: Omit<Testimony, 'isTaken'>, attempt: Attempt): boolean;
}

export class SiteSlot implements ConnectionSlot {
  readonly #local: LocalSite;
  readonly #delivery: Delivery;
  readonly #sites: SlotSites;
  #holds: 'place' | 'slot' | 'nothing' = 'place';
  #sinceMs = 0;

  constructor(local: LocalSite, delivery: Delivery, sites: SlotSites) {
    this.#local = local;
    this.#delivery = delivery;
    this.#sites = sites;
    local.enter();
  }

  get connections(): number {
    return this.#local.openAtMost;
  }

  acquire(): boolean | Promise<boolean> {
    if (this.#isMisplaced()) return false;
    const turn = this.#local.takeSlot(this.#sites.nowMs());
    return typeof turn === 'boolean' ? this.#took(turn) : turn.then((mayGo) => this.#took(mayGo));
  }

  finished(attempt: Attempt, recipient: string): boolean {
    const { domain, attempt: number } = this.#delivery;
    const about = { domain, recipient, isRetry: number > 1, begunMs: this.#sinceMs };
    const isUntried = this.#sites.learn(this.#local, about, attempt);
    this.release();
    return isUntried;
  }

  release(): void {
    const held = this.#holds;
    this.#holds = 'nothing';
    if (held === 'nothing') return;
    this.#local.leave();
    if (held === 'slot') this.#local.freeSlot(this.#sites.nowMs());
  }

  /** The domain was set apart, or let back in, since the delivery was claimed: it queues again, in the right place. */
  #isMisplaced(): boolean {
    const { site } = this.#local;
    return this.#sites.placeOf(site.shared ?? site, this.#delivery.domain).name !== site.name;
  }

  #took(mayGo: boolean): boolean {
    if (!mayGo) return false;
    if (this.#isMisplaced()) {
      this.#local.freeSlot(this.#sites.nowMs());
      return false;
    }
    this.#holds = 'slot';
    this.#sinceMs = this.#sites.nowMs();
    return true;
  }
}
