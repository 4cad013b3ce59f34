/** Finds the site that a lane queues at: the site of its domain, a routed site, or the domain's own queue. Stateless. */
import type { Lane } from '../../outbox/lanes.ts';
import type { SiteWant } from './fair-queue.ts';
import { type HomeSite, type RoutedSite, type Site, sharedSite, withoutSource } from './site.ts';
import type { SiteDirectory } from './site-directory.ts';
import type { Sites } from './sites.ts';

/** The functions of the route table that the scheduler uses. */
export interface LaneRouting {
  /** The site that mail of the lane queues at; `home` unless rules may match. */
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

  /** The site that a lane queues at if its domain belongs to `home`. */
  of(lane: Lane, home: HomeSite): Site {
    return this.#sites.queueOf(this.#routes.placeOf(lane, home), lane.domain);
  }

  /** The site if no rule of the route table matches. */
  homeOf({ site, domain }: SiteWant): HomeSite {
    if (site.kind !== 'routed') return withoutSource(sharedSite(site));
    return this.#directory.known(domain) ?? site.plan.home;
  }
}
