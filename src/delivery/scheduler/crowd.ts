/**
 * The strangers at one site, as this worker sees them: domains that the site has not accepted mail for yet. The owner
 * of a domain can point us at anybody's hosts, and hold a connection there for minutes before the first failure is
 * known; so each stranger has one connection (`apartFrom`), and all of them together have half of the site's, which
 * they get before the others do. The other half is for those that the site is known to serve.
 *
 * Owns how many of them are claimed or hold a connection, and who waits for one; they take turns.
 */

/** The site whose strangers they are. */
interface SharedSite {
  readonly connections: number;
  readonly busy: number;
  admit(nowMs: number): void;
}

interface Stranger {
  /** Somebody of it waits for a connection. */
  readonly isAwaited: boolean;
  admit(nowMs: number): void;
}

export class Crowd {
  inHand = 0;
  busy = 0;
  readonly #site: SharedSite;
  #waiting = new Set<Stranger>();

  constructor(site: SharedSite) {
    this.#site = site;
  }

  /** Of the whole site, for this worker. */
  get connections(): number {
    return Math.max(1, this.#site.connections);
  }

  get isFull(): boolean {
    return this.busy >= halfOf(this.connections) || this.#site.busy + this.busy >= this.connections;
  }

  /** How many more deliveries to claim for all of them: enough to keep their half busy. */
  get room(): number {
    return Math.max(0, 2 * halfOf(this.connections) - this.inHand);
  }

  wait(stranger: Stranger): void {
    this.#waiting.add(stranger);
  }

  /** A connection of the site is free: strangers first, up to their half, then the others. */
  admit(nowMs: number): void {
    const waiting = this.#waiting;
    this.#waiting = new Set();
    for (const stranger of waiting) {
      stranger.admit(nowMs);
      if (stranger.isAwaited) this.#waiting.add(stranger);
    }
    this.#site.admit(nowMs);
  }
}

/** Rounded up: a site with one connection must serve its strangers, too. */
function halfOf(connections: number): number {
  return Math.ceil(connections / 2);
}
