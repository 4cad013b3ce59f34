/**
 * Which domains a site is known to serve, and what those say of it that it is not known to.
 *
 * Owns what is only hearsay (site-evidence.ts). A site is the same one from whichever of our addresses it is seen.
 */
import type { DeliveredDomains } from './delivered-domains.ts';
import { itself, type Site } from './site.ts';
import { Hearsay } from './site-evidence.ts';

export class Acquaintance {
  readonly #delivered: Pick<DeliveredDomains, 'has' | 'anyAt' | 'note'>;
  readonly #hearsay = new Hearsay();

  constructor(delivered: Pick<DeliveredDomains, 'has' | 'anyAt' | 'note'>) {
    this.#delivered = delivered;
  }

  /** Mail for the domain was taken there. */
  knows(site: Site, domain: string, nowMs: number): boolean {
    return this.#delivered.has(itself(site).name, domain, nowMs);
  }

  /** Mail for some domain was taken there. */
  serves(site: Site, nowMs: number): boolean {
    return this.#delivered.anyAt(itself(site).name, nowMs);
  }

  noteTaken(site: Site, domain: string, nowMs: number): void {
    this.#hearsay.dismiss(site.name);
    this.#delivered.note(itself(site), domain, nowMs);
  }

  /** Whether a failure counts against the site, or against the domain whose mail failed. */
  weigh(site: Site, domain: string, nowMs: number): 'site' | 'domain' {
    const deliveredTo = this.knows(site, domain, nowMs);
    const said = { domain, deliveredTo, siteDelivers: this.serves(site, nowMs) };
    return this.#hearsay.weigh(site.name, said, nowMs);
  }

  forgetOld(nowMs: number): void {
    this.#hearsay.forgetOld(nowMs);
  }
}
