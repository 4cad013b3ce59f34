/**
 * The conditions of sites, which all workers share through the table `sites`.
 *
 * Owns the conditions by site, and the writes in progress. A change by this worker takes effect at once and is written at once.
 * A read that began before the commit of the write does not undo the change.
 */
import type { Database } from '../../database/database.ts';
import type { Log } from '../../runtime/log.ts';
import { ALL_WELL, type SiteCondition } from './site-condition.ts';
import { loadSites, saveSite } from './site-store.ts';

export class SharedConditions {
  readonly #db: Database;
  readonly #log: Log;
  #known = new Map<string, SiteCondition>();
  /** The last write in progress, by site. */
  readonly #written = new Map<string, Promise<void>>();

  constructor(db: Database, log: Log) {
    this.#db = db;
    this.#log = log;
  }

  of(site: string): SiteCondition {
    return this.#known.get(site) ?? ALL_WELL;
  }

  has(site: string): boolean {
    return this.#known.has(site);
  }

  get all(): ReadonlyMap<string, SiteCondition> {
    return this.#known;
  }

  set(site: string, condition: SiteCondition): void {
    this.#known.set(site, condition);
    const write = (this.#written.get(site) ?? Promise.resolve())
      .then(() => saveSite(this.#db, site, condition))
      .catch((error) => this.#log.warn({ err: error, site }, 'cannot save the state of a site'))
      .finally(() => {
        if (this.#written.get(site) === write) this.#written.delete(site);
      });
    this.#written.set(site, write);
  }

  /** Reads the changes of other workers and the pauses of operators. */
  async read(): Promise<void> {
    const own = new Set(this.#written.keys());
    const read = await loadSites(this.#db);
    for (const site of [...own, ...this.#written.keys()]) keep(site, this.#known, read);
    this.#known = read;
  }

  async settled(): Promise<void> {
    await Promise.allSettled(this.#written.values());
  }
}

function keep(site: string, from: Map<string, SiteCondition>, to: Map<string, SiteCondition>): void {
  const paused = to.get(site)?.paused ?? false;
  const known = from.get(site);
  if (known === undefined) to.delete(site);
  else to.set(site, { ...known, paused });
}
