/**
 * Whose word about a site counts. Pure.
 *
 * A site is named by the recipients' DNS: whoever owns a domain can lead us to anybody's mail hosts, and what happens
 * there with mail for that domain is then no evidence against the hosts. So trouble counts against a site only where it
 * comes from a domain whose mail the site took before, or, while the site has taken nobody's mail yet, from several
 * domains. Everything else counts against the one domain, which is set apart and hurts itself alone.
 *
 * It bounds what many hostile domains can do: where anybody is delivered to, strangers cannot change anything, however
 * many they are; where nobody is, there is nobody to harm but by a wait.
 */
import { MINUTE_MS } from '../../kit/runtime/durations.ts';

/** So many domains that were never delivered to must agree. */
export const ENOUGH_STRANGERS = 3;
/** What a stranger said is forgotten after this time. */
export const HEARD_FOR_MS = 30 * MINUTE_MS;
const MAX_HEARD = 8;

/** Domains that were never delivered to, with when they last ran into trouble at a site. */
export type Strangers = ReadonlyMap<string, number>;

export const NOBODY: Strangers = new Map();

export interface TroubleReport {
  readonly domain: string;
  /** The site took mail for this domain before. */
  readonly deliveredTo: boolean;
  /** The site took mail for any domain lately. */
  readonly siteDelivers: boolean;
}

/** What the trouble of a domain counts against. */
export function countsAgainst(
  { deliveredTo, siteDelivers }: TroubleReport,
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
