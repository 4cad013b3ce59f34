/** Accepts uploaded lists, processes them in chunks, and reports their progress. */
import { isUtf8 } from 'node:buffer';
import type { Database } from '../database/database.ts';
import { isUnavailable } from '../database/errors.ts';
import { lockOrganization } from '../organizations/store.ts';
import type { Clock } from '../runtime/clock.ts';
import { newId } from '../runtime/ids.ts';
import type { Service } from '../runtime/lifecycle.ts';
import type { Log } from '../runtime/log.ts';
import { Problems } from '../runtime/problems.ts';
import { ServiceError } from '../runtime/service-error.ts';
import { WorkLoop } from '../runtime/work-loop/loop.ts';
import { entryListedAs } from './erased-entry.ts';
import {
  countListed,
  type ListedAddress,
  type ListFormat,
  type ListProblem,
  linesFromJson,
  readList,
} from './import-list.ts';
import {
  advanceImport,
  type ClaimedImport,
  claimImport,
  countOpenImports,
  findImport,
  finishImport,
  type ImportError,
  type ImportRow,
  insertImport,
  lockImport,
  releaseImport,
} from './import-store.ts';
import { type ImportBody, MAX_IMPORT } from './schema.ts';
import { putAll } from './store.ts';
import { entryKey, type NewSuppression, newSuppression, type Reason } from './suppression.ts';

/** Lists of up to 20 MiB each are stored until they are imported. */
const MAX_OPEN_IMPORTS = 10;

interface ImportDeps {
  readonly db: Database;
  readonly clock: Clock;
}

/** CSV arrives as bytes, JSON as items that the schema has validated. */
export async function startImport(
  { db, clock }: ImportDeps,
  organizationId: string,
  body: Buffer | ImportBody | null | undefined,
  reason: Reason | null,
): Promise<ImportRow> {
  const { format, payload } = await toList(body);
  const total = await countListed(payload, format, MAX_IMPORT);
  if (total === 0) throw refusal('the list contains no address');
  if (total > MAX_IMPORT) throw refusal(`the list holds more than ${MAX_IMPORT} addresses: split it`);
  return db.transaction(async (tx) => {
    // The lock keeps concurrent requests from exceeding the limit together.
    await lockOrganization(tx, organizationId);
    if ((await countOpenImports(tx, organizationId)) >= MAX_OPEN_IMPORTS) throw tooMany();
    const createdAt = new Date(clock.nowMs());
    return insertImport(tx, { organizationId, id: newId('imp'), format, reason, payload, total, createdAt });
  });
}

function tooMany(): ServiceError {
  const message = `${MAX_OPEN_IMPORTS} imports are already waiting: wait for one to finish.`;
  return new ServiceError('CONFLICT', message);
}

export async function getImport({ db }: ImportDeps, organizationId: string, id: string): Promise<ImportRow> {
  const row = await findImport(db, organizationId, id);
  if (row === undefined)
    throw new ServiceError(
      'NOT_FOUND',
      'No import has this id. The response to POST /suppressions/import has its id.',
    );
  return row;
}

export function importView({ state, ...row }: ImportRow) {
  return { ...row, status: state };
}

async function toList(
  body: Buffer | ImportBody | null | undefined,
): Promise<{ format: ListFormat; payload: string }> {
  if (!body) throw refusal('send the list as text/csv, or as JSON');
  if (!Buffer.isBuffer(body)) return { format: 'json', payload: await linesFromJson(body.suppressions) };
  if (!isUtf8(body)) throw refusal('the list is not valid UTF-8');
  if (body.includes(0)) throw refusal('the list must not contain NUL characters');
  return { format: 'csv', payload: body.toString('utf8') };
}

function refusal(message: string): ServiceError {
  return new Problems().add('body', message).toError();
}

interface ImporterDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
}

/** A chunk of this size takes a few milliseconds to read and about 50 ms to write. */
const CHUNK_LINES = 1_000;
/** The maximum delay before a new import is found. */
const POLL_MS = 500;
const DRAIN_MS = 3_000;

/**
 * Imports uploaded lists in the background, one at a time, one chunk per transaction. Chunks are short and lookups do
 * not wait for them, so sending continues meanwhile. Owns the current import. On stop it releases the import between
 * two chunks; after a kill the lease expires and another process continues.
 */
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
