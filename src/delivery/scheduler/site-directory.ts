/**
 * Finds the site of a domain.
 *
 * Owns a bounded cache of answers (looked up again after KEEP_MS, because hosts move), the lookups in progress (a bounded number
 * at once), and the answers that are not stored yet. Stored answers are for operators and metrics, and tell other workers
 * which domains were delivered to (delivered-domains.ts). Losing them costs little.
 */
import type { Database } from '../../database/database.ts';
import { BoundedMap } from '../../runtime/bounded-map.ts';
import { DAY_MS, MINUTE_MS } from '../../runtime/durations.ts';
import type { Service } from '../../runtime/lifecycle.ts';
import type { Log } from '../../runtime/log.ts';
import { SingleFlight } from '../../runtime/single-flight.ts';
import { Budget } from '../../runtime/work-loop/budget.ts';
import { type DeliveredDomains, MAX_DOMAINS } from './delivered-domains.ts';
import type { HomeSite } from './site.ts';
import { loadDelivered, type SiteOfDomain, saveSiteDomains } from './site-store.ts';

/** Looks up the site that the mail of a domain goes to. */
export interface SiteLookup {
  site(domain: string): Promise<HomeSite>;
  /** For mail over a relay: the site of the domain's own mail hosts, which rules of the route table may match. */
  recipientSite?(domain: string): Promise<HomeSite>;
}

interface SiteDirectoryOptions {
  readonly db: Database;
  readonly log: Log;
  readonly nowMs: () => number;
  readonly siteOf: (domain: string) => Promise<HomeSite>;
  readonly delivered: Pick<DeliveredDomains, 'learn' | 'takeUnwritten'>;
}

interface Entry {
  readonly site: HomeSite;
  readonly freshUntilMs: number;
  readonly writtenMs: number;
}

type Unwritten = SiteOfDomain & { readonly delivered: boolean };

const KEEP_MS = 5 * MINUTE_MS;
const MAX_ENTRIES = 50_000;
const MAX_LOOKUPS = 100;
const SAVE_MS = 1_000;
const MAX_SAVED_AT_ONCE = 2_000;
/** An unchanged answer is written again, so that cleaning up does not remove it. */
const REWRITE_MS = DAY_MS;

export class SiteDirectory implements Service {
  readonly name = 'site directory';
  readonly #options: SiteDirectoryOptions;
  readonly #entries = new BoundedMap<string, Entry>(MAX_ENTRIES);
  readonly #lookingUp = new SingleFlight<string, HomeSite | null>();
  readonly #lookUps = new Budget(MAX_LOOKUPS);
  #isStopped = false;
  #unwritten = new Map<string, Unwritten>();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: SiteDirectoryOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    const { db, delivered } = this.#options;
    delivered.learn(await loadDelivered(db, MAX_DOMAINS));
    this.#timer = setInterval(() => void this.#save(), SAVE_MS);
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#isStopped = true;
    await this.#save();
  }

  /** Looks the site up. Null where that failed. */
  find(domain: string): Promise<HomeSite | null> {
    return this.#lookingUp.run(domain, () => this.#lookUps.hold(1, () => this.#lookUp(domain)));
  }

  /** Clears the cache, so that all sites are looked up again. */
  forget(): void {
    this.#entries.clear();
  }

  known(domain: string): HomeSite | undefined {
    const entry = this.#entries.get(domain);
    return entry !== undefined && entry.freshUntilMs > this.#options.nowMs() ? entry.site : undefined;
  }

  async #lookUp(domain: string): Promise<HomeSite | null> {
    if (this.#isStopped) return null;
    try {
      return this.#learn(domain, await this.#options.siteOf(domain));
    } catch (error) {
      this.#options.log.error({ err: error, domain }, 'cannot determine the site of a domain');
      return null;
    }
  }

  #learn(domain: string, site: HomeSite): HomeSite {
    const nowMs = this.#options.nowMs();
    const before = this.#entries.get(domain);
    const isWritten = before?.site.name === site.name && nowMs - before.writtenMs < REWRITE_MS;
    const writtenMs = isWritten ? before.writtenMs : nowMs;
    if (!isWritten) this.#note(domain, site, false);
    this.#entries.set(domain, { site, freshUntilMs: nowMs + KEEP_MS, writtenMs });
    return site;
  }

  #note(domain: string, { name: site, provider }: HomeSite, delivered: boolean): void {
    const before = this.#unwritten.get(domain);
    const known = before?.site === site && before.delivered;
    this.#unwritten.set(domain, { domain, site, provider, delivered: delivered || known });
  }

  async #save(): Promise<void> {
    const { db, log, delivered } = this.#options;
    for (const [domain, site] of delivered.takeUnwritten()) this.#note(domain, site, true);
    const batch = [...this.#unwritten.values()].slice(0, MAX_SAVED_AT_ONCE);
    if (batch.length === 0) return;
    for (const { domain } of batch) this.#unwritten.delete(domain);
    try {
      delivered.learn(await saveSiteDomains(db, batch));
    } catch (error) {
      log.warn({ err: error }, 'cannot save the sites of domains');
      if (this.#unwritten.size < MAX_ENTRIES) {
        for (const one of batch) if (!this.#unwritten.has(one.domain)) this.#unwritten.set(one.domain, one);
      }
    }
  }
}
