/**
 * Which failures count against a site.
 *
 * The recipients' DNS defines a site: the owner of a domain can point us at other people's mail hosts, and a failure of
 * that domain's mail is then no evidence against the hosts. So a failure counts against a site only where the site has
 * accepted mail for the domain before, or, while the site has accepted no mail at all, where several domains fail. Any
 * other failure counts against the domain alone, which gets a queue of its own (`UnverifiedDomainSite`).
 *
 * This limits the harm of hostile domains. Unverified domains cannot slow down a site that has accepted mail, however
 * many they are. At a site that has accepted none they can only cause a wait.
 */
import { MINUTE_MS } from '../../runtime/durations.ts';

/** How many unverified domains must fail before the failures count against the site. */
const ENOUGH_UNVERIFIED = 3;
/** The failure of an unverified domain is forgotten after this time. */
export const FAILURE_REMEMBERED_MS = 30 * MINUTE_MS;
const MAX_DOMAINS = 8;
const MAX_SITES = 10_000;

/** Unverified domains, each with the time of its last failure at a site. */
export type FailedDomains = ReadonlyMap<string, number>;

export const NONE: FailedDomains = new Map();

interface FailureReport {
  readonly domain: string;
  /** The site has accepted mail for this domain before. */
  readonly deliveredTo: boolean;
  /** The site has accepted mail for some domain lately. */
  readonly siteDelivers: boolean;
}

/** Whether the failure of a domain counts against the site or against the domain alone. */
export function countsAgainst(
  { deliveredTo, siteDelivers }: FailureReport,
  failed: FailedDomains,
): 'site' | 'domain' {
  if (deliveredTo) return 'site';
  if (siteDelivers) return 'domain';
  return failed.size >= ENOUGH_UNVERIFIED ? 'site' : 'domain';
}

/** Adds the domain, and removes failures that are too old; at the limit the oldest are removed. */
export function withFailure(failed: FailedDomains, domain: string, nowMs: number): FailedDomains {
  const recent = [...failed].filter(
    ([name, atMs]) => name !== domain && nowMs - atMs < FAILURE_REMEMBERED_MS,
  );
  return new Map([...recent.slice(1 - MAX_DOMAINS), [domain, nowMs]]);
}

/** Failures of unverified domains by site, for as long as they may count. Bounded. */
export class UnconfirmedFailures {
  readonly #failed = new Map<string, FailedDomains>();

  /** Adds the failure of a domain, and returns whether it counts against the site or the domain alone. */
  weigh(site: string, report: FailureReport, nowMs: number): 'site' | 'domain' {
    if (report.deliveredTo) return countsAgainst(report, NONE);
    const failed = withFailure(this.#failed.get(site) ?? NONE, report.domain, nowMs);
    if (this.#failed.has(site) || this.#failed.size < MAX_SITES) this.#failed.set(site, failed);
    return countsAgainst(report, failed);
  }

  /** Removes the failures at a site that accepted mail: they count against the domains alone. */
  dismiss(site: string): void {
    this.#failed.delete(site);
  }

  forgetOld(nowMs: number): void {
    for (const [site, failed] of this.#failed) {
      if (nowMs - Math.max(...failed.values()) > FAILURE_REMEMBERED_MS) this.#failed.delete(site);
    }
  }
}
