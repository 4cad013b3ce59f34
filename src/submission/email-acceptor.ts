/** What submission hands emails in to, and what it hears of each. */
import type { NewEmail } from '../emails/email.ts';
import type { EmptyBatch } from '../emails/empty-batches.ts';
import type { GateRefused } from './gates/gates.ts';
import type { StoredAnswer, UnbegunKey } from './idempotency/idempotency-store.ts';

export type AcceptResult = { readonly kind: 'accepted' } | GateRefused;

/** What one request hands in: accepted in one transaction, each email with a result of its own. */
export interface Submission {
  readonly emails: readonly NewEmail[];
  /** One that is refused refuses the others. */
  readonly allOrNone?: boolean;
  /** Where and how the answer is stored together with what it is about, for a request with an Idempotency-Key. */
  readonly completion: {
    readonly key: UnbegunKey;
    readonly answer: (results: readonly AcceptResult[]) => StoredAnswer | null;
  } | null;
}

export interface EmailAcceptor {
  /** Resolves when they are on disk. Rejects with BatcherFullError when too much is waiting already. */
  accept(submission: Submission): Promise<readonly AcceptResult[]>;
  /** No email of the batch tells that it was there. */
  rememberEmpty(batch: EmptyBatch): Promise<void>;
}
