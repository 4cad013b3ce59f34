/** What the doctor examines with. All of it is passed in, so that tests have hosts and a DNS of their own on loopback. */
import type { Database } from '../database/database.ts';
import type { LookupOptions, Resolver } from '../protocols/dns/resolver.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Config } from '../runtime/config.ts';
import { CheckInconclusive } from './finding.ts';
import type { Outside } from './reference-servers.ts';

export interface DoctorContext {
  readonly config: Config;
  readonly clock: Clock;
  /** Made for one examination: what it has in its cache is of now. */
  readonly resolver: Resolver;
  /** Or why there is none. */
  readonly db: Database | string;
  /** Whose disks hold the data, the data folder first. */
  readonly folders: readonly string[];
  readonly outside: Outside;
}

/** The longest that one lookup takes. */
export const DOCTOR_LOOKUP: LookupOptions = { deadlineMs: 4_000 };

/** Of each cell that answers, what was asked of it: that another does not is told of once, by the check for that. */
export async function ofAnswering<T>(
  world: Pick<DoctorContext, 'db'>,
  ask: (cell: Database) => Promise<T>,
): Promise<readonly T[]> {
  const [first, ...others] = databaseOf(world).cells.map(({ db }) => ask(db));
  const settled = await Promise.allSettled(others);
  return [
    await (first as Promise<T>),
    ...settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])),
  ];
}

export function databaseOf({ db }: Pick<DoctorContext, 'db'>): Database {
  if (typeof db !== 'string') return db;
  throw new CheckInconclusive(`The database was not asked: ${db}`);
}
