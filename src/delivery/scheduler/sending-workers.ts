/**
 * The live workers of all cells and their source addresses: the limits of a site are divided among them. The only writer of
 * `sending_workers`, a table of the control database. A single cell uses the leases of its workers instead, and does not write
 * to the table.
 */
import { type Sql, sql } from '../../database/sql.ts';
import { LEASE_MS, liveWorkers } from '../../outbox/lease.ts';
import { loadSources, saveSources } from './source-store.ts';

/** The epoch. With several cells the cell's name precedes the epoch, because each cell counts its own epochs. */
export type WorkerName = number | string;

export interface SendingWorkers {
  readonly own: WorkerName;
  /** `sources`: the source addresses on this worker's machine; null where the route table names none. */
  read(sources: readonly string[] | null): Promise<KnownWorkers>;
}

interface KnownWorkers {
  readonly live: readonly WorkerName[];
  readonly sources: ReadonlyMap<WorkerName, ReadonlySet<string>>;
}

/** Also removes workers that have been silent for a day. */
const heartbeat = sql<{ name: string; addresses: readonly string[] }>(
  'sending_workers.beat',
  `WITH beat AS (
     INSERT INTO sending_workers (name, addresses, seen_at) VALUES ($1, $3::text[], now())
     ON CONFLICT (name) DO UPDATE SET addresses = excluded.addresses, seen_at = excluded.seen_at
   ), forgotten AS (DELETE FROM sending_workers WHERE seen_at < now() - interval '1 day')
   SELECT name, addresses FROM sending_workers
   WHERE seen_at > now() - $2 * interval '1 millisecond' AND name <> $1
   UNION ALL SELECT $1, $3::text[] ORDER BY 1`,
  { home: 'control' },
);

/** `cell`: null where there is only one cell. */
export function sendingWorkers(db: Sql, epoch: number, cell: string | null): SendingWorkers {
  return cell === null ? byLease(db, epoch) : byHeartbeat(db, `${cell} ${epoch}`);
}

function byLease(db: Sql, own: number): SendingWorkers {
  let saved: string | null = null;
  return {
    own,
    read: async (sources) => {
      const live = await liveWorkers(db);
      if (sources === null) return { live, sources: new Map() };
      const text = sources.join(' ');
      if (text !== saved) await saveSources(db, own, sources);
      saved = text;
      return { live, sources: await loadSources(db) };
    },
  };
}

function byHeartbeat(db: Sql, own: string): SendingWorkers {
  return {
    own,
    read: async (sources) => {
      const rows = await db.many(heartbeat, [own, LEASE_MS, sources ?? []]);
      return {
        live: rows.map(({ name }) => name),
        sources: new Map(rows.map(({ name, addresses }) => [name, new Set(addresses)])),
      };
    },
  };
}
