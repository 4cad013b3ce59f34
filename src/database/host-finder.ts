/**
 * Which of several hosts of PostgreSQL is the one to talk to: the one that takes writes, or a standby.
 *
 * Owns what is known of it. A host is *known* until somebody had no luck with it (`lost`); then the next who asks looks,
 * for all who ask meanwhile. A look asks all hosts at once, because one that is gone may not even refuse. After a look in vain nobody asks for a while, which grows and is different in every process:
 * a server that has just taken over is not met by all of them in the same moment.
 *
 * Where there is one host, it is always known.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type DatabasePlace, databasePlaces } from '../runtime/database-url.ts';
import { GrowingPause } from '../runtime/growing-pause.ts';
import type { Log } from '../runtime/log.ts';

export type WantedHost = 'writes' | 'standby';

export interface HostFinderOptions {
  readonly places: readonly DatabasePlace[];
  readonly wanted: WantedHost;
  readonly log: Log;
  /** Connections to any other are of no use from now on. */
  readonly onFound?: (place: DatabasePlace) => void;
}

const ANSWERS_WITHIN_MS = 5_000;
/** Once one has answered that is what is wanted. */
const OTHERS_WITHIN_MS = 100;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;
/** Where a look had found one. */
const LOOK_AGAIN_AFTER_MS = 1_000;

/** None of them is what is wanted. */
export class NoHostError extends Error {
  /** PostgreSQL's own word for it: a connection cannot be established. */
  readonly code = '08001';
}

export class HostFinder {
  readonly #options: HostFinderOptions;
  readonly #pause = new GrowingPause(FIRST_PAUSE_MS, LONGEST_PAUSE_MS);
  #isKnown: boolean;
  #last: DatabasePlace;
  #looking: Promise<DatabasePlace> | null = null;
  #inVain: NoHostError | null = null;
  #restUntilMs = 0;

  constructor(options: HostFinderOptions) {
    const [first] = options.places;
    if (first === undefined) throw new Error('An address of PostgreSQL names no host.');
    this.#options = options;
    this.#last = first;
    this.#isKnown = !this.hasOthers;
  }

  get hasOthers(): boolean {
    return this.#options.places.length > 1;
  }

  /** The last that was known; the first one named while none was. */
  get place(): DatabasePlace {
    return this.#last;
  }

  async find(): Promise<DatabasePlace> {
    return this.#isKnown ? this.#last : this.#look();
  }

  /** It did not answer, or is not what it was. */
  lost(place: DatabasePlace): void {
    if (this.hasOthers && place === this.#last) this.#isKnown = false;
  }

  /** It lets somebody wait: perhaps another has taken over, of which a connection that hangs will never hear. */
  suspect(place: DatabasePlace): void {
    if (this.hasOthers && place === this.#last) this.#look().catch(() => undefined);
  }

  #look(): Promise<DatabasePlace> {
    const restMs = this.#restUntilMs - performance.now();
    if (this.#looking === null && this.#inVain !== null && restMs > 0) return Promise.reject(this.#inVain);
    this.#looking ??= this.#askAll(restMs).finally(() => {
      this.#looking = null;
    });
    return this.#looking;
  }

  async #askAll(restMs: number): Promise<DatabasePlace> {
    if (restMs > 0) await sleep(restMs);
    const { places, wanted } = this.#options;
    try {
      const found = await findHost(places, wanted);
      this.#note(found);
      return found;
    } catch (error) {
      // Whoever was only suspected is kept: a host that is overloaded answers late, and is the right one.
      this.#restUntilMs = performance.now() + this.#pause.next();
      this.#inVain = error as NoHostError;
      throw error;
    }
  }

  #note(found: DatabasePlace): void {
    const { log, onFound } = this.#options;
    if (found !== this.#last) log.info({ host: found.name }, 'the database is at another host now');
    this.#last = found;
    this.#isKnown = true;
    this.#inVain = null;
    this.#pause.reset();
    this.#restUntilMs = performance.now() + LOOK_AGAIN_AFTER_MS;
    onFound?.(found);
  }
}

/** The address of the one host that takes writes, for a connection of one's own. */
export async function writableUrl(url: string): Promise<string> {
  const places = databasePlaces(url);
  return places.length === 1 ? url : (await findHost(places, 'writes')).url;
}

/** Of several that take writes, the one that was promoted last: another has not heard yet that it was relieved. */
async function findHost(places: readonly DatabasePlace[], wanted: WantedHost): Promise<DatabasePlace> {
  const asked = places.map((place) => ask(place, wanted));
  await Promise.any(asked).catch(({ errors }: AggregateError) => {
    throw inVain(places, wanted, errors);
  });
  const inTime = asked.map((one) => Promise.race([one.catch(() => null), sleep(OTHERS_WITHIN_MS, null)]));
  const found = (await Promise.all(inTime)).filter((one) => one !== null);
  return found.reduce((best, one) => (one.timeline > best.timeline ? one : best)).place;
}

export interface HostState {
  readonly isStandby: boolean;
  readonly onlyReads: boolean;
  /** Grows with each promotion; 0 for a standby. */
  readonly timeline: number;
}

/** The file of the log that is being written begins with the number of the timeline. */
const SELECT_STATE = `SELECT pg_is_in_recovery() AS "isStandby",
  current_setting('transaction_read_only') = 'on' AS "onlyReads",
  CASE WHEN pg_is_in_recovery() THEN '0' ELSE pg_walfile_name(pg_current_wal_lsn()) END AS file`;

/** Of one host, on a connection that is made for it. */
export async function probeHostRole({ url }: DatabasePlace): Promise<HostState> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'postrider-find',
    connectionTimeoutMillis: ANSWERS_WITHIN_MS,
    query_timeout: ANSWERS_WITHIN_MS,
  });
  client.on('error', () => {}); // the query in hand reports it
  try {
    await client.connect();
    const { rows } = await client.query<Omit<HostState, 'timeline'> & { file: string }>(SELECT_STATE);
    const { file, isStandby, onlyReads } = rows[0] as (typeof rows)[number];
    return { isStandby, onlyReads, timeline: Number.parseInt(file.slice(0, 8), 16) };
  } finally {
    client.end().catch(() => undefined);
  }
}

async function ask(place: DatabasePlace, wanted: WantedHost) {
  const { isStandby, onlyReads, timeline } = await probeHostRole(place);
  if (wanted === 'writes' ? !onlyReads : isStandby) return { place, timeline };
  throw new Error(wanted === 'writes' ? 'it only reads' : 'it is no standby');
}

function inVain(
  places: readonly DatabasePlace[],
  wanted: WantedHost,
  errors: readonly unknown[],
): NoHostError {
  const seen = places.map(({ name }, i) => `${name} (${reasonOf(errors[i])})`).join(', ');
  return new NoHostError(
    wanted === 'writes' ? `No host takes writes: ${seen}` : `No host is a standby: ${seen}`,
    { cause: errors[0] },
  );
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message || (error as NodeJS.ErrnoException).code || error.name;
}
