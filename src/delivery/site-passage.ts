/** The way of one delivery through its site: in hand, with a connection's worth of room, gone. */
import type { Attempt } from './decide.ts';
import type { Passage } from './passage.ts';
import type { SiteState } from './site-state.ts';
import type { Sites } from './sites.ts';

export class SitePassage implements Passage {
  readonly #state: SiteState;
  readonly #domain: string;
  readonly #sites: Sites;
  #holds: 'place' | 'slot' | 'nothing' = 'place';
  #sinceMs = 0;

  constructor(state: SiteState, domain: string, sites: Sites) {
    this.#state = state;
    this.#domain = domain;
    this.#sites = sites;
    state.enter();
  }

  get connections(): number {
    return this.#state.openAtMost;
  }

  slot(): boolean | Promise<boolean> {
    if (this.#isMisplaced()) return false;
    const turn = this.#state.takeSlot(this.#sites.nowMs());
    return typeof turn === 'boolean' ? this.#took(turn) : turn.then((mayGo) => this.#took(mayGo));
  }

  finished(attempt: Attempt): void {
    this.#sites.learn(this.#state, this.#domain, attempt, this.#sites.nowMs() - this.#sinceMs);
    this.leave();
  }

  leave(): void {
    const held = this.#holds;
    this.#holds = 'nothing';
    if (held === 'nothing') return;
    this.#state.leave();
    if (held === 'slot') this.#state.freeSlot(this.#sites.nowMs());
  }

  /** The domain was set apart, or let back in, since the delivery was claimed: it queues again, in the right place. */
  #isMisplaced(): boolean {
    const { site } = this.#state;
    return this.#sites.placeOf(site.shared ?? site, this.#domain).name !== site.name;
  }

  #took(mayGo: boolean): boolean {
    if (!mayGo) return false;
    if (this.#isMisplaced()) {
      this.#state.freeSlot(this.#sites.nowMs());
      return false;
    }
    this.#holds = 'slot';
    this.#sinceMs = this.#sites.nowMs();
    return true;
  }
}
