/**
 * Mail that may go several ways, between its claim and the moment when it is known which it goes.
 *
 * Owns how much of it is in hand, by the place that it was claimed for.
 */
import type { ClaimedDelivery } from '../../outbox/states.ts';
import type { ConnectionSlot } from './connection-slot.ts';
import type { LocalSite, Outlook } from './local-site.ts';
import { type LeftOver, planRoom } from './plan-room.ts';
import { RoutedSlot, type RoutedSlotSites } from './routed-slot.ts';
import { apartName, type RoutePlan, type Site } from './site.ts';

interface RoutedSites extends Pick<RoutedSlotSites, 'nowMs' | 'pulse' | 'enter'> {
  placeOf(site: Site, domain: string): Site;
}

export class RoutedMail implements RoutedSlotSites {
  readonly #sites: RoutedSites;
  readonly #localOf: (site: Site) => LocalSite;
  readonly #undecided = new Map<string, number>();

  constructor(sites: RoutedSites, localOf: (site: Site) => LocalSite) {
    this.#sites = sites;
    this.#localOf = localOf;
  }

  /** How many more deliveries to claim for the place. */
  room({ name, shared }: Site, plan: RoutePlan, left: LeftOver, tight: boolean): number {
    const undecided = this.#undecided.get(name) ?? 0;
    const room = planRoom(plan, this.#localOf, left, this.#sites.nowMs(), tight) - undecided;
    // A stranger's mail comes one by one, as it does to one site.
    return shared === undefined ? room : Math.min(room, 1 - undecided);
  }

  admit({ name }: Site, home: Site, delivery: ClaimedDelivery): ConnectionSlot {
    this.#undecided.set(name, (this.#undecided.get(name) ?? 0) + 1);
    return new RoutedSlot(home, delivery, this, () => this.#decided(name));
  }

  /** Mail of a domain that is a stranger to one of the sites is not claimed together with others'. */
  placeOf(site: Site, { ways }: RoutePlan, domain: string): Site {
    const isStranger = ways.flat(2).some((one) => this.#sites.placeOf(one, domain) !== one);
    return isStranger ? { ...site, name: apartName(site, domain), shared: site } : site;
  }

  nowMs(): number {
    return this.#sites.nowMs();
  }

  get pulse(): RoutedSlotSites['pulse'] {
    return this.#sites.pulse;
  }

  enter(site: Site, delivery: ClaimedDelivery): ConnectionSlot {
    return this.#sites.enter(site, delivery);
  }

  outlookOf(site: Site, domain: string): Outlook {
    return this.#localAt(site, domain).outlook(this.nowMs());
  }

  reserveTurn(site: Site, domain: string): number {
    return this.#localAt(site, domain).reserveTurn(this.nowMs());
  }

  #localAt(site: Site, domain: string): LocalSite {
    return this.#localOf(this.#sites.placeOf(site, domain));
  }

  #decided(place: string): void {
    const left = (this.#undecided.get(place) ?? 0) - 1;
    if (left > 0) this.#undecided.set(place, left);
    else this.#undecided.delete(place);
  }
}
