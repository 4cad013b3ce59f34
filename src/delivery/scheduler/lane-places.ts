/** Where mail of a lane is to queue: at its domain's site, or where a route or the site itself says. Holds nothing of its own. */
import type { Lane } from '../../outbox/lanes.ts';
import type { Routes } from '../routes/planner.ts';
import type { SiteWant } from './fair-queue.ts';
import type { Site } from './site.ts';
import type { SiteDirectory } from './site-directory.ts';
import type { Sites } from './sites.ts';

export class LanePlaces {
  readonly #sites: Sites;
  readonly #directory: SiteDirectory;
  readonly #routes: Pick<Routes, 'placeOf'>;

  constructor(sites: Sites, directory: SiteDirectory, routes: Pick<Routes, 'placeOf'>) {
    this.#sites = sites;
    this.#directory = directory;
    this.#routes = routes;
  }

  /** Of a lane whose domain belongs to this site. */
  of(lane: Lane, site: Site): Site {
    return this.#sites.placeOf(this.#routes.placeOf(lane, site), lane.domain);
  }

  /** The site that mail goes to if no route says otherwise. */
  homeOf({ site, domain }: SiteWant): Site {
    if (site.plan === undefined) return site.shared ?? site;
    return this.#directory.known(domain) ?? site.plan.home;
  }
}
