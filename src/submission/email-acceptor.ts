/** The interface that submission hands emails to. */
import type { NewEmail } from '../emails/email.ts';
import type { EmptyBatch } from '../emails/empty-batches.ts';
import type { GateRefused } from './gates/gates.ts';
import type { IdempotencyRef, StoredAnswer } from './idempotency/store.ts';

export type AcceptResult = { readonly kind: 'accepted' } | GateRefused;

/** One request: its emails are accepted in one transaction, and each has a result of its own. */
export interface Submission {
  readonly emails: readonly NewEmail[];
  /** If one email is refused, all are. */
  readonly allOrNone?: boolean;
  /** The key and the function for storing the answer in the same transaction, for a request with an Idempotency-Key. */
  readonly completion: {
    readonly key: IdempotencyRef;
    readonly answer: (results: readonly AcceptResult[]) => StoredAnswer | null;
  } | null;
}

export interface EmailAcceptor {
  /** Resolves when the emails are on disk. Rejects with BatcherFullError if too many submissions are waiting. */
  accept(submission: Submission): Promise<readonly AcceptResult[]>;
  /** Records a batch without any accepted email, since no email proves that it existed. */
  rememberEmpty(batch: EmptyBatch): Promise<void>;
}
