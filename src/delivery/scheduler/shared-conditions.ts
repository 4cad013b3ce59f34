/**
 * What all workers know of sites, as this one knows it.
 *
 * Owns the conditions by site, and the writes under way. What this worker finds out holds here from the moment it is known
 * and is written at once; a read that began before the write was through does not undo it.
 */
import type { Database } from '../../kit/database/database.ts';
import type { Log } from '../../kit/runtime/log.ts';
import { ALL_WELL, type SiteCondition } from './site-condition.ts';
import { loadSites, saveSite } from './site-store.ts';

export class SharedConditions {
  readonly #db: Database;
  readonly #log: Log;
  #known = new Map<string, SiteCondition>();
  /** Under way or through since the last read began, by site. */
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

  /** What others found out, and what operators decided. */
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
