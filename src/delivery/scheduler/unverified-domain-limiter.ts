/**
 * Limits the connections of unverified domains at one site, in one worker. A domain is unverified until the site has accepted
 * mail for it. The owner of a domain can point us at foreign hosts and occupy a connection there for minutes before the first
 * failure is known. So each unverified domain gets one connection (`UnverifiedDomainSite`), and all unverified domains together
 * get half of the site's connections. They are served first. The other half is for verified domains.
 *
 * Owns how many deliveries of unverified domains are claimed or hold a connection, and which domains wait for a connection.
 */

/** The site that the limiter belongs to. */
interface SharedSite {
  readonly connections: number;
  readonly busy: number;
  admit(nowMs: number): void;
}

interface UnverifiedDomain {
  /** A delivery of the domain waits for a connection. */
  readonly isAwaited: boolean;
  admit(nowMs: number): void;
}

export class UnverifiedDomainLimiter {
  inHand = 0;
  busy = 0;
  readonly #site: SharedSite;
  #waiting = new Set<UnverifiedDomain>();

  constructor(site: SharedSite) {
    this.#site = site;
  }

  /** Connections of the whole site, for this worker. */
  get connections(): number {
    return Math.max(1, this.#site.connections);
  }

  get isFull(): boolean {
    return this.busy >= halfOf(this.connections) || this.#site.busy + this.busy >= this.connections;
  }

  /** How many more deliveries to claim for all unverified domains: enough to keep their half of the connections busy. */
  get room(): number {
    return Math.max(0, 2 * halfOf(this.connections) - this.inHand);
  }

  wait(domain: UnverifiedDomain): void {
    this.#waiting.add(domain);
  }

  /** A connection of the site is free. Unverified domains come first, up to their half, then the others. */
  admit(nowMs: number): void {
    const waiting = this.#waiting;
    this.#waiting = new Set();
    for (const domain of waiting) {
      domain.admit(nowMs);
      if (domain.isAwaited) this.#waiting.add(domain);
    }
    this.#site.admit(nowMs);
  }
}

/** Rounded up: a site with one connection must serve unverified domains, too. */
function halfOf(connections: number): number {
  return Math.ceil(connections / 2);
}
