/** Transports as the API shows them (routing/transport-health.ts). */
import { isUnavailable } from '../../database/errors.ts';
import type { Sql } from '../../database/sql.ts';
import { liveWorkers } from '../../outbox/lease.ts';
import { sourceSiteName } from '../../routing/table.ts';
import type { Health, TransportHealthSource } from '../../routing/transport-health.ts';
import type { Clock } from '../../runtime/clock.ts';
import { viewOf } from './queue-view.ts';
import type { SiteCondition } from './site-condition.ts';
import { siteMessage } from './site-messages.ts';
import { loadSites } from './site-store.ts';
import { loadSources } from './source-store.ts';

/** Blocked sites shown for one source address. */
const MAX_HELD_UP = 20;

export function createTransportHealthSource(clock: Clock): TransportHealthSource {
  return {
    read: async (db, cells = [db]) => {
      const conditions = await loadSites(db);
      const sources = (await Promise.all(cells.map(sourcesIn))).flat();
      const nowMs = clock.nowMs();
      return {
        of: (site) => healthOf(site, conditions.get(site), nowMs),
        heldUpFrom: (address) => {
          const ending = sourceSiteName('', address);
          return [...conditions]
            .filter(([name]) => name.endsWith(ending))
            .slice(0, MAX_HELD_UP)
            .map(([name, condition]) => ({
              site: name.slice(0, -ending.length),
              ...healthOf(name, condition, nowMs),
            }));
        },
        workersWith: (address) => sources.filter((addresses) => addresses.has(address)).length,
      };
    },
  };
}

/** The source addresses of each live worker; none for a cell that is unavailable. */
async function sourcesIn(cell: Sql): Promise<readonly ReadonlySet<string>[]> {
  try {
    const live = new Set(await liveWorkers(cell));
    return [...(await loadSources(cell))].flatMap(([epoch, addresses]) =>
      live.has(epoch) ? [addresses] : [],
    );
  } catch (error) {
    if (isUnavailable(error)) return [];
    throw error;
  }
}

function healthOf(site: string, condition: SiteCondition | undefined, nowMs: number): Health {
  const view = viewOf(site, '', condition, nowMs);
  const { state, sinceMs, untilMs, reason, detail } = view;
  return {
    state,
    message: siteMessage(view),
    since: sinceMs === null ? null : new Date(sinceMs),
    until: state === 'blocked' && untilMs !== null ? new Date(untilMs) : null,
    reason,
    reply: detail,
  };
}
