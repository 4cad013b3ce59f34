/** What was asked of the installation, and what it answered: the promises that it is held to. */
import type { Kind } from './mail.ts';

/**
 * accepted   it said so: every email of it must exist once, and be delivered or reported
 * refused    it said that it did not take it: nothing of it may exist
 * unknown    no answer, or one that leaves it open: all of it may exist, or nothing
 */
export type SubmissionState = 'accepted' | 'refused' | 'unknown';

export interface Submission {
  readonly number: number;
  readonly ingress: string;
  readonly kind: Kind;
  /** The addresses of each of its emails. */
  readonly emails: readonly (readonly string[])[];
  readonly idempotencyKey: string | null;
  readonly scheduledAtMs: number | null;
  state: SubmissionState;
  /** In the order of the emails, where the answer named them. */
  emailIds: readonly (string | undefined)[];
  batchId: string | null;
  tries: number;
}

export class Ledger {
  readonly submissions: Submission[] = [];
  /** Answers to repeats of an answered request that were other answers. */
  readonly changedAnswers: string[] = [];
  repeats = 0;
  /** Answers by status; `none` where there was none. */
  readonly answers: Record<string, number> = {};

  open(submission: Omit<Submission, 'state' | 'emailIds' | 'batchId' | 'tries'>): Submission {
    const opened = { ...submission, state: 'unknown', emailIds: [], batchId: null, tries: 0 } as const;
    this.submissions.push(opened as Submission);
    return opened as Submission;
  }

  count(status: number | null): void {
    const name = status === null ? 'none' : String(status);
    this.answers[name] = (this.answers[name] ?? 0) + 1;
  }

  /** Emails that were accepted, by ingress and kind. */
  acceptedAs(): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const { state, ingress, kind, emails } of this.submissions) {
      const as = `${ingress} ${kind}`;
      if (state === 'accepted') counts[as] = (counts[as] ?? 0) + emails.length;
    }
    return counts;
  }

  emails(state?: SubmissionState): number {
    return this.submissions.reduce(
      (sum, one) => (state === undefined || one.state === state ? sum + one.emails.length : sum),
      0,
    );
  }
}
