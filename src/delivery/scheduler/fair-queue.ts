/**
 * Fair queueing of lanes. Holds the lanes that probably have due mail, by site, organization and priority, and divides the
 * room of sites among them:
 *
 *   sites          take turns, each for as much as it has room for
 *   organizations  within a site take turns, for even shares of that room
 *   priorities     within an organization: no mail of a lower priority while a lane of a higher priority is queued
 *   domains        within a priority take turns
 *
 * The queue is a cache of the database. A lane enters when due mail is found in it, and leaves when a claim gets less mail than it
 * asked for. An empty lane costs one index seek. The queue is bounded: a full queue takes no more lanes, and the lane finder
 * finds them again later.
 */
import type { Want } from '../../outbox/claim.ts';
import { type Lane, laneText } from '../../outbox/lanes.ts';
import { PRIORITIES } from '../../outbox/states.ts';
import type { Site } from './site.ts';

/** About 20 MB. */
export const MAX_LANES = 100_000;
/** Lanes in one claim, which keeps the statement small. */
const MAX_WANTS = 200;
/** How many sites one call of `wants` may visit. */
const MAX_VISITED = 5_000;

/** A round-robin list: `next` moves the item to the back. */
class Ring<Value> {
  readonly #items = new Map<string, Value>();

  get size(): number {
    return this.#items.size;
  }

  get(key: string): Value | undefined {
    return this.#items.get(key);
  }

  has(key: string): boolean {
    return this.#items.has(key);
  }

  add(key: string, value: Value): void {
    this.#items.set(key, value);
  }

  delete(key: string): boolean {
    return this.#items.delete(key);
  }

  next(): Value {
    const [key, value] = this.#items.entries().next().value as [string, Value];
    this.#items.delete(key);
    this.#items.set(key, value);
    return value;
  }
}

/** The lanes of an organization, by priority. */
type Organization = readonly Ring<Lane>[];

interface SiteLanes {
  readonly site: Site;
  readonly organizations: Ring<Organization>;
}

export interface SiteWant extends Want {
  readonly site: Site;
}

export class FairQueue {
  readonly #sites = new Ring<SiteLanes>();
  readonly #siteOfLane = new Map<string, string>();

  get size(): number {
    return this.#siteOfLane.size;
  }

  get isFull(): boolean {
    return this.size >= MAX_LANES;
  }

  has(lane: Lane): boolean {
    return this.#siteOfLane.has(laneText(lane));
  }

  /** The lane probably has due mail. */
  add(lane: Lane, site: Site): void {
    const key = laneText(lane);
    if (this.#siteOfLane.has(key) || this.isFull) return;
    this.#siteOfLane.set(key, site.name);
    let ofSite = this.#sites.get(site.name);
    if (ofSite === undefined) {
      ofSite = { site, organizations: new Ring() };
      this.#sites.add(site.name, ofSite);
    }
    let organization = ofSite.organizations.get(lane.organizationId);
    if (organization === undefined) {
      organization = PRIORITIES.map(() => new Ring<Lane>());
      ofSite.organizations.add(lane.organizationId, organization);
    }
    organization[lane.priority]?.add(lane.domain, lane);
  }

  /** The lane has no more due mail. */
  remove(lane: Lane): void {
    const key = laneText(lane);
    const siteName = this.#siteOfLane.get(key);
    if (siteName === undefined) return;
    this.#siteOfLane.delete(key);
    const organizations = this.#sites.get(siteName)?.organizations;
    const organization = organizations?.get(lane.organizationId);
    organization?.[lane.priority]?.delete(lane.domain);
    if (organization?.every((ring) => ring.size === 0)) organizations?.delete(lane.organizationId);
    if (organizations?.size === 0) this.#sites.delete(siteName);
  }

  /** The lanes to claim from: at most `limit` deliveries in all, and at most `room` for each site. */
  wants(limit: number, room: (site: Site) => number): SiteWant[] {
    const wants: SiteWant[] = [];
    let left = limit;
    const sites = Math.min(this.#sites.size, MAX_VISITED);
    for (let visited = 0; visited < sites && left > 0 && wants.length < MAX_WANTS; visited += 1) {
      const next = this.#sites.next();
      const share = Math.min(room(next.site), left);
      if (share <= 0) continue;
      left -= this.#wantsOfSite(next, share, wants);
    }
    return wants;
  }

  #wantsOfSite({ site, organizations }: SiteLanes, share: number, wants: SiteWant[]): number {
    let taken = 0;
    const count = Math.min(organizations.size, share);
    for (let nth = 0; nth < count; nth += 1) {
      const lanes = organizations.next().find((ring) => ring.size > 0) as Ring<Lane>;
      const part = partOf(share, count, nth);
      const domains = Math.min(lanes.size, part, MAX_WANTS);
      for (let i = 0; i < domains; i += 1) {
        wants.push({ ...lanes.next(), site, room: partOf(part, domains, i) });
      }
      taken += part;
    }
    return taken;
  }
}

/** An even split, whose first parts get the remainder. */
function partOf(whole: number, parts: number, nth: number): number {
  return Math.floor(whole / parts) + (nth < whole % parts ? 1 : 0);
}
