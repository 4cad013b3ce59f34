/**
 * Who sends, in all cells, and from which addresses: what a site's limit is divided by. The one writer of `sending_workers`, which is
 * control's; a worker's lease is its cell's. Where there is one cell its leases say the same, and nothing is written here.
 */
import { type Sql, sql } from '../../kit/database/sql.ts';
import { LEASE_MS, liveWorkers } from '../../outbox/lease.ts';
import { loadSources, saveSources } from './source-store.ts';

/** By epoch; with the name of the cell where there are several, because each counts its own. */
export type WorkerName = number | string;

export interface SendingWorkers {
  readonly own: WorkerName;
  /** `sources`: those that this worker's machine has of the addresses that mail is sent from; null where no mail is. */
  read(sources: readonly string[] | null): Promise<KnownWorkers>;
}

export interface KnownWorkers {
  readonly live: readonly WorkerName[];
  readonly sources: ReadonlyMap<WorkerName, ReadonlySet<string>>;
}

/** Also removes who was silent for so long that it will not come back under that name. */
const beat = sql<{ name: string; addresses: readonly string[] }>(
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

/** `cell`: null where there is one. */
export function sendingWorkers(db: Sql, epoch: number, cell: string | null): SendingWorkers {
  return cell === null ? byLease(db, epoch) : byBeat(db, `${cell} ${epoch}`);
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

function byBeat(db: Sql, own: string): SendingWorkers {
  return {
    own,
    read: async (sources) => {
      const rows = await db.many(beat, [own, LEASE_MS, sources ?? []]);
      return {
        live: rows.map(({ name }) => name),
        sources: new Map(rows.map(({ name, addresses }) => [name, new Set(addresses)])),
      };
    },
  };
}
