/**
 * Whose failures count against a site.
 *
 * The recipients' DNS defines a site: the owner of a domain can point us at anybody's mail hosts, and what
 * happens there with mail for that domain is then no evidence against the hosts. So a failure counts against a site
 * only where it comes from a domain whose mail the site accepted before, or, while the site has accepted nobody's mail
 * yet, from several domains. Everything else counts against the one domain, which is set apart and hurts itself alone.
 *
 * This limits what many hostile domains can do: at a site that accepts anybody's mail, strangers cannot change
 * anything, however many they are; at one that accepts nobody's, all they can cause is a wait.
 */
import { MINUTE_MS } from '../../kit/runtime/durations.ts';

/** So many domains that were never delivered to must agree. */
export const ENOUGH_STRANGERS = 3;
/** What a stranger said is forgotten after this time. */
export const HEARD_FOR_MS = 30 * MINUTE_MS;
const MAX_HEARD = 8;
const MAX_SITES = 10_000;

/** Domains that were never delivered to, with when they last failed at a site. */
export type Strangers = ReadonlyMap<string, number>;

export const NOBODY: Strangers = new Map();

export interface FailureReport {
  readonly domain: string;
  /** The site took mail for this domain before. */
  readonly deliveredTo: boolean;
  /** The site took mail for any domain lately. */
  readonly siteDelivers: boolean;
}

/** What the failure of a domain counts against. */
export function countsAgainst(
  { deliveredTo, siteDelivers }: FailureReport,
  heard: Strangers,
): 'site' | 'domain' {
  if (deliveredTo) return 'site';
  if (siteDelivers) return 'domain';
  return heard.size >= ENOUGH_STRANGERS ? 'site' : 'domain';
}

/** With this domain, without those whose time is over; the longest silent leave first. */
export function hear(heard: Strangers, domain: string, nowMs: number): Strangers {
  const recent = [...heard].filter(([name, atMs]) => name !== domain && nowMs - atMs < HEARD_FOR_MS);
  return new Map([...recent.slice(1 - MAX_HEARD), [domain, nowMs]]);
}

/** What strangers said about sites, for as long as it may count. Bounded. */
export class Hearsay {
  readonly #heard = new Map<string, Strangers>();

  /** A domain failed at a site: what that counts against. */
  weigh(site: string, testimony: FailureReport, nowMs: number): 'site' | 'domain' {
    if (testimony.deliveredTo) return countsAgainst(testimony, NOBODY);
    const heard = hear(this.#heard.get(site) ?? NOBODY, testimony.domain, nowMs);
    if (this.#heard.has(site) || this.#heard.size < MAX_SITES) this.#heard.set(site, heard);
    return countsAgainst(testimony, heard);
  }

  /** The site took somebody's mail: what strangers said of it was about themselves. */
  dismiss(site: string): void {
    this.#heard.delete(site);
  }

  forgetOld(nowMs: number): void {
    for (const [site, heard] of this.#heard) {
      if (nowMs - Math.max(...heard.values()) > HEARD_FOR_MS) this.#heard.delete(site);
    }
  }
}
