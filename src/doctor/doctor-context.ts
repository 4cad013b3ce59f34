/** The doctor's inputs. All are injected, so that tests use their own hosts and DNS on loopback. */
import type { Database } from '../database/database.ts';
import type { LookupOptions, Resolver } from '../protocols/dns/resolver.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Config } from '../runtime/config.ts';
import { CheckInconclusive } from './finding.ts';
import type { Outside } from './reference-servers.ts';

export interface DoctorContext {
  readonly config: Config;
  readonly clock: Clock;
  /** Created for one examination, so that its cache contains no older answers. */
  readonly resolver: Resolver;
  /** The database, or the reason why there is none. */
  readonly db: Database | string;
  /** Folders whose disks hold the data; the data folder first. */
  readonly folders: readonly string[];
  readonly outside: Outside;
}

/** Time limit of one lookup. */
export const DOCTOR_LOOKUP: LookupOptions = { deadlineMs: 4_000 };

/** Queries each cell that answers. A separate check reports cells that do not. */
export async function ofAnswering<T>(
  context: Pick<DoctorContext, 'db'>,
  ask: (cell: Database) => Promise<T>,
): Promise<readonly T[]> {
  const [first, ...others] = databaseOf(context).cells.map(({ db }) => ask(db));
  const settled = await Promise.allSettled(others);
  return [
    await (first as Promise<T>),
    ...settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])),
  ];
}

export function databaseOf({ db }: Pick<DoctorContext, 'db'>): Database {
  if (typeof db !== 'string') return db;
  throw new CheckInconclusive(`The database was not checked: ${db}`);
}
