/**
 * Whether replies that ask for less are about us, or about somebody's mail. One reply says little: servers answer "rate
 * limited" and "policy" to one recipient, one domain or one message just as well. So they must be several,
 *
 *   - of so many different recipients more than were taken at the same time: every message that is taken undoes one;
 *   - of several recipients' domains, where mail for several goes there;
 *   - to first tries: a recipient that is refused again and again has its own waits, which grow, and says nothing new.
 *
 * Owns, for one site as one worker sees it: who complained lately, which domains were sent to, and how many messages were
 * taken in a row. All bounded.
 */
import { BoundedMap } from '../../kit/runtime/bounded-map.ts';
import { MINUTE_MS } from '../../kit/runtime/durations.ts';

export interface PaceComplaint {
  readonly domain: string;
  readonly atMs: number;
}

/** So many recipients. Where a tenth of all recipients is refused, so many more refusals than successes do not happen. */
export const ENOUGH_RECIPIENTS = 5;
/** So many of their domains, or all that are sent to. */
export const ENOUGH_DOMAINS = 2;
/** So many in a row, with nothing taken between them, and mail goes one by one until the next answer. */
const SUSPICIOUS = 2;
/** What was said longer ago is forgotten. */
export const REMEMBERED_MS = 10 * MINUTE_MS;

/** Whether these are enough, at a site where mail for so many domains went lately. Pure. */
export function areEnough(complaints: readonly PaceComplaint[], domainsSentTo: number): boolean {
  const domains = new Set(complaints.map(({ domain }) => domain)).size;
  return complaints.length >= ENOUGH_RECIPIENTS && domains >= Math.min(ENOUGH_DOMAINS, domainsSentTo);
}

export class PaceEvidence {
  readonly #rememberedMs: number;
  /** By recipient, the oldest first. */
  readonly #complaints = new BoundedMap<string, PaceComplaint>(ENOUGH_RECIPIENTS);
  readonly #sentTo = new BoundedMap<string, number>(ENOUGH_DOMAINS);
  #since = Number.NEGATIVE_INFINITY;
  taken = 0;

  /** `speed` is how much faster than real time waits run. */
  constructor(speed: number) {
    this.#rememberedMs = REMEMBERED_MS / speed;
  }

  /** A first try for this recipient, begun at `begunMs`, was answered with a wish for less. True when that makes enough. */
  complained(recipient: string, domain: string, begunMs: number, nowMs: number): boolean {
    this.#sentTo.set(domain, nowMs);
    if (!this.isNews(begunMs, nowMs)) return false;
    this.taken = 0;
    if (!this.#complaints.has(recipient)) this.#complaints.set(recipient, { domain, atMs: nowMs });
    this.#forget(nowMs);
    return areEnough([...this.#complaints.values()], this.#sentTo.size);
  }

  /** What was on its way when the pace last changed was said about the pace before. */
  isNews(begunMs: number, nowMs: number): boolean {
    // The clock was set back since.
    if (this.#since > nowMs) this.#since = Number.NEGATIVE_INFINITY;
    return begunMs > this.#since;
  }

  /** The site may have begun to refuse everything. More mail at the same time would only be refused as well. */
  get isSuspicious(): boolean {
    return this.taken === 0 && this.#complaints.size >= SUSPICIOUS;
  }

  /** What was on its way when the pace last changed does not show that the site takes mail at this one. */
  took(domain: string, nowMs: number, begunMs: number = nowMs): void {
    this.#sentTo.set(domain, nowMs);
    if (this.isNews(begunMs, nowMs)) this.taken += 1;
    const oldest = this.#complaints.keys().next().value;
    if (oldest !== undefined) this.#complaints.delete(oldest);
  }

  /** The pace has changed: what was said before was about another one. */
  restart(nowMs: number): void {
    this.#since = nowMs;
    this.#complaints.clear();
    this.taken = 0;
  }

  #forget(nowMs: number): void {
    for (const [recipient, { atMs }] of this.#complaints) {
      if (nowMs - atMs > this.#rememberedMs) this.#complaints.delete(recipient);
    }
    for (const [domain, atMs] of this.#sentTo) {
      if (nowMs - atMs > this.#rememberedMs) this.#sentTo.delete(domain);
    }
  }
}
