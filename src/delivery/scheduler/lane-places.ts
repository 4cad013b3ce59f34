/** At which site a lane queues: that of its domain, or another one that the route table or the site itself names. Stateless. */
import type { Lane } from '../../outbox/lanes.ts';
import type { SiteWant } from './fair-queue.ts';
import { type HomeSite, type RoutedSite, type Site, sharedSite, withoutSource } from './site.ts';
import type { SiteDirectory } from './site-directory.ts';
import type { Sites } from './sites.ts';

/** What the scheduler needs from the route table. */
export interface LaneRouting {
  /** Where mail of the lane queues; `home` unless rules may match. */
  placeOf(lane: Lane, home: HomeSite): HomeSite | RoutedSite;
  /** The source addresses that are on this machine; null where the table names none. */
  sources(): readonly string[] | null;
}

export class LanePlaces {
  readonly #sites: Sites;
  readonly #directory: SiteDirectory;
  readonly #routes: Pick<LaneRouting, 'placeOf'>;

  constructor(sites: Sites, directory: SiteDirectory, routes: Pick<LaneRouting, 'placeOf'>) {
    this.#sites = sites;
    this.#directory = directory;
    this.#routes = routes;
  }

  /** The site where a lane queues whose domain belongs to `home`. */
  of(lane: Lane, home: HomeSite): Site {
    return this.#sites.queueOf(this.#routes.placeOf(lane, home), lane.domain);
  }

  /** The site if no rule of the route table matches. */
  homeOf({ site, domain }: SiteWant): HomeSite {
    if (site.kind !== 'routed') return withoutSource(sharedSite(site));
    return this.#directory.known(domain) ?? site.plan.home;
  }
}
