/**
 * Runs a request that is sent twice with the same key once, and gives both the same answer, whatever the entry point.
 *
 * The first request with a key runs. Its answer is stored in the transaction that does the work (`submit` takes the run), so
 * that a crash leaves both or neither. Other requests with the same key and content wait for the answer.
 *
 * While a request runs, its process reports every second. When the reports stop, the next request with the key takes over, as a
 * new run. Only the run that owns the key can complete. A run that was taken over but still executes finds out in its own
 * transaction, which then stores nothing, and returns the other run's answer.
 */
import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isTakenOver } from '../../database/errors.ts';
import type { Sql } from '../../database/sql.ts';
import { RepeatedRequest } from './repeats.ts';
import {
  begin,
  completeAll,
  confirmAnswer,
  find,
  freeKey,
  type IdempotencyRef,
  keepAlive,
  type RequestKey,
  type StoredAnswer,
} from './store.ts';

const POLL_MS = 25;
const ALIVE_EVERY_MS = 1_000;
/** A waiting repeat gives up before its client times out. */
const WAIT_MS = 10_000;

export interface KeyedRequest {
  readonly organizationId: string;
  readonly key: string;
  /** A hash of everything that identifies the request. */
  readonly hash: Buffer;
}

/** An agent's keys are its own. No client can send a line end in a key, so no other key can collide with these. */
export function ownedKey(agent: string | null | undefined, key: string): string {
  return agent == null ? key : `${agent}\n${key}`;
}

export interface RequestRun extends RequestKey {
  readonly hash: Buffer;
}

type Begun =
  | { readonly kind: 'begun'; readonly run: RequestRun }
  | { readonly kind: 'answered'; readonly answer: StoredAnswer }
  | { readonly kind: 'other_request' }
  | { readonly kind: 'still_running' };

export async function reserve(db: Sql, request: KeyedRequest): Promise<Begun> {
  const run = { ...request, run: randomUUID() };
  const deadline = performance.now() + WAIT_MS;
  for (;;) {
    const found = await begin(db, run, run.hash);
    if (found.kind === 'begun') return { kind: 'begun', run };
    if (found.kind === 'other_body') return { kind: 'other_request' };
    if (found.kind === 'answered') return found;
    if (performance.now() > deadline) return { kind: 'still_running' };
    await sleep(POLL_MS);
  }
}

/** For a request that is its own key: the same key cannot be another request. */
export function selfKeyed(organizationId: string, key: string): KeyedRequest {
  return {
    organizationId,
    key,
    // Computed lazily: only a repeated request needs the hash.
    get hash() {
      return createHash('sha256').update(key).digest();
    },
  };
}

/**
 * Runs a request that is its own key without a reservation, so there is no commit before the one that does the work. A repeat
 * gets the answer of the first request, even if it would be refused now.
 */
export async function runWithoutReservation<T>(
  db: Sql,
  request: KeyedRequest,
  work: (run: IdempotencyRef) => Promise<T>,
  isRefused: (result: T) => boolean,
): Promise<Done<T>> {
  const { organizationId, key } = request;
  try {
    const result = await work({ organizationId, key, run: null });
    const before = isRefused(result) ? await findStoredAnswer(db, request) : null;
    return before === null ? { kind: 'done', result } : { kind: 'taken_over', answer: before };
  } catch (error) {
    if (!isTakenOver(error)) throw error;
    const known = error instanceof RepeatedRequest ? error.answer : null;
    return { kind: 'taken_over', answer: known ?? (await findStoredAnswer(db, request)) };
  }
}

/** The answer of an earlier identical request under this key. Begins nothing. */
export async function findStoredAnswer(db: Sql, request: KeyedRequest): Promise<StoredAnswer | null> {
  const found = await find(db, request, request.hash);
  return found?.kind === 'answered' ? confirmed(db, request, found.answer) : null;
}

export type Done<T> =
  | { readonly kind: 'done'; readonly result: T }
  /** Another run took over. Its answer is null while that run has not answered yet. */
  | { readonly kind: 'taken_over'; readonly answer: StoredAnswer | null };

/** Does the work of a run. If the work stores no answer, however it ends, the caller must call `endReservation`. */
export async function runReserved<T>(db: Sql, run: RequestRun, work: () => Promise<T>): Promise<Done<T>> {
  // Most runs finish before the first report.
  const alive = setInterval(() => void keepAlive(db, [run]).catch(() => {}), ALIVE_EVERY_MS).unref();
  try {
    return { kind: 'done', result: await work() };
  } catch (error) {
    if (!isTakenOver(error)) throw error;
    return { kind: 'taken_over', answer: await answerOfOther(db, run) };
  } finally {
    clearInterval(alive);
  }
}

async function answerOfOther(db: Sql, run: RequestRun): Promise<StoredAnswer | null> {
  const deadline = performance.now() + WAIT_MS;
  while (performance.now() < deadline) {
    const found = await find(db, run, run.hash);
    if (found?.kind === 'answered') return confirmed(db, run, found.answer);
    if (found?.kind !== 'running') return null;
    await sleep(POLL_MS);
  }
  return null;
}

/** A request that was begun has already waited for the commit of the found answer; a lookup has not. */
async function confirmed(
  db: Sql,
  request: Pick<KeyedRequest, 'organizationId' | 'key'>,
  answer: StoredAnswer,
): Promise<StoredAnswer> {
  await confirmAnswer(db, request);
  return answer;
}

/** Ends a run that changed nothing: stores its answer, or without one frees the key for another run. */
export async function endReservation(db: Sql, run: RequestRun, kept: StoredAnswer | null): Promise<void> {
  if (kept === null) {
    await freeKey(db, run).catch(() => {}); // if this fails, the run is taken over once it counts as abandoned
    return;
  }
  await completeAll(db, [{ ...run, answer: kept }]).catch((error: unknown) => {
    if (!isTakenOver(error)) throw error; // the run that took over gets the same refusal
  });
}
