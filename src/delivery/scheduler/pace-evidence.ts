/**
 * Whether replies that ask for less mail are about us, or about single messages. One reply says little: servers answer "rate
 * limited" and "policy" also because of one recipient, one domain or one message. So several replies are required
 *
 *   - to different recipients, more than were accepted at the same time: every accepted message cancels one reply;
 *   - for several recipient domains, where mail for several domains is sent to the site;
 *   - to first attempts: repeated refusals of one recipient say nothing new.
 *
 * Owns, for one site in one worker, the recent replies by recipient, the domains that were sent to, and how many messages were
 * accepted in a row. All bounded.
 */
import { BoundedMap } from '../../runtime/bounded-map.ts';
import { MINUTE_MS } from '../../runtime/durations.ts';

interface PaceComplaint {
  readonly domain: string;
  readonly atMs: number;
}

/** Refused recipients. Where only a tenth of all recipients is refused, there are never five more refusals than successes. */
export const ENOUGH_RECIPIENTS = 5;
/** Domains of refused recipients; fewer are enough where the site gets mail for fewer domains. */
const ENOUGH_DOMAINS = 2;
/** After this many refusals in a row, mail is sent one by one until the next reply. */
const SUSPICIOUS = 2;
/** Older replies are forgotten. */
export const REMEMBERED_MS = 10 * MINUTE_MS;

/** Whether the complaints are enough, at a site that got mail for `domainsSentTo` domains lately. Pure. */
export function areEnough(complaints: readonly PaceComplaint[], domainsSentTo: number): boolean {
  const domains = new Set(complaints.map(({ domain }) => domain)).size;
  return complaints.length >= ENOUGH_RECIPIENTS && domains >= Math.min(ENOUGH_DOMAINS, domainsSentTo);
}

export class PaceEvidence {
  readonly #rememberedMs: number;
  /** By recipient, oldest first. */
  readonly #complaints = new BoundedMap<string, PaceComplaint>(ENOUGH_RECIPIENTS);
  readonly #sentTo = new BoundedMap<string, number>(ENOUGH_DOMAINS);
  #since = Number.NEGATIVE_INFINITY;
  taken = 0;

  /** `speed` is how much faster than real time waits run. */
  constructor(speed: number) {
    this.#rememberedMs = REMEMBERED_MS / speed;
  }

  /** The reply to a first attempt, begun at `begunMs`, asks for less mail. True when there are enough such replies. */
  complained(recipient: string, domain: string, begunMs: number, nowMs: number): boolean {
    this.#sentTo.set(domain, nowMs);
    if (!this.isNewEvidence(begunMs, nowMs)) return false;
    this.taken = 0;
    if (!this.#complaints.has(recipient)) this.#complaints.set(recipient, { domain, atMs: nowMs });
    this.#forget(nowMs);
    return areEnough([...this.#complaints.values()], this.#sentTo.size);
  }

  /** Replies to attempts that began before the last change are about the pace before. */
  isNewEvidence(begunMs: number, nowMs: number): boolean {
    // The clock was set back since the last change.
    if (this.#since > nowMs) this.#since = Number.NEGATIVE_INFINITY;
    return begunMs > this.#since;
  }

  /** The site may have begun to refuse all mail. More mail at the same time would be refused, too. */
  get isSuspicious(): boolean {
    return this.taken === 0 && this.#complaints.size >= SUSPICIOUS;
  }

  /** Messages that began before the last change say nothing about the present pace. */
  took(domain: string, nowMs: number, begunMs: number = nowMs): void {
    this.#sentTo.set(domain, nowMs);
    if (this.isNewEvidence(begunMs, nowMs)) this.taken += 1;
    const oldest = this.#complaints.keys().next().value;
    if (oldest !== undefined) this.#complaints.delete(oldest);
  }

  /** The pace has changed: earlier replies are about another pace. */
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
