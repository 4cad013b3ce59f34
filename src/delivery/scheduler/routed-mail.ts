/**
 * Mail that has several egress paths, from its claim until a path is chosen.
 *
 * Owns how many such deliveries are in hand, by the routed site that they were claimed for.
 */
import type { ClaimedDelivery } from '../../outbox/states.ts';
import type { ConnectionSlot } from './connection-slot.ts';
import type { Availability, LocalSite } from './local-site.ts';
import { type LeftOver, planCapacity } from './plan-capacity.ts';
import { RoutedSlot, type RoutedSlotSites } from './routed-slot.ts';
import {
  type ConnectedSite,
  type DestinationSite,
  type HomeSite,
  type RoutedSite,
  unverifiedDomainSiteName,
} from './site.ts';

interface RoutedSites extends Pick<RoutedSlotSites, 'nowMs' | 'timing' | 'enter'> {
  placeOf(site: DestinationSite, domain: string): ConnectedSite;
}

export class RoutedMail implements RoutedSlotSites {
  readonly #sites: RoutedSites;
  readonly #localOf: (site: ConnectedSite) => LocalSite;
  readonly #undecided = new Map<string, number>();

  constructor(sites: RoutedSites, localOf: (site: ConnectedSite) => LocalSite) {
    this.#sites = sites;
    this.#localOf = localOf;
  }

  /** How many more deliveries to claim for the site. */
  room({ name, plan, isUnverifiedDomain }: RoutedSite, left: LeftOver, tight: boolean): number {
    const undecided = this.#undecided.get(name) ?? 0;
    const room = planCapacity(plan, this.#localOf, left, this.#sites.nowMs(), tight) - undecided;
    // Mail of an unverified domain is sent one by one, as at a single site.
    return isUnverifiedDomain ? Math.min(room, 1 - undecided) : room;
  }

  admit({ name }: RoutedSite, home: HomeSite, delivery: ClaimedDelivery): ConnectionSlot {
    this.#undecided.set(name, (this.#undecided.get(name) ?? 0) + 1);
    return new RoutedSlot(home, delivery, this, () => this.#decided(name));
  }

  /** Mail of a domain that one of the sites has not accepted mail for is not claimed together with other mail. */
  queueOf(site: RoutedSite, domain: string): RoutedSite {
    const isUnverified = site.plan.sitesByRule
      .flat(2)
      .some((one) => this.#sites.placeOf(one, domain) !== one);
    if (!isUnverified) return site;
    return { ...site, name: unverifiedDomainSiteName(site, domain), isUnverifiedDomain: true };
  }

  nowMs(): number {
    return this.#sites.nowMs();
  }

  get timing(): RoutedSlotSites['timing'] {
    return this.#sites.timing;
  }

  enter(site: DestinationSite, delivery: ClaimedDelivery): ConnectionSlot {
    return this.#sites.enter(site, delivery);
  }

  availabilityOf(site: DestinationSite, domain: string): Availability {
    return this.#localAt(site, domain).availability(this.nowMs());
  }

  reserveTurn(site: DestinationSite, domain: string): number {
    return this.#localAt(site, domain).reserveTurn(this.nowMs());
  }

  #localAt(site: DestinationSite, domain: string): LocalSite {
    return this.#localOf(this.#sites.placeOf(site, domain));
  }

  #decided(place: string): void {
    const left = (this.#undecided.get(place) ?? 0) - 1;
    if (left > 0) this.#undecided.set(place, left);
    else this.#undecided.delete(place);
  }
}
