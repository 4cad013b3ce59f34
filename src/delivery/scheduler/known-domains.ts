/**
 * Which domains a site is known to serve: those whose mail the site has accepted before.
 *
 * Owns the failures of other domains, which do not count against the site until enough domains have failed (site-evidence.ts).
 * Source addresses do not matter: a site serves the same domains for all of them.
 */
import type { DeliveredDomains } from './delivered-domains.ts';
import { type DestinationSite, withoutSource } from './site.ts';
import { UnconfirmedFailures } from './site-evidence.ts';

export class KnownDomains {
  readonly #delivered: Pick<DeliveredDomains, 'has' | 'anyAt' | 'note'>;
  readonly #failures = new UnconfirmedFailures();

  constructor(delivered: Pick<DeliveredDomains, 'has' | 'anyAt' | 'note'>) {
    this.#delivered = delivered;
  }

  /** Whether the site has accepted mail for the domain. */
  knows(site: DestinationSite, domain: string, nowMs: number): boolean {
    return this.#delivered.has(withoutSource(site).name, domain, nowMs);
  }

  /** Whether the site has accepted mail for any domain. */
  serves(site: DestinationSite, nowMs: number): boolean {
    return this.#delivered.anyAt(withoutSource(site).name, nowMs);
  }

  noteAccepted(site: DestinationSite, domain: string, nowMs: number): void {
    this.#failures.dismiss(site.name);
    this.#delivered.note(withoutSource(site), domain, nowMs);
  }

  /** Whether a failure counts against the site, or against the domain whose mail failed. */
  weigh(site: DestinationSite, domain: string, nowMs: number): 'site' | 'domain' {
    const deliveredTo = this.knows(site, domain, nowMs);
    const report = { domain, deliveredTo, siteDelivers: this.serves(site, nowMs) };
    return this.#failures.weigh(site.name, report, nowMs);
  }

  forgetOld(nowMs: number): void {
    this.#failures.forgetOld(nowMs);
  }
}
