/**
 * Imports uploaded lists in the background, one at a time, one chunk per transaction. Chunks are short and lookups do
 * not wait for them, so sending continues meanwhile. Owns the current import. On stop it releases the import between
 * two chunks; after a kill the lease expires and another process continues.
 */
import type { Database } from '../database/database.ts';
import { isUnavailable } from '../database/errors.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Service } from '../runtime/lifecycle.ts';
import type { Log } from '../runtime/log.ts';
import { WorkLoop } from '../runtime/work-loop/loop.ts';
import { entryListedAs } from './erased-entry.ts';
import { type ListedAddress, type ListProblem, readList } from './import-list.ts';
import {
  advanceImport,
  type ClaimedImport,
  claimImport,
  finishImport,
  type ImportError,
  lockImport,
  releaseImport,
} from './import-store.ts';
import { putAll } from './store.ts';
import { entryKey, type NewSuppression, newSuppression } from './suppression.ts';

export interface ImporterDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
}

/** A chunk of this size takes a few milliseconds to read and about 50 ms to write. */
const CHUNK_LINES = 1_000;
/** The maximum delay before a new import is found. */
const POLL_MS = 500;
const DRAIN_MS = 3_000;

export class SuppressionImporter implements Service {
  readonly name = 'suppression importer';
  readonly #deps: ImporterDeps;
  readonly #loop: WorkLoop<ClaimedImport>;
  #stopping = false;

  constructor(deps: ImporterDeps) {
    this.#deps = deps;
    this.#loop = new WorkLoop({
      name: this.name,
      log: deps.log,
      capacity: 1,
      pollMs: POLL_MS,
      drainMs: DRAIN_MS,
      claim: async () => {
        const claimed = await claimImport(deps.db);
        return claimed === undefined ? [] : [claimed];
      },
      work: (one) => this.#work(one),
    });
  }

  start(): Promise<void> {
    return this.#loop.start();
  }

  stop(): Promise<void> {
    this.#stopping = true;
    return this.#loop.stop();
  }

  async #work(one: ClaimedImport): Promise<void> {
    const { db, clock, log } = this.#deps;
    try {
      await this.#importAll(one);
    } catch (error) {
      log.error({ err: error, import: one.id }, 'an import of suppressions stopped');
      // While the database is unavailable, the import stays as it is: the lease expires and the import resumes.
      if (!isUnavailable(error)) await finishImport(db, one, 'failed', clock.nowMs());
    }
  }

  async #importAll(one: ClaimedImport): Promise<void> {
    const { db, clock } = this.#deps;
    let state: ImportState = { processed: one.processed, errors: one.errors, lease: one.lease };
    for await (const chunk of chunksOf(one)) {
      if (this.#stopping) return releaseImport(db, one, state.processed);
      const next = await this.#addChunk(one, state, chunk);
      if (next === null) return; // another worker has claimed the import, or its list has changed
      state = next;
    }
    await finishImport(db, one, 'done', clock.nowMs());
  }

  async #addChunk(
    one: ClaimedImport,
    { processed, errors, lease }: ImportState,
    chunk: Chunk,
  ): Promise<ImportState | null> {
    const { db, clock } = this.#deps;
    const entries = toEntries(one, chunk.addresses, clock.nowMs());
    const all = [...errors, ...chunk.problems.map(({ line, field, message }) => ({ line, field, message }))];
    const nextLease = await db.transaction(async (tx) => {
      if (!(await lockImport(tx, one, processed, lease))) return null;
      const { added } = await putAll(tx, [...entries.keys()], (entry) => entries.get(entry) === true);
      const existing = chunk.addresses.length - added.length;
      const progress = { from: processed, added: added.length, existing, invalid: chunk.problems.length };
      return advanceImport(tx, one, { ...progress, errors: all });
    });
    if (nextLease === null) return null;
    const dealtWith = chunk.addresses.length + chunk.problems.length;
    return { processed: processed + dealtWith, errors: all, lease: nextLease };
  }
}

interface ImportState {
  readonly processed: number;
  readonly errors: readonly ImportError[];
  readonly lease: string;
}

interface Chunk {
  readonly addresses: readonly ListedAddress[];
  readonly problems: readonly ListProblem[];
}

/** From the import's position to the end of the list. */
async function* chunksOf({ payload, format, processed }: ClaimedImport): AsyncGenerator<Chunk> {
  let line = 0;
  let addresses: ListedAddress[] = [];
  let problems: ListProblem[] = [];
  for await (const read of readList(payload, format)) {
    line += 1;
    if (line <= processed) continue;
    const listed = read();
    if (listed.ok) addresses.push(listed);
    else problems.push(listed);
    if (addresses.length + problems.length < CHUNK_LINES) continue;
    yield { addresses, problems };
    addresses = [];
    problems = [];
  }
  if (addresses.length + problems.length > 0) yield { addresses, problems };
}

/**
 * Each address once, with the last reason given for it. The value is true when the line or the whole import has
 * a reason, which replaces that of an existing entry.
 */
function toEntries(
  { organization_id: organizationId, reason: fallback }: ClaimedImport,
  addresses: readonly ListedAddress[],
  nowMs: number,
): Map<NewSuppression, boolean> {
  const last = new Map<string, ListedAddress>();
  for (const one of addresses) {
    const name = entryKey(one.key, one.group);
    if (one.reason !== null || !last.has(name)) last.set(name, one);
  }
  return new Map(
    [...last.values()].map(({ email, key, group, reason: given }) => {
      const reason = given ?? fallback;
      const why = { reason: reason ?? 'manual', source: 'manual', group } as const;
      const address = entryListedAs(email) ?? { email, key };
      return [newSuppression({ organizationId, ...address }, why, nowMs), reason !== null];
    }),
  );
}
