/**
 * Finds the PostgreSQL host to use among several: the one that accepts writes, or a standby.
 *
 * Owns the current host. The host is *known* until a connection to it fails (`lost`). The next caller then starts a search,
 * which all concurrent callers share. A search asks all hosts at once, because a dead host may not even refuse. After an
 * unsuccessful search comes a pause, which grows and is random per process, so that processes do not all reach a new primary at
 * the same moment.
 *
 * A single host is always known.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type DatabasePlace, databasePlaces } from '../runtime/database-url.ts';
import { GrowingPause } from '../runtime/growing-pause.ts';
import type { Log } from '../runtime/log.ts';
import { SharedRun } from '../runtime/single-flight.ts';

export type WantedHost = 'writes' | 'standby';

interface HostFinderOptions {
  readonly places: readonly DatabasePlace[];
  readonly wanted: WantedHost;
  readonly log: Log;
  /** Existing connections to any other host are useless from now on. */
  readonly onFound?: (place: DatabasePlace) => void;
}

const ANSWERS_WITHIN_MS = 5_000;
/** After one host has answered in the wanted role. */
const OTHERS_WITHIN_MS = 100;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;
/** After a successful search. */
const LOOK_AGAIN_AFTER_MS = 1_000;

/** No host has the wanted role. */
class NoHostError extends Error {
  /** PostgreSQL's code for a failed connection. */
  readonly code = '08001';
}

export class HostFinder {
  readonly #options: HostFinderOptions;
  readonly #pause = new GrowingPause(FIRST_PAUSE_MS, LONGEST_PAUSE_MS);
  #isKnown: boolean;
  #last: DatabasePlace;
  readonly #looking = new SharedRun(() => this.#askAll());
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

  /** The last known host; the first configured one before that. */
  get place(): DatabasePlace {
    return this.#last;
  }

  async find(): Promise<DatabasePlace> {
    return this.#isKnown ? this.#last : this.#look();
  }

  /** The host did not answer, or has lost its role. */
  lost(place: DatabasePlace): void {
    if (this.hasOthers && place === this.#last) this.#isKnown = false;
  }

  /** The host is slow. Another may have taken over, which a hanging connection never reports. */
  suspect(place: DatabasePlace): void {
    if (this.hasOthers && place === this.#last) this.#look().catch(() => undefined);
  }

  #look(): Promise<DatabasePlace> {
    const rests = this.#restUntilMs > performance.now();
    if (!this.#looking.isRunning && this.#inVain !== null && rests) return Promise.reject(this.#inVain);
    return this.#looking.run();
  }

  async #askAll(): Promise<DatabasePlace> {
    const restMs = this.#restUntilMs - performance.now();
    if (restMs > 0) await sleep(restMs);
    const { places, wanted } = this.#options;
    try {
      const found = await findHost(places, wanted);
      this.#note(found);
      return found;
    } catch (error) {
      // A merely suspected host is kept: an overloaded host answers late, and is still the right one.
      this.#restUntilMs = performance.now() + this.#pause.next();
      this.#inVain = error as NoHostError;
      throw error;
    }
  }

  #note(found: DatabasePlace): void {
    const { log, onFound } = this.#options;
    if (found !== this.#last) log.info({ host: found.name }, 'the database has moved to another host');
    this.#last = found;
    this.#isKnown = true;
    this.#inVain = null;
    this.#pause.reset();
    this.#restUntilMs = performance.now() + LOOK_AGAIN_AFTER_MS;
    onFound?.(found);
  }
}

/** The address of the host that accepts writes, for a dedicated connection. */
export async function writableUrl(url: string): Promise<string> {
  const places = databasePlaces(url);
  return places.length === 1 ? url : (await findHost(places, 'writes')).url;
}

/** Of several hosts that accept writes, the last promoted one: the others do not know yet that they were replaced. */
async function findHost(places: readonly DatabasePlace[], wanted: WantedHost): Promise<DatabasePlace> {
  const asked = places.map((place) => ask(place, wanted));
  await Promise.any(asked).catch(({ errors }: AggregateError) => {
    throw failedSearch(places, wanted, errors);
  });
  const inTime = asked.map((one) => Promise.race([one.catch(() => null), sleep(OTHERS_WITHIN_MS, null)]));
  const found = (await Promise.all(inTime)).filter((one) => one !== null);
  return found.reduce((best, one) => (one.timeline > best.timeline ? one : best)).place;
}

export interface HostState {
  readonly isStandby: boolean;
  readonly onlyReads: boolean;
  /** Increases with each promotion; 0 for a standby. */
  readonly timeline: number;
}

/** The name of the current WAL file begins with the number of the timeline. */
const SELECT_STATE = `SELECT pg_is_in_recovery() AS "isStandby",
  current_setting('transaction_read_only') = 'on' AS "onlyReads",
  CASE WHEN pg_is_in_recovery() THEN '0' ELSE pg_walfile_name(pg_current_wal_lsn()) END AS file`;

export async function probeHostRole({ url }: DatabasePlace): Promise<HostState> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'postrider-find',
    connectionTimeoutMillis: ANSWERS_WITHIN_MS,
    query_timeout: ANSWERS_WITHIN_MS,
  });
  client.on('error', () => {}); // the running query reports the error
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

function failedSearch(
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
