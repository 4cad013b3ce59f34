/**
 * The domains whose mail a site has accepted. Usually only failures of these domains count against the site (site-evidence.ts).
 *
 * Owns the bounded list of the last KEEP_MS, and the entries that are not stored yet. Workers share the list through the table
 * `site_domains`: it is read at the start, and whenever a domain's site is stored.
 */
import { BoundedMap } from '../../runtime/bounded-map.ts';
import { DAY_MS } from '../../runtime/durations.ts';
import type { HomeSite } from './site.ts';

export interface DeliveredTo {
  readonly domain: string;
  readonly site: string;
  readonly deliveredMs: number;
}

const KEEP_MS = 7 * DAY_MS;
/** A domain is written again at most this often. */
const REFRESH_MS = DAY_MS;
export const MAX_DOMAINS = 50_000;
const MAX_SITES = 10_000;

export class DeliveredDomains {
  readonly #domains = new BoundedMap<string, { readonly site: string; readonly atMs: number }>(MAX_DOMAINS);
  readonly #sites = new BoundedMap<string, number>(MAX_SITES);
  #unwritten = new Map<string, HomeSite>();

  /** Whether the site has accepted mail for the domain. */
  has(site: string, domain: string, nowMs: number): boolean {
    const known = this.#domains.get(domain);
    return known?.site === site && nowMs - known.atMs < KEEP_MS;
  }

  /** Whether the site has accepted mail for some domain. */
  anyAt(site: string, nowMs: number): boolean {
    return nowMs - (this.#sites.get(site) ?? Number.NEGATIVE_INFINITY) < KEEP_MS;
  }

  /** The site has just accepted a message for the domain. */
  note(site: HomeSite, domain: string, nowMs: number): void {
    const known = this.#domains.get(domain);
    if (known?.site === site.name && nowMs - known.atMs < REFRESH_MS) return;
    this.learn([{ domain, site: site.name, deliveredMs: nowMs }]);
    this.#unwritten.set(domain, site);
  }

  /** Adds the rows that other workers have written. */
  learn(rows: readonly DeliveredTo[]): void {
    for (const { domain, site, deliveredMs } of rows) {
      this.#domains.set(domain, { site, atMs: deliveredMs });
      this.#sites.set(site, Math.max(deliveredMs, this.#sites.get(site) ?? 0));
    }
  }

  /** The domains that are not written yet. Each is returned once. */
  takeUnwritten(): ReadonlyMap<string, HomeSite> {
    const taken = this.#unwritten;
    this.#unwritten = new Map();
    return taken;
  }
}
