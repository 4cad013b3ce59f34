/** Whether a failed attempt is tried again, and when. Pure; `transport.ts` does the waiting. */
import type { PostriderError } from './errors.ts';
import type { KeyedOperation } from './generated/types.gen.ts';
import type { OperationName } from './operation.ts';

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 8_000;
/** If the server asks for a longer pause, the request is not retried: the caller decides. */
const LONGEST_ASKED_MS = 60_000;

/** A record, so that the compiler reports a new operation with an idempotency key. */
const KEYED: Readonly<Record<KeyedOperation, true>> = {
  'POST /emails/batch': true,
  'POST /emails/batch/mixed': true,
  'POST /emails/send': true,
  'POST /emails/{id}/resend': true,
  'POST /emails/resend': true,
  'POST /inbound/{id}/reply': true,
};

/** POST requests that have the same result if they are repeated. */
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

/** In this API, all requests except POST are idempotent. */
export function isRepeatable(operation: string): boolean {
  return !operation.startsWith('POST ') || REPEATABLE.has(operation) || takesIdempotencyKey(operation);
}

/**
 * The pause before the next attempt, or null for no further attempt.
 * @param attempt the number of the failed attempt, from 1
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
  // Half of the pause is random, so that clients that failed together do not retry together.
  const jittered = limit * (0.5 + random() / 2);
  return askedMs > 0 ? askedMs + jittered - limit / 2 : jittered;
}

function isWorthIt({ code, status }: PostriderError, operation: string, attempt: number): boolean {
  // The request was refused before anything was done. A person who signs in waits for the response, so signing in is not retried.
  if (code === 'RATE_LIMITED') return !operation.startsWith('POST /auth/');
  if (!isRepeatable(operation)) return false;
  // From the second attempt on, the conflict is with our own earlier attempt, which is still running.
  if (code === 'IDEMPOTENCY_CONFLICT') return attempt > 1;
  return status === 0 || status === 500 || status === 502 || status === 503 || status === 504;
}
