/**
 * Checks the targets of a message's links: a few at a time and within a time limit.
 *
 * Owns the running checks and a token bucket per organization, so that this server cannot be used to flood
 * other servers.
 */
import type { ProbedLink, ProbeLink } from '../protocols/fetch/probe-link.ts';
import type { Clock } from '../runtime/clock.ts';
import { ServiceError } from '../runtime/service-error.ts';
import { TokenBuckets } from '../runtime/token-bucket.ts';
import type { MessageLink } from './links.ts';

export interface CheckedLink extends MessageLink, ProbedLink {}

const AT_ONCE = 8;
const EACH_MS = 5_000;
const ALL_MS = 25_000;
/** Per process. */
const MAX_CHECKS = 4;
const COME_BACK_SECONDS = 5;
/** Per organization: a burst of messages, then one at this pace. */
const BUCKET_LIMITS = { burst: 10, paceMs: 30_000 };

interface LinkCheckDeps {
  readonly probe: ProbeLink;
  readonly clock: Clock;
}

export class LinkChecks {
  readonly #probe: ProbeLink;
  readonly #buckets: TokenBuckets;
  readonly #running = new Set<string>();

  constructor({ probe, clock }: LinkCheckDeps) {
    this.#probe = probe;
    this.#buckets = new TokenBuckets(clock, BUCKET_LIMITS);
  }

  async check(organizationId: string, links: readonly MessageLink[]): Promise<CheckedLink[]> {
    if (links.length === 0) return [];
    this.#admit(organizationId);
    this.#running.add(organizationId);
    try {
      return await askAll(links, this.#probe);
    } finally {
      this.#running.delete(organizationId);
    }
  }

  #admit(organizationId: string): void {
    if (this.#running.has(organizationId))
      throw tooMany('The links of another message are being checked.', COME_BACK_SECONDS);
    if (this.#running.size >= MAX_CHECKS)
      throw tooMany('The links of too many messages are being checked.', COME_BACK_SECONDS);
    const bucket = this.#buckets.of(organizationId);
    const seconds = Math.ceil(bucket.waitTimeMs() / 1_000);
    if (seconds > 0) throw tooMany('The links of too many messages were checked lately.', seconds);
    bucket.take();
  }
}

function tooMany(why: string, retryAfterSeconds: number): ServiceError {
  return new ServiceError('RATE_LIMITED', `${why} Try again in ${retryAfterSeconds} s.`, {
    retryAfterSeconds,
  });
}

async function askAll(links: readonly MessageLink[], probe: ProbeLink): Promise<CheckedLink[]> {
  const all = AbortSignal.timeout(ALL_MS);
  const checked: CheckedLink[] = [];
  const waiting = links.entries();
  const work = async () => {
    for (const [place, link] of waiting) {
      const result = await probe(link.url, AbortSignal.any([all, AbortSignal.timeout(EACH_MS)]));
      checked[place] = { ...link, ...result };
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return checked;
}
