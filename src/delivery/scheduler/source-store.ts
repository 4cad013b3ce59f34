/** The only writer of `worker_sources`: the source addresses on the machine of each worker. */
import { type Sql, sql } from '../../database/sql.ts';

const upsert = sql(
  'worker_sources.put',
  `INSERT INTO worker_sources (epoch, addresses) VALUES ($1, $2::text[])
   ON CONFLICT (epoch) DO UPDATE SET addresses = excluded.addresses`,
  { home: 'cell' },
);

/** Removes rows of workers that no longer exist. */
const removeGone = sql(
  'worker_sources.remove_orphaned',
  'DELETE FROM worker_sources s WHERE NOT EXISTS (SELECT FROM workers w WHERE w.epoch = s.epoch)',
  { home: 'cell' },
);

const select = sql<{ epoch: number; addresses: readonly string[] }>(
  'worker_sources.all',
  'SELECT epoch, addresses FROM worker_sources',
  { home: 'cell' },
);

export async function saveSources(db: Sql, epoch: number, addresses: readonly string[]): Promise<void> {
  await db.exec(upsert, [epoch, addresses]);
  await db.exec(removeGone);
}

/** The addresses by worker, dead ones included. */
export async function loadSources(db: Sql): Promise<Map<number, ReadonlySet<string>>> {
  return new Map((await db.many(select)).map(({ epoch, addresses }) => [epoch, new Set(addresses)]));
}
