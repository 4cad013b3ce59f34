/** Whether a failed attempt is tried again, and when. Pure; `transport.ts` does the waiting. */
import type { PostriderError } from './errors.ts';
import type { KeyedOperation } from './generated/types.gen.ts';
import type { OperationName } from './operation.ts';

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 8_000;
/** A server that asks for more patience than this gets it from the caller, who knows what the wait is worth. */
const LONGEST_ASKED_MS = 60_000;

/** A record, so that the compiler notices when the API learns to take a key elsewhere. */
const KEYED: Readonly<Record<KeyedOperation, true>> = {
  'POST /emails/batch': true,
  'POST /emails/batch/mixed': true,
  'POST /emails/send': true,
  'POST /inbound/{id}/reply': true,
};

/** Posts that come to the same when done twice. */
const REPEATABLE: ReadonlySet<string> = new Set<OperationName>([
  'POST /emails/validate',
  'POST /emails/validate/batch',
  'POST /suppressions',
  'POST /templates/validate',
  'POST /templates/{id}/preview',
]);

export function takesIdempotencyKey(operation: string): boolean {
  return Object.hasOwn(KEYED, operation);
}

/** Reads, and changes that say what shall be, are the same done twice: in this API, all but posts. */
export function isRepeatable(operation: string): boolean {
  return !operation.startsWith('POST ') || REPEATABLE.has(operation) || takesIdempotencyKey(operation);
}

/**
 * How long to wait before the next attempt, or null to give up.
 * @param attempt the one that failed, from 1
 */
export function retryDelayMs(
  error: PostriderError,
  operation: string,
  attempt: number,
  random: () => number = Math.random,
): number | null {
  if (!isWorthIt(error, operation, attempt)) return null;
  const askedMs = (error.retryAfterSeconds ?? 0) * 1000;
  if (askedMs > LONGEST_ASKED_MS) return null;
  const limit = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (attempt - 1));
  // Half of it by chance, so that clients that failed together do not come back together.
  const jittered = limit * (0.5 + random() / 2);
  return askedMs > 0 ? askedMs + jittered - limit / 2 : jittered;
}

function isWorthIt({ code, status }: PostriderError, operation: string, attempt: number): boolean {
  // Turned away before anything was done, whatever it was. Somebody who signs in is waiting, and is told.
  if (code === 'RATE_LIMITED') return !operation.startsWith('POST /auth/');
  if (!isRepeatable(operation)) return false;
  // Our own earlier attempt is still at work; with a key of somebody else's it would not be ours to wait for.
  if (code === 'IDEMPOTENCY_CONFLICT') return attempt > 1;
  return status === 0 || status === 500 || status === 502 || status === 503 || status === 504;
}
