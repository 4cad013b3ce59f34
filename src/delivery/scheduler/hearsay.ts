/** What strangers said about sites, for as long as it may count (site-evidence.ts). Bounded. */
import {
  countsAgainst,
  HEARD_FOR_MS,
  hear,
  NOBODY,
  type Strangers,
  type TroubleReport,
} from './site-evidence.ts';

const MAX_SITES = 10_000;

export class Hearsay {
  readonly #heard = new Map<string, Strangers>();

  /** A domain ran into trouble at a site: what that counts against. */
  weigh(site: string, testimony: TroubleReport, nowMs: number): 'site' | 'domain' {
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
